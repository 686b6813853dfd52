import type { Contract, Unstated } from '../../contract/contract.ts';
import { publishSchemas } from '../../schema/publish.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { withState } from '../../contract/ledger-states.ts';
import { toPointer } from '../../json/pointer.ts';
import type { OutputFile } from '../target.ts';
import { packageFolder } from './layout.ts';

/** Emits the data files, for any tool or language: bundled documents, JSON Schemas, the ledger. */
export function* emitDataFiles(contract: Contract): Generator<OutputFile> {
  const { openapi, asyncapi, workflows = {} } = contract.documents;
  if (openapi !== undefined) yield toFile('openapi.json', openapi, ['openapi#']);
  if (asyncapi !== undefined) yield toFile('asyncapi.json', asyncapi, ['asyncapi#']);
  for (const [name, document = null] of Object.entries(workflows)) {
    yield toFile(`workflows/${name}.json`, document, [toPointer('workflows#', name)]);
  }
  const pointers = contract.schemas.map(({ pointer }) => pointer);
  yield toFile('schemas.json', publishSchemas(contract), pointers);
  const { unstated } = contract;
  const places = unstated.map(({ pointer }) => pointer);
  yield toFile('unstated.json', unstated.map(toEntry), places);
}

function toEntry(entry: Unstated): JsonObject {
  const { pointer, usedBy } = entry;
  return { ...withState(entry), pointer, usedBy };
}

function toFile(path: string, value: Json, from: OutputFile['from']): OutputFile {
  return {
    path: `${packageFolder}/${path}`,
    text: `${JSON.stringify(value, null, 2)}\n`,
    isFormatted: true,
    from,
  };
}
