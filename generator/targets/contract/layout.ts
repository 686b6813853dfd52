import type { Contract } from '../../contract/contract.ts';
import type { Schema } from '../../schema/model.ts';
import { toSafeFileName } from '../../contract/file-name.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'contract';

/**
 * Returns the name of each schema's JSON Schema file. It is the name of the type, or the name of the schema's other
 * files where two types differ in case only.
 */
export function schemaFileNames(contract: Contract): ReadonlyMap<string, string> {
  const folded = new Map<string, number>();
  for (const { typeName } of contract.schemas) {
    const key = typeName.toLowerCase();
    folded.set(key, (folded.get(key) ?? 0) + 1);
  }
  const nameOf = ({ typeName, fileName }: Schema): string =>
    folded.get(typeName.toLowerCase()) === 1 ? toSafeFileName(typeName) : fileName;
  return new Map(contract.schemas.map((schema) => [schema.name, `${nameOf(schema)}.json`]));
}

/** Returns the names of the data files at the top of the package: the contract's documents and the ledger. */
export function documentFileNames({
  documents: { openapi, asyncapi },
}: Contract): readonly string[] {
  return [
    ...(openapi === undefined ? [] : ['openapi.json']),
    ...(asyncapi === undefined ? [] : ['asyncapi.json']),
    'unstated.json',
  ];
}

/** Returns the folders of the package with a data file for each document or schema. */
export function dataFolders({ documents: { workflows } }: Contract): readonly string[] {
  return [...(workflows === undefined ? [] : ['workflows']), 'schemas'];
}
