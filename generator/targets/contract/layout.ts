import type { Contract } from '../../contract/contract.ts';

/** The folder of the package below the output folder. */
export const packageFolder = 'contract';

/** Returns the names of the data files at the top of the package: the contract's documents, its schemas and the ledger. */
export function documentFileNames({
  documents: { openapi, asyncapi },
}: Contract): readonly string[] {
  return [
    ...(openapi === undefined ? [] : ['openapi.json']),
    ...(asyncapi === undefined ? [] : ['asyncapi.json']),
    'schemas.json',
    'unstated.json',
  ];
}

/** Returns the folders of the package with a data file for each document. */
export function dataFolders({ documents: { workflows } }: Contract): readonly string[] {
  return workflows === undefined ? [] : ['workflows'];
}
