import type { Contract, Schema } from '../../contract/contract.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'contract';

/**
 * The name of the file with a schema's JSON Schema: the type's name, as the contract's own files are called, unless
 * another differs from it in case only; those have the name of their other files.
 */
export function schemaFileNames(contract: Contract): ReadonlyMap<string, string> {
  const folded = new Map<string, number>();
  for (const { typeName } of contract.schemas) {
    const key = typeName.toLowerCase();
    folded.set(key, (folded.get(key) ?? 0) + 1);
  }
  const nameOf = ({ typeName, fileName }: Schema): string =>
    folded.get(typeName.toLowerCase()) === 1 ? typeName : fileName;
  return new Map(contract.schemas.map((schema) => [schema.name, `${nameOf(schema)}.json`]));
}

/** The data files at the top of the package that the contract has something to put in. */
export function documentFileNames(contract: Contract): readonly string[] {
  return [
    ...(contract.documents.openapi === undefined ? [] : ['openapi.json']),
    ...(contract.documents.asyncapi === undefined ? [] : ['asyncapi.json']),
    'unstated.json',
  ];
}
