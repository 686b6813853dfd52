import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameworkNames, frameworkOf } from '../../generator/targets/printing/frameworks.ts';
import { buildAll, createProject, pack, repository, type Project } from './project.ts';

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** NestJS is left out: with `skipLibCheck: false`, its own declarations do not compile. */
const names = frameworkNames.filter((name) => name !== 'nestjs');
const generated = [
  'contract',
  'runtime',
  'client',
  'webhooks',
  ...names.map((name) => `webhooks-${name}`),
];
const published = generated.map((name) => ({
  name: `@instant-payment/${name}`,
  folder: `generated/${name}`,
}));

const readManifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(repository, path), 'utf8')) as Manifest;

/** Tools and peers at the versions that this repository has. */
async function atOurVersions(...names: readonly string[]): Promise<readonly string[]> {
  const { devDependencies } = await readManifest('package.json');
  return names.map((name) => `${name}@${devDependencies[name] ?? ''}`);
}

const typescript = 'typescript@7.0.2';
let tarballs: readonly string[];
let packed: Project;

beforeAll(async () => {
  await buildAll();
  packed = await createProject('packed');
  tarballs = await pack(
    published.map(({ name }) => name),
    packed.folder,
  );
}, 300_000);

afterAll(() => packed.remove());

describe('in a project whose packages see only what they declare', () => {
  let project: Project;

  beforeAll(async () => {
    project = await createProject('strict');
    const peers = await atOurVersions(
      '@opentelemetry/api',
      '@types/node',
      ...names.flatMap((name) => Object.keys(frameworkOf(name).peers ?? {})),
    );
    const strict = ['--prefer-offline', '--install-strategy=linked'];
    await project.npm('install', ...strict, ...tarballs, typescript, ...peers);
  }, 300_000);

  afterAll(() => project.remove());

  it('every package compiles without the DOM, with its declarations checked', async () => {
    const specifiers: string[] = [];
    for (const { name, folder } of published) {
      const { exports } = await readManifest(`${folder}/package.json`);
      const entries = Object.keys(exports).filter((entry) => !/\.json$|\*|nestjs/.test(entry));
      expect(entries).not.toEqual([]);
      specifiers.push(...entries.map((entry) => name + entry.slice(1)));
    }
    const imports = specifiers.map(
      (specifier, index) => `import * as entry${index} from '${specifier}';`,
    );
    const used = `export default [${specifiers.map((_, index) => `entry${index}`).join(', ')}];`;
    await project.write('all.ts', [...imports, used].join('\n'));
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['all.ts'] }));
    await expect(project.npx('tsc', '-p', '.')).resolves.toBe('');
  });
});

it('the README of the generated receiver imports nothing but what it installs and Node', async () => {
  const alone = await createProject('alone');
  try {
    const wanted = /payment-(?:contract|runtime|webhooks)-\d/;
    const some = tarballs.filter((path) => wanted.test(path.slice(packed.folder.length)));
    const overrides = Object.fromEntries(
      published.flatMap(({ name }) => {
        const stem = name.slice(1).replace('/', '-');
        const path = some.find((candidate) => candidate.includes(`/${stem}-0`));
        return path === undefined ? [] : [[name, `file:${path}`]];
      }),
    );
    const readme = await readFile(join(repository, 'generated/webhooks/README.md'), 'utf8');
    const [, words = ''] = /^npm install (.*)$/mu.exec(readme) ?? [];
    const installed = new Set(
      words.split(' ').map((word) => word.replace('./generated/', '@instant-payment/')),
    );
    expect(installed).toContain('@instant-payment/webhooks');
    const entries = Object.entries(overrides);
    const manifest = {
      name: 'alone',
      type: 'module',
      dependencies: Object.fromEntries(entries.filter(([name]) => installed.has(name))),
      overrides: Object.fromEntries(entries.filter(([name]) => !installed.has(name))),
    };
    await writeFile(join(alone.folder, 'package.json'), JSON.stringify(manifest));
    await alone.npm('install', '--prefer-offline', '--install-strategy=linked');
    const specifiers = [...readme.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
    expect(specifiers).toContain('@instant-payment/webhooks/node');
    const resolver = createRequire(join(alone.folder, 'package.json'));
    for (const specifier of specifiers) expect(resolver.resolve(specifier), specifier).not.toBe('');
    expect(() => resolver.resolve('express')).toThrow(/Cannot find module/);
  } finally {
    await alone.remove();
  }
}, 120_000);

it('a generated workspace for a framework builds after npm install, with nothing else installed', async () => {
  const workspace = await createProject('workspace');
  try {
    const folders = [
      'contract',
      'runtime',
      'webhooks',
      'webhooks-express',
      'webhooks-koa',
      'webhooks-node',
    ];
    for (const folder of folders)
      await cp(join(repository, 'generated', folder), join(workspace.folder, 'generated', folder), {
        recursive: true,
        filter: (path) => !/[/\\](?:dist|node_modules)$/.test(path),
      });
    const manifest = { name: 'workspace', private: true, workspaces: ['generated/*'] };
    await writeFile(join(workspace.folder, 'package.json'), JSON.stringify(manifest));
    await workspace.npm('install', '--prefer-offline', '--save-dev', typescript);
    await expect(
      workspace.npm('run', 'build', '--workspaces', '--if-present'),
    ).resolves.toBeDefined();
  } finally {
    await workspace.remove();
  }
}, 300_000);
