import type { Contract, Unstated } from '../../contract/contract.ts';
import {
  createPublisher,
  indexSchemas,
  reachableFrom,
  type PublishedForm,
} from '../../schema/json-schema.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import type { OutputFile } from '../target.ts';
import { packageFolder, schemaFileNames } from './layout.ts';
import { once } from '../../execution/memoize.ts';

/** Whether somebody has answered an entry of the ledger, the contract assumes an answer, or it is open. */
export type UnstatedState = 'open' | 'assumed' | 'settled';

/** The state of an entry. */
export function stateOf({ assumed, settled }: Unstated): UnstatedState {
  if (settled !== undefined) return 'settled';
  return assumed === undefined ? 'open' : 'assumed';
}

/** The files that any tool or language can read: the bundled documents, a JSON Schema each, the ledger. */
export function* emitDataFiles(contract: Contract): Generator<OutputFile> {
  const { openapi, asyncapi } = contract.documents;
  if (openapi !== undefined) yield toFile('openapi.json', openapi, ['openapi#']);
  if (asyncapi !== undefined) yield toFile('asyncapi.json', asyncapi, ['asyncapi#']);
  const fileNames = schemaFileNames(contract);
  const publish = createPublisher(indexSchemas(contract), publishedForm(contract));
  for (const { name, pointer } of contract.schemas) {
    yield toFile(`schemas/${fileNames.get(name) ?? ''}`, publish(name), [pointer]);
  }
  const ledger = contract.unstated.map(toEntry);
  yield toFile(
    'unstated.json',
    ledger,
    contract.unstated.map(({ pointer }) => pointer),
  );
}

/** Bytes of all schema files together above which they refer to one another. */
const mostBytes = 8 * 2 ** 20;

/**
 * Self-contained files, unless that would repeat a large contract in each of them: where a thousand schemas are one
 * circle, every file would hold all of them.
 */
export const publishedForm: (contract: Contract) => PublishedForm = once(decideForm);

function decideForm(contract: Contract): PublishedForm {
  const index = indexSchemas(contract);
  const bytes = new Map(
    contract.schemas.map(({ name, definition }) => [name, JSON.stringify(definition).length]),
  );
  let total = 0;
  for (const name of index.keys()) {
    for (const other of reachableFrom(index, name)) total += bytes.get(other) ?? 0;
    if (total > mostBytes) return { fileNames: schemaFileNames(contract) };
  }
  return 'self-contained';
}

function toEntry(entry: Unstated): JsonObject {
  const { id, question, remark, source, choices, assumed, settled, usedBy, pointer } = entry;
  return {
    id,
    state: stateOf(entry),
    question,
    ...(remark === undefined ? {} : { remark }),
    source,
    choices: choices.map(({ name, value, meaning }) => ({ name, value, meaning })),
    ...(assumed === undefined ? {} : { assumed }),
    ...(settled === undefined ? {} : { settled }),
    pointer,
    usedBy,
  };
}

function toFile(path: string, value: Json, from: OutputFile['from']): OutputFile {
  return {
    path: `${packageFolder}/${path}`,
    text: `${JSON.stringify(value, null, 2)}\n`,
    isFormatted: true,
    from,
  };
}
