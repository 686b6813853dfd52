import type { Contract, Unstated } from '../../contract/contract.ts';
import { publishSchemas } from '../../schema/publish.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { withState } from '../../contract/ledger-states.ts';
import { toPointer } from '../../json/pointer.ts';
import type { OutputFile } from '../target.ts';
import { packageFolder } from './layout.ts';
import { type ContractOptions, type DataFile, dataFiles } from './options.ts';

const descriptions: Readonly<Record<DataFile, string>> = {
  openapi: 'The contract as one OpenAPI document, notifications included.',
  asyncapi: 'The notifications as one AsyncAPI document.',
  workflows: 'The order of calls and notifications, as Arazzo documents.',
  schemas:
    'A JSON Schema 2020-12 document with a definition for each type: `#/$defs/` and the name of the type.',
  unstated: 'The questions of the ledger, with choices and answers.',
};

/** A data file that the package has, or a folder of them. */
interface ListedData {
  /** The path that the package exports, such as `openapi.json` or `workflows/*.json`. */
  readonly exported: string;
  /** The path that the package is published with. */
  readonly published: string;
  readonly about: string;
}

/** Lists the data files that the options ask for and the contract has. */
export function listData(
  { documents }: Contract,
  { data = [] }: ContractOptions,
): readonly ListedData[] {
  return dataFiles
    .filter((name) => data.includes(name))
    .filter((name) => name === 'schemas' || name === 'unstated' || documents[name] !== undefined)
    .map((name) => ({
      exported: name === 'workflows' ? 'workflows/*.json' : `${name}.json`,
      published: name === 'workflows' ? 'workflows' : `${name}.json`,
      about: descriptions[name],
    }));
}

/** Emits the data files that the options ask for. */
export function* emitDataFiles(
  contract: Contract,
  { data = [] }: ContractOptions,
): Generator<OutputFile> {
  const { documents, schemas, unstated } = contract;
  for (const name of ['openapi', 'asyncapi'] as const) {
    const document = documents[name];
    if (document !== undefined && data.includes(name))
      yield toFile(`${name}.json`, document, [`${name}#`]);
  }
  for (const [name, document = null] of Object.entries(documents.workflows ?? {})) {
    if (data.includes('workflows'))
      yield toFile(`workflows/${name}.json`, document, [toPointer('workflows#', name)]);
  }
  if (data.includes('schemas')) {
    const pointers = schemas.map(({ pointer }) => pointer);
    yield toFile('schemas.json', publishSchemas(contract), pointers);
  }
  if (data.includes('unstated')) {
    const pointers = unstated.map(({ pointer }) => pointer);
    yield toFile('unstated.json', unstated.map(toEntry), pointers);
  }
}

function toEntry(entry: Unstated): JsonObject {
  const { pointer, usedBy } = entry;
  return { ...withState(entry), pointer, usedBy };
}

function toFile(path: string, value: Json, from: OutputFile['from']): OutputFile {
  return {
    path: `${packageFolder}/${path}`,
    text: `${toLines(value, separateLevels)}\n`,
    isFormatted: true,
    from,
  };
}

/** The levels of a data file whose members have a line each: such as `components`, `schemas`, and a schema. */
const separateLevels = 3;

/** Prints JSON without indentation, with a line for each member of the first levels, so that a change has few lines. */
function toLines(value: Json, levels: number): string {
  const print = (child: Json): string => toLines(child, levels - 1);
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, child]) =>
        child === undefined ? [] : [`${JSON.stringify(name)}:${print(child)}`],
      )
    : Array.from(value, print);
  const [open, close] = isJsonObject(value) ? '{}' : '[]';
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join(',\n')}\n${close}`;
}
