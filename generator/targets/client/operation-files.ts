import type { BodyKind, Contract, Operation } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { failuresOf, successesOf } from '../../contract/outcomes.ts';
import { indexSchemas } from '../../schema/references.ts';
import { repetitionNote } from '../printing/repetition-note.ts';
import { code, type Code } from '../code.ts';
import { identifier, literal, objectUnlessEmpty } from '../escape.ts';
import { jsdoc, type Documentation } from '../jsdoc.ts';
import { packageName } from '../package/package-files.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { isSequence, responseContent } from '../../contract/media-types.ts';
import { createOperationData } from '../printing/operation-data.ts';
import { nestedArraysOf } from '../printing/client-options.ts';
import type { ConnectionCode } from '../printing/connection-code.ts';
import { typeOperations } from './operation-types.ts';
import { type Call, callsOf, packageFolder } from '../../contract/calls.ts';

/**
 * Emits the modules of each operation: its description and function, and, unless validators are turned off, a second
 * module that adds the validators of its responses.
 */
export function* emitOperations(
  contract: Contract,
  connection: ConnectionCode,
  context: TargetContext,
): Generator<OutputFile> {
  const calls = callsOf(contract);
  const types = typeOperations(contract, connection);
  const describe = createOperationData(contract, nestedArraysOf(context.options));
  const contractPackage = packageName(context, 'contract');
  for (const call of calls) {
    const { operation, fileName } = call;
    const type = types.get(operation.id);
    if (type === undefined) throw new TypeError(`The operation "${operation.id}" was not typed.`);
    const description = describe(operation);
    const [successes, failures] = [successesOf(operation), failuresOf(operation)];
    const answers = type.response.text + (type.failure?.text ?? '');
    const usesContract = /\bcontract\./u.test(type.input.text + answers);
    const about = (summary: string): Code => jsdoc({ summary, deprecated: operation.deprecated });
    const shared = {
      ...call,
      // Its text is at the method of the client, which most applications call.
      functionAbout: jsdoc({
        summary: `Calls \`${operation.method} ${operation.path}\`, as the method \`${call.name}\` of a client does.`,
        deprecated: operation.deprecated,
        place: context.placeOf?.(operation.pointer),
      }),
      contractPackage,
      streams: /\bUint8Array\b/u.test(type.response.text),
      fileName: `../operations/${fileName}.ts`,
    };
    yield {
      path: `${packageFolder}/src/operations/${fileName}.ts`,
      text: context.render('operation.ts', {
        ...shared,
        responseAbout: about(
          `What \`${call.name}\` returns: one member for each status and media type.`,
        ),
        failureAbout: about(
          `What \`${call.name}\` rejects with if the service answers with a failure that the contract declares.`,
        ),
        guardAbout: jsdoc({
          summary: `Returns whether an error is a failure of \`${call.name}\` that the contract declares, with a body as declared. \`status\` then narrows the type of \`body\`.`,
          deprecated: operation.deprecated,
        }),
        constantAbout: about('What the runtime knows of the operation.'),
        usesContract,
        usesAnswer: successes.length > 0,
        usesStatuses: [...successes, ...failures].some(
          ({ statuses }) => typeof statuses === 'object',
        ),
        usesParts: /\bMultipartBody\b/u.test(type.input.text),
        usesEvents: /\bServerSentEvent\b/u.test(type.response.text),
        imports: [...new Set(description.imports)].toSorted(),
        ...type,
        description,
      }),
      from: [operation.pointer],
    };
    if (context.validators === false) continue;
    const constantAbout = about(
      'What the runtime knows of the operation, the validators of its answers included.',
    );
    yield {
      path: `${packageFolder}/src/checked/${fileName}.ts`,
      text: context.render('checked.ts', {
        ...shared,
        constantAbout,
        checks: checksOf(operation, contract),
      }),
      from: [operation.pointer],
    };
  }
}

const traceNote =
  'No platform has a `fetch` that sends TRACE: the client has to be given one that does.';

/** Returns the contents of the comment above an operation's function. */
export function documentationOf(
  plan: Call,
  contract: Contract,
  { placeOf }: Pick<TargetContext, 'placeOf'>,
): Documentation {
  const { operation } = plan;
  const { pointer, summary, description, notes, deprecated, source, method, path } = operation;
  const paragraphs = [
    description,
    method === 'TRACE' ? traceNote : undefined,
    repetitionNote(contract, operation),
    failureNote(plan),
  ];
  return {
    summary: summary ?? `Calls ${method} ${path}.`,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    notes,
    questions: entriesAt(contract, pointer),
    source,
    sourceDocument: contract.info.sourceDocument,
    place: placeOf?.(pointer),
    deprecated,
  };
}

/** Returns a note on the failures of a call; `undefined` if the contract declares none. */
function failureNote({ operation, guard }: Call): string | undefined {
  const statuses = failuresOf(operation).map(({ response }) => `\`${response.status}\``);
  if (statuses.length === 0) return undefined;
  return `Rejects if the service answers with a failure. \`${guard}\` types those that the contract declares: ${statuses.join(', ')}.`;
}

function checksOf(operation: Operation, contract: Contract): Code | undefined {
  const index = indexSchemas(contract);
  const failures = new Set(failuresOf(operation).map(({ response }) => response));
  return objectUnlessEmpty(
    operation.responses.map((response) => {
      const checks = responseContent(operation, response)
        .filter(({ kind }) => {
          // The body of a failure is bytes where that of a success is a sequence.
          return checkedKinds.has(kind) && !(failures.has(response) && isSequence(kind));
        })
        .map(({ mediaType, schema, itemSchema }) => {
          const typeName = index.get(itemSchema ?? schema ?? '')?.typeName;
          const check = typeName && code`contract.${identifier(`assert${typeName}`)}`;
          return [mediaType, check || undefined] as const;
        });
      return [literal(response.status), objectUnlessEmpty(checks)];
    }),
  );
}

/** The kinds of bodies that have validators: values of a schema, or sequences of such values. */
const checkedKinds: ReadonlySet<BodyKind> = new Set(['json', 'value', 'string', 'events', 'lines']);
