import type { SecurityScheme } from '../../../contract/contract.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { ContractLintRule } from '../rule.ts';

/**
 * Reports required parameters of calls whose headers the signature of the call has. The client writes these headers when
 * it signs, and a required parameter makes every caller pass a value.
 */
export const signatureParameters: ContractLintRule = {
  codes: ['signature-header-parameter'],
  *check({ contract }) {
    const schemes = new Map(contract.security.map((scheme) => [scheme.id, scheme]));
    for (const { id, security, parameters } of contract.operations) {
      const written = new Map(
        security
          .flat()
          .flatMap(({ scheme }) => schemes.get(scheme) ?? [])
          .flatMap(headersOf),
      );
      for (const { in: place, name, required, everyRequest, pointer } of parameters) {
        const what = written.get(name.toLowerCase());
        if (place !== 'header' || !required || everyRequest !== undefined || what === undefined)
          continue;
        const message = `The operation ${quote(id)} requires its callers to pass the header ${quote(name)}. It is ${what}, which the client writes when it signs.`;
        yield { pointer, message };
      }
    }
  },
};

/** Returns the headers that a signature writes, in lower case, with what each is. */
function headersOf({
  id,
  parameterName,
  in: place,
  signature,
}: SecurityScheme): readonly (readonly [name: string, what: string])[] {
  if (signature === undefined) return [];
  const { timestamp, key } = signature;
  const headers = [
    [place === 'header' ? parameterName : undefined, 'the signature'],
    [timestamp?.header, 'the timestamp'],
    [key.idHeader, 'the id of the key'],
  ] as const;
  return headers.flatMap(([name, what]) =>
    name === undefined ? [] : [[name.toLowerCase(), `${what} of ${quote(id)}`] as const],
  );
}
