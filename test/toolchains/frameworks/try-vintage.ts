import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, repository, type Project } from '../../packaging/project.ts';
import { applications } from './application.ts';
import type { Failures } from './suite.ts';
import type { Vintage } from './vintages.ts';

const run = promisify(execFile);

/** What came of the packages with the frameworks of a vintage. */
export interface Trial {
  /** Errors of the compiler, by framework. */
  readonly compilation: Readonly<Record<string, readonly string[]>>;
  /** Rules of the conformance suite that fail, by adapter. */
  readonly failures: Failures;
}

const tools = {
  '@hono/node-server': '2.1.8',
  '@vitest/expect': '5.1.1',
  '@types/aws-lambda': '8.10.164',
};

const route = `import { toRouteHandlers } from '@instant-payment/webhooks-nextjs/adapter';

const shared = (globalThis.toolchain ??= {});

export const { GET, POST, PUT, PATCH, DELETE } = toRouteHandlers((request) =>
  shared.receive(request),
);
`;

const nextConfig = `import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export default { turbopack: { root }, outputFileTracingRoot: root };
`;

/**
 * Installs the packed packages with the frameworks of a vintage, compiles an application for each framework, and runs
 * the conformance suite behind each. Rejects where npm refuses the versions.
 * @param suite the code of the suite, which imports frameworks and packages by their names
 */
export async function tryVintage(
  { packages }: Vintage,
  tarballs: readonly string[],
  suite: string,
): Promise<Trial> {
  const project = await createProject('vintage');
  try {
    const versions = Object.entries({ ...tools, ...packages });
    await project.npm(
      'install',
      '--no-package-lock',
      '--ignore-scripts',
      ...tarballs,
      ...versions.map(([name, version]) => `${name}@${version}`),
    );
    const compilation = await compile(project);
    await project.write('next/package.json', '{ "type": "module" }');
    await project.write('next/next.config.mjs', nextConfig);
    await project.write('next/app/[[...label]]/route.js', route);
    await execute(project, 'node_modules/next/dist/bin/next', 'build', 'next');
    await project.write('suite.mjs', suite);
    await execute(project, 'suite.mjs', 'report.json');
    const report = await readFile(join(project.folder, 'report.json'), 'utf8');
    return { compilation, failures: JSON.parse(report) as Failures };
  } finally {
    await project.remove();
  }
}

async function execute({ folder }: Project, ...script: readonly string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  try {
    await run(process.execPath, [...script], { cwd: folder, env, maxBuffer: 1 << 26 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${script.join(' ')} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  esModuleInterop: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  // Declarations of old frameworks do not compile with a current compiler.
  skipLibCheck: true,
};

/** Compiles the applications; answers with the errors of each. */
async function compile(project: Project): Promise<Record<string, readonly string[]>> {
  const names = Object.keys(applications);
  for (const [name, code] of Object.entries(applications)) await project.write(fileOf(name), code);
  await project.write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions, files: names.map((name) => fileOf(name)) }),
  );
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const printed = await run(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: project.folder,
  }).catch((error: unknown) => error as { readonly stdout: string });
  const lines = printed.stdout.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    names.map((name) => [name, lines.filter((line) => line.startsWith(`${fileOf(name)}(`))]),
  );
}

const fileOf = (name: string): string => `${name.toLowerCase().replace('.', '')}-application.ts`;
