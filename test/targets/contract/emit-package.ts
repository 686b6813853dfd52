import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Contract } from '../../../generator/contract/contract.ts';
import { formatFile } from '../../../generator/output/format.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { createRenderer } from '../../../generator/targets/render.ts';

/** Every file the target emits, formatted as it comes to lie on the disk, by path inside the package. */
export async function emitPackage(contract: Contract): Promise<ReadonlyMap<string, string>> {
  const folder = contractTarget.templates ?? '';
  const templates = new Map<string, string>();
  for (const file of await readdir(folder)) {
    templates.set(file.replace(/\.hbs$/, ''), await readFile(join(folder, file), 'utf8'));
  }
  const context = {
    scope: '@trade',
    version: '4.5.6',
    packageNames: { contract: '@trade/contract' },
    render: createRenderer(templates),
  };
  const files = new Map<string, string>();
  for await (const { path, text } of contractTarget.emit(contract, context)) {
    const name = path.replace(/^contract\//, '');
    if (files.has(name)) throw new Error(`${path} was emitted twice`);
    files.set(name, await formatFile(path, text));
  }
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
export async function buildPackage(contract: Contract): Promise<WrittenPackage> {
  const written = await writePackage(await emitPackage(contract));
  await compile('ts7', written.folder, ['-b']);
  return written;
}

/** Runs a TypeScript compiler of this repository; rejects with what it prints where it finds fault. */
export async function compile(
  compiler: 'typescript' | 'ts7',
  folder: string,
  options: readonly string[],
): Promise<void> {
  const tsc = fileURLToPath(new URL(`../../../node_modules/${compiler}/bin/tsc`, import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [tsc, ...options], { cwd: folder });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${compiler} ${options.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
