import type { Contract, Operation } from '../contract/contract.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import type { Pointer } from '../json/pointer.ts';
import { cursorAt } from '../documents/places.ts';
import type { ContractRule } from './rule.ts';

/**
 * Reports header parameters that OpenAPI ignores (3.1.1, 4.8.12.2), so that no input has them: `Accept`, `Content-Type`,
 * and `Authorization` where no security scheme of the operation sends it.
 */
export const ignoredHeaders: ContractRule = {
  codes: ['ignored-header'],
  *check({ contract, documents }) {
    const reported = new Set<Pointer>();
    for (const operation of contract.operations) {
      const { pointer, id } = operation;
      const pathItem = cursorAt(documents, pointer.slice(0, pointer.lastIndexOf('/')) as Pointer);
      const parameters = [pathItem, cursorAt(documents, pointer)].flatMap((at) =>
        at.items('parameters'),
      );
      for (const at of parameters.map((parameter) => parameter.follow())) {
        const header = ignoredHeader(at);
        if (header === undefined || reported.has(at.pointer)) continue;
        if (header === 'authorization' && sendsAuthorization(contract, operation)) continue;
        reported.add(at.pointer);
        yield {
          pointer: at.pointer,
          message: `The header parameter ${quote(at.text('name') ?? '')} of ${quote(id)} is ignored, as OpenAPI requires: the client has no input for it.`,
        };
      }
    }
  },
};

/** Returns the name in lower case of a header parameter that OpenAPI ignores. */
function ignoredHeader(at: Cursor): string | undefined {
  const name = at.text('name')?.toLowerCase() ?? '';
  const isIgnored = ['accept', 'content-type', 'authorization'].includes(name);
  return isIgnored && at.text('in') === 'header' ? name : undefined;
}

function sendsAuthorization({ security }: Contract, operation: Operation): boolean {
  const used = new Set(operation.security.flat().map(({ scheme }) => scheme));
  return security.some(
    ({ id, type, parameterName }) =>
      used.has(id) &&
      (['http', 'oauth2', 'openIdConnect'].includes(type) ||
        parameterName?.toLowerCase() === 'authorization'),
  );
}
