import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContractFiles } from '../../../generator/load/contract-files.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { lowerAndCheck } from '../../rules/lower-and-check.ts';
import { hasErrors } from '../../../generator/diagnostics/diagnostic.ts';
import { load } from '../../../generator/load/load.ts';
import { clientTarget } from '../../../generator/targets/client/target.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import {
  type GeneratedProject,
  type Settings,
  generateProject,
  repository,
} from '../emit-project.ts';

/** Loads and lowers a contract of files; throws what is wrong with it. */
export async function readContract(
  contract: ContractFiles,
  folder: string = repository,
): Promise<Contract> {
  const documents = await load(contract, { folder });
  const lowered = await lowerAndCheck(documents);
  const diagnostics = [...documents.diagnostics, ...lowered.diagnostics];
  if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics, null, 2));
  return lowered.contract;
}

/** Loads and lowers an OpenAPI document given as an object. */
export function readOpenapi(document: object): Promise<Contract> {
  return readDocument('openapi', document);
}

/** Loads and lowers an AsyncAPI document given as an object. */
export function readAsyncapi(document: object): Promise<Contract> {
  return readDocument('asyncapi', document);
}

async function readDocument(name: 'openapi' | 'asyncapi', document: object): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-document-'));
  try {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(document));
    return await readContract({ [name]: `${name}.json` }, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A generated client with its contract and the runtimes they import, in a project of its own. */
export interface GeneratedClient extends GeneratedProject {
  /** The folder of the client. */
  readonly client: string;
  /** The folder of the contract. */
  readonly contract: string;
}

/**
 * Emits the packages `contract` and `client` into a temporary project, as they would come to lie on the disk.
 * `built`: the runtimes beside them are what is published, compiled; they are source otherwise.
 */
export async function generateClient(
  contract: Contract,
  options: Settings & { readonly built?: boolean } = {},
): Promise<GeneratedClient> {
  const generated = await generateProject(contract, [contractTarget, clientTarget], options);
  const { project } = generated;
  return { ...generated, client: join(project, 'client'), contract: join(project, 'contract') };
}
