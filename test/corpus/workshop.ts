import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { targetNames } from '../../generator/targets/registry.ts';
import { packagesOfFrameworks, frameworks } from '../../generator/targets/printing/frameworks.ts';
import { buildRuntime, repository } from '../targets/emit-project.ts';
import { resolutionNames, resolutions, strictest } from '../targets/strict-compile.ts';
import type { TypeErrors } from './record.ts';

/** Puts what generated packages import into a folder: the runtimes as they are published, and the frameworks. */
export async function furnish(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const runtime of ['runtime', 'console', 'simulator']) {
    const built = join(folder, 'runtimes', runtime);
    await buildRuntime(join(repository, 'packages', runtime), built);
    // Node looks nowhere else where a condition holds and its file is missing.
    const manifest = join(built, 'package.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replaceAll('"countersign-source"', '"source-left-out"'));
    await link(built, join(folder, 'node_modules/@countersign', runtime));
  }
  await writeToolkit(join(folder, 'node_modules/countersign'));
  const types = Object.values(frameworks).flatMap(({ applicationTypes = {} }) =>
    Object.keys(applicationTypes),
  );
  for (const name of new Set([
    ...Object.keys(packagesOfFrameworks),
    ...types,
    '@types/node',
    '@types/aws-lambda',
  ])) {
    const source = join(repository, 'node_modules', name);
    if (existsSync(source)) await link(source, join(folder, 'node_modules', name));
  }
}

/**
 * Writes the entry of the toolkit that generated simulators import, as the toolkit has it, and the types of the model
 * that it refers to.
 */
async function writeToolkit(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const exports = {
    './simulator': { types: './simulator.d.ts', default: './simulator.js' },
    './kit': { types: './kit.d.ts' },
  };
  const manifest = { name: 'countersign', type: 'module', exports };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const kit = JSON.stringify(join(repository, 'generator/dist/kit.js'));
  await writeFile(join(folder, 'kit.d.ts'), `export * from ${kit};\n`);
  for (const file of ['simulator.js', 'simulator.d.ts'])
    await writeFile(join(folder, file), "export * from '@countersign/simulator';\n");
}

/** Lets the packages of a project find one another. The runtime is one of them. */
export async function linkPackages(project: string): Promise<void> {
  for (const name of [...targetNames, 'runtime']) {
    const folder = join(project, 'packages', name);
    const scope = `@${basename(project)}`;
    if (existsSync(folder)) await link(folder, join(project, 'node_modules', scope, name));
  }
}

/**
 * Compiles the packages of projects below a furnished folder, all at once and with TypeScript 7, under every flag and with
 * both ways of resolving modules; answers with the errors of each project.
 */
export async function compileProjects(
  folder: string,
  projects: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, TypeErrors>>>> {
  const errors = new Map<string, Record<string, TypeErrors>>(
    projects.map((project) => [project, {}]),
  );
  for (const resolution of resolutionNames) {
    const file = `tsconfig.${resolution}.json`;
    const compilerOptions = {
      ...strictest,
      ...resolutions[resolution],
      lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      experimentalDecorators: true,
      isolatedDeclarations: true,
      declaration: true,
      customConditions: ['countersign-source'],
    };
    const include = projects.flatMap((project) => [
      `${project}/packages/*/src`,
      `${project}/packages/*/runtime/*.d.ts`,
    ]);
    await writeFile(join(folder, file), JSON.stringify({ compilerOptions, include }));
    const lines = errorLines(await runCompiler(folder, ['-p', file, '--pretty', 'false']));
    for (const [project, errorsByResolution] of errors) {
      const projectLines = lines.filter((line) => line.startsWith(`${project}/`));
      errorsByResolution[resolution] = {
        count: projectLines.length,
        first: projectLines.slice(0, 5).map((line) => line.slice(project.length + 1, 400)),
      };
    }
    const foreign = lines.find(
      (line) => /^(?:error|\w+\/packages)/u.test(line) && !/^d\d/u.test(line),
    );
    if (foreign !== undefined) throw new Error(`The compiler refuses its work: ${foreign}`);
  }
  return errors;
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'junction');
}

async function runCompiler(folder: string, options: readonly string[]): Promise<string> {
  const tsc = join(repository, 'node_modules/ts7/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, ...options], {
      cwd: folder,
      maxBuffer: 256 * 1024 * 1024,
    });
    return '';
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as Partial<Record<string, string>>;
    // The compiler exits with 1 or 2 for type errors; without output, it failed itself.
    if (stdout === '')
      throw new Error(`The compiler ended with ${String(code)}: ${stderr}`, { cause: error });
    return stdout;
  }
}

/** The first line of each error; what stands below it explains. */
function errorLines(output: string): readonly string[] {
  return output.split('\n').filter((line) => /\berror TS\d+:/u.test(line));
}
