import type { Contract, Unstated } from '../../contract/contract.ts';
import { indexSchemas, toPublishedSchema } from '../../contract/json-schema.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { OutputFile } from '../target.ts';
import { packageFolder, schemaFileNames } from './layout.ts';

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
  const index = indexSchemas(contract);
  const fileNames = schemaFileNames(contract);
  for (const { name, pointer } of contract.schemas) {
    yield toFile(`schemas/${fileNames.get(name) ?? ''}`, toPublishedSchema(index, name), [pointer]);
  }
  const ledger = contract.unstated.map(toEntry);
  yield toFile(
    'unstated.json',
    ledger,
    contract.unstated.map(({ pointer }) => pointer),
  );
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
  return { path: `${packageFolder}/${path}`, text: `${JSON.stringify(value, null, 2)}\n`, from };
}
