import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildAll,
  createProject,
  nodePackage,
  pack,
  repository,
  type Project,
} from '../../packaging/project.ts';
import { expectTable } from '../compatibility-page.ts';
import { moduleSettings, nodes, runners, typescripts } from './settings.ts';
import {
  printed,
  writeApplications,
  writeFolderLayout,
  writeFunction,
  writeGuide,
} from './write-application.ts';

const run = promisify(execFile);
const published = [
  'contract',
  'runtime',
  'client',
  'webhooks',
  'webhooks-express',
  'webhooks-node',
  'webhooks-aws-lambda',
].map((name) => `@instant-payment/${name}`);

let packed: Project;
let project: Project;

beforeAll(async () => {
  await buildAll();
  packed = await createProject('packed');
  project = await createProject('modules');
  const tools = {
    '@types/node': '22.20.5',
    '@opentelemetry/api': '1.10.0',
    express: '5.3.0',
    '@types/express': '5.0.6',
    ...runners,
  };
  await project.npm(
    'install',
    '--no-package-lock',
    '--ignore-scripts',
    ...(await pack(published, packed.folder)),
    ...Object.entries(tools).map(([name, version]) => `${name}@${version}`),
    ...typescripts.map((version) => `typescript-${version}@npm:typescript@${version}`),
    ...nodes.map(([version]) => `node-${version}@npm:${nodePackage(version)}`),
  );
  await writeApplications(project);
  await writeGuide(project, 'guide');
  await writeFunction(project, 'lambda');
});
afterAll(async () => {
  await project?.remove();
  await packed?.remove();
});

/** What a program left. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder of the project; answers with what it printed and its exit code. */
async function execute(
  folder: string,
  program: string,
  ...args: readonly string[]
): Promise<Ended> {
  const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'test', NO_COLOR: '1' };
  const options = { cwd: join(project.folder, folder), env, maxBuffer: 1 << 26 };
  try {
    return { code: 0, ...(await run(program, [...args], options)) };
  } catch (error) {
    const { code = 1, stdout = '', stderr = '' } = error as Partial<Ended>;
    return { code, stdout, stderr };
  }
}

const installed = (path: string): string => join(project.folder, 'node_modules', path);
const nodeOf = (version: string): string => installed(`node-${version}/bin/node`);

describe.each(moduleSettings)('$name', ({ folder, compilerOptions, refusals = {} }) => {
  test.each(typescripts)('TypeScript %s compiles it, or refuses it as stated', async (version) => {
    const file = `tsconfig.${version}.json`;
    const common = { target: 'es2022', lib: ['es2023'], types: ['node'], strict: true };
    const checks = { skipLibCheck: false, noEmit: true, exactOptionalPropertyTypes: true };
    const config = {
      compilerOptions: { ...common, ...checks, ...compilerOptions },
      files: ['app.ts'],
    };
    await project.write(`${folder}/${file}`, JSON.stringify(config));
    const tsc = installed(`typescript-${version}/bin/tsc`);
    const { stdout } = await execute(
      folder,
      process.execPath,
      tsc,
      '-p',
      file,
      '--pretty',
      'false',
    );
    const codes = new Set(Array.from(stdout.matchAll(/ error (TS\d+)/gu), ([, code = '']) => code));
    expect([...codes].toSorted().join(' '), stdout).toBe(refusals[version] ?? '');
  });
});

describe.each(nodes)('Node %s', (version, canRequire) => {
  test('imports the packages', async () => {
    expect(await execute('esm', nodeOf(version), 'app.js')).toMatchObject({ stdout: printed });
  });

  test(canRequire ? 'requires the packages' : 'refuses to require the packages', async () => {
    const { stdout, stderr } = await execute('cjs', nodeOf(version), 'app.js');
    expect(stdout).toBe(canRequire ? printed : '');
    // Its message says what to do: use a dynamic import().
    expect(/\bcode: '(?<code>\w+)'/u.exec(stderr)?.groups?.['code']).toBe(
      canRequire ? undefined : 'ERR_REQUIRE_ESM',
    );
  });
});

test("layout: 'folder' in a CommonJS application compiles, runs, and prints no warning", async () => {
  await writeFolderLayout(project, 'application');
  const folder = join(project.folder, 'application');
  await cp(join(repository, 'spec'), join(folder, 'spec'), { recursive: true });
  const cli = join(repository, 'generator/cli.ts');
  const generated = await execute('application', process.execPath, cli, 'generate');
  expect(generated).toMatchObject({ code: 0 });
  expect(generated.stderr).not.toContain('Warning');
  for (const version of ['5.8.3', '7.0.2']) {
    const tsc = installed(`typescript-${version}/bin/tsc`);
    expect(await execute('application', process.execPath, tsc, '-p', '.')).toMatchObject({
      code: 0,
      stdout: '',
    });
    for (const node of ['20.19.0', '22.12.0', '26.10.0'])
      expect(await execute('application', nodeOf(node), 'dist/main.js')).toMatchObject({
        stdout: printed,
      });
  }
}, 600_000);

describe.each(['mjs', 'cjs'] as const)('a function for AWS Lambda in one file .%s', (extension) => {
  beforeAll(async () => {
    await build({
      entryPoints: [join(project.folder, 'lambda/handler.js')],
      outfile: join(project.folder, `lambda/bundle.${extension}`),
      bundle: true,
      minify: true,
      platform: 'node',
      format: extension === 'mjs' ? 'esm' : 'cjs',
    });
  });

  test.each([nodes[0], nodes.at(-1)].flatMap((node) => node?.[0] ?? []))(
    'answers a delivery on Node %s',
    async (version) => {
      expect(
        await execute('lambda', nodeOf(version), 'invoke.js', `./bundle.${extension}`),
      ).toMatchObject({ code: 0, stdout: '200 401\n', stderr: '' });
    },
  );
});

/** How the guide runs its tests. */
const commands: readonly (readonly [name: string, ...command: string[]])[] = [
  [`Vitest ${runners.vitest}`, 'node_modules/vitest/vitest.mjs', 'run', 'vitest'],
  ['node:test', '--test', 'node-test/application.test.ts'],
  [`Jest ${runners.jest}, CommonJS`, 'node_modules/jest/bin/jest.js', '--config=jest.config.cjs'],
  [
    `Jest ${runners.jest}, ES modules`,
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--config=jest.config.esm.cjs',
  ],
];

test.each(commands)('docs/guides/testing.md: %s', async (_name, ...command) => {
  const args = command.map((word) => (word.startsWith('node_modules/') ? `../${word}` : word));
  const { code, stdout, stderr } = await execute('guide', process.execPath, ...args);
  expect(code, stdout + stderr).toBe(0);
});

test('docs/compatibility.md has the results', async () => {
  await expectTable('modules', [
    ['Application', ...typescripts.map((version) => `TypeScript ${version}`)],
    ...moduleSettings.map(({ name, refusals = {} }) => [
      name,
      ...typescripts.map((version) => refusals[version] ?? 'yes'),
    ]),
  ]);
  await expectTable('node', [
    ['Node', '`import`', '`require`'],
    ...nodes.map(([version, canRequire]) => [
      version,
      'yes',
      canRequire ? 'yes' : '`ERR_REQUIRE_ESM`',
    ]),
  ]);
  await expectTable('runners', [
    ['Test runner', 'The guide runs'],
    ...commands.map(([name]) => [name, 'yes']),
  ]);
});
