import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Contract } from '../../../generator/contract/contract.ts';
import { formatFile } from '../../../generator/targets/format.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { compile } from '../compile.ts';
import { emitFiles, type Settings } from '../emit-project.ts';

/** Every file the target emits, formatted as it comes to lie on the disk, by path inside the package. */
export async function emitPackage(
  contract: Contract,
  settings: Settings = {},
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, text] of await emitFiles(contractTarget, contract, settings))
    files.set(path.replace(/^contract\//, ''), await formatFile(path, text));
  return files;
}

/** A package written to a folder of its own, as `node_modules/@trade/contract` of a project there. */
export interface WrittenPackage extends AsyncDisposable {
  readonly project: string;
  readonly folder: string;
}

/** Writes an emitted package to a temporary folder. */
export async function writePackage(files: ReadonlyMap<string, string>): Promise<WrittenPackage> {
  const project = await mkdtemp(join(tmpdir(), 'countersign-contract-'));
  const folder = join(project, 'contract');
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }\n');
  await mkdir(join(project, 'node_modules/@trade'), { recursive: true });
  await symlink(folder, join(project, 'node_modules/@trade/contract'), 'junction');
  return {
    project,
    folder,
    [Symbol.asyncDispose]: () => rm(project, { recursive: true }),
  };
}

/** Emits, writes and compiles a package, as its own `build` does. */
export async function buildPackage(
  contract: Contract,
  settings: Settings = {},
): Promise<WrittenPackage> {
  const contractPackage = await writePackage(await emitPackage(contract, settings));
  await compile('ts7', contractPackage.folder, ['-b']);
  return contractPackage;
}
