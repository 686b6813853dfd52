import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContractFiles } from '../../../generator/config.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { lower } from '../../../generator/contract/lower.ts';
import { hasErrors } from '../../../generator/diagnostics/diagnostic.ts';
import { load } from '../../../generator/load/load.ts';
import { formatFile } from '../../../generator/output/format.ts';
import { clientTarget } from '../../../generator/targets/client/target.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { createRenderer } from '../../../generator/targets/render.ts';
import type { Target } from '../../../generator/targets/target.ts';
import { compile } from '../contract/emit-package.ts';

/** The folder of this repository. */
export const repository: string = fileURLToPath(new URL('../../../', import.meta.url));

/** Loads and lowers a contract of files; throws what is wrong with it. */
export async function readContract(
  contract: ContractFiles,
  folder: string = repository,
): Promise<Contract> {
  const documents = await load(contract, { folder });
  const lowered = await lower(documents);
  const diagnostics = [...documents.diagnostics, ...lowered.diagnostics];
  if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics, null, 2));
  return lowered.contract;
}

/** Loads and lowers an OpenAPI document given as an object. */
export async function readOpenapi(document: object): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-openapi-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    return await readContract({ openapi: 'openapi.json' }, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Two generated packages and the runtimes they import, in a project of its own. */
export interface GeneratedProject extends AsyncDisposable {
  readonly project: string;
  /** The folder of the client. */
  readonly client: string;
  /** The folder of the contract. */
  readonly contract: string;
}

/** The name of the scope in tests. */
export const scope = '@trade';

/**
 * Emits the packages `contract` and `client` into a temporary project, as they would come to lie on the disk.
 * `built`: the runtimes beside them are what is published, compiled; they are source otherwise.
 */
export async function generateClient(
  contract: Contract,
  options: { readonly built?: boolean } = {},
): Promise<GeneratedProject> {
  const project = await mkdtemp(join(tmpdir(), 'countersign-client-'));
  const runtimes =
    options.built === true ? join(project, 'runtimes') : join(repository, 'packages');
  if (options.built === true) await buildRuntimes(runtimes);
  const packageNames = { contract: `${scope}/contract`, client: `${scope}/client` };
  for (const target of [contractTarget, clientTarget]) {
    const context = { scope, version: '4.5.6', packageNames, render: await rendererOf(target) };
    const paths = new Set<string>();
    for await (const { path, text } of target.emit(contract, context)) {
      if (paths.has(path)) throw new Error(`${path} was emitted twice`);
      paths.add(path);
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), await formatFile(path, text));
    }
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }\n');
  for (const [name, folder] of [
    [`${scope}/contract`, join(project, 'contract')],
    [`${scope}/client`, join(project, 'client')],
    ['@countersign/client', join(runtimes, 'client')],
    ['@countersign/signing', join(runtimes, 'signing')],
    ['@types/node', join(repository, 'node_modules/@types/node')],
    ['undici-types', join(repository, 'node_modules/undici-types')],
  ] as const) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(folder, link, 'junction');
  }
  return {
    project,
    client: join(project, 'client'),
    contract: join(project, 'contract'),
    [Symbol.asyncDispose]: () => rm(project, { recursive: true }),
  };
}

/** Compiles the runtimes as they are published, without touching the repository. */
async function buildRuntimes(folder: string): Promise<void> {
  for (const name of ['signing', 'client']) {
    const from = join(repository, 'packages', name);
    const to = join(folder, name);
    await mkdir(to, { recursive: true });
    await cp(join(from, 'package.json'), join(to, 'package.json'));
    const flags = ['--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'];
    await compile('ts7', from, ['-p', '.', ...flags, '--outDir', join(to, 'dist')]);
  }
}

async function rendererOf({ templates = '' }: Target): Promise<ReturnType<typeof createRenderer>> {
  const texts = new Map<string, string>();
  for (const file of await readdir(templates)) {
    texts.set(file.replace(/\.hbs$/, ''), await readFile(join(templates, file), 'utf8'));
  }
  return createRenderer(texts);
}
