import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import ownConfig from '../../../countersign.config.ts';
import { checkConfig } from '../../../generator/config/check-config.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { emit, type EmitSettings } from '../../../generator/emit/emit.ts';
import { readContract } from '../../../generator/generate.ts';
import {
  frameworks,
  packagesOfFrameworks,
} from '../../../generator/targets/printing/frameworks.ts';
import { resolveTargets, targetNames } from '../../../generator/targets/registry.ts';
import type { TargetEntry } from '../../../generator/targets/target-entry.ts';
import { repository } from '../../targets/emit-project.ts';

let contract: Contract;

beforeAll(async () => {
  const read = await readContract({ ...ownConfig, targets: [] }, repository);
  if (read.contract === undefined) throw new Error('The contract has errors.');
  contract = read.contract;
});

/** Emits without formatting, which these tests do not read. */
async function filesOf(
  targets: readonly TargetEntry[],
  settings: EmitSettings = {},
): Promise<ReadonlyMap<string, string>> {
  const { files } = await emit(
    contract,
    await resolveTargets(targets),
    { scope: '@acme', targets, ...settings },
    { format: (_, text) => Promise.resolve(text) },
  );
  return new Map(files.map(({ path, text }) => [path, text]));
}

function partsOf(files: ReadonlyMap<string, string>): ReadonlySet<string | undefined> {
  const modules = [...files.keys()].filter((path) => path.startsWith('runtime/src/'));
  return new Set(modules.map((path) => path.split('/')[2]));
}

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  readonly version: string;
}

function manifestIn(files: ReadonlyMap<string, string>, folder: string): Manifest {
  return JSON.parse(files.get(`${folder}/package.json`) ?? '') as Manifest;
}

describe('what is written', () => {
  it('says which entries its pages name, and it does not have', async () => {
    const files = await filesOf(['contract', 'client']);
    const signing = files.get('runtime/docs/signing.md') ?? '';
    expect(signing).toMatch(
      /^> Not among the entries of this package, .*`@acme\/runtime\/signing\/jwks`/mu,
    );
    expect(signing).not.toMatch(/^> .*`@acme\/runtime\/signing`/mu);
    const { exports } = manifestIn(files, 'runtime');
    const [, listed = ''] = /^> (.*)$/mu.exec(signing) ?? [];
    for (const [, entry = ''] of signing.matchAll(/'@acme\/runtime\/([\w/-]+)'/gu))
      expect(`./${entry}` in exports || listed.includes(`\`@acme/runtime/${entry}\``)).toBe(true);
  });

  it('is nothing without code that runs it', async () => {
    const files = await filesOf(['contract', 'openapi-types']);
    expect([...files.keys()].filter((path) => path.startsWith('runtime/'))).toEqual([]);
  });

  it('is no receiver, no inbox and no key pairs for a client that signs with a secret', async () => {
    const files = await filesOf(['contract', 'client']);
    expect(partsOf(files)).toEqual(new Set(['base', 'client', 'signing']));
    expect(Object.keys(manifestIn(files, 'runtime').exports)).toEqual([
      './signing',
      './signing/core',
      './client',
      './package.json',
    ]);
    const text = [...files].flatMap(([path, code]) => (path.startsWith('runtime/src') ? code : []));
    expect(text.join('')).not.toMatch(/createVerify\b|createPrivateKey\(|ECDSA/u);
    expect(manifestIn(files, 'runtime').peerDependencies).toBeUndefined();
  });

  it('is no client and no inbox for a receiver, which has no worker then', async () => {
    const files = await filesOf(['contract', 'webhooks', 'webhooks-express']);
    expect(partsOf(files)).toEqual(new Set(['base', 'signing', 'webhooks']));
    expect(files.has('webhooks/src/worker.ts')).toBe(false);
    expect(files.get('webhooks/README.md')).not.toContain('createInbox');
    expect(Object.keys(manifestIn(files, 'runtime').peerDependencies ?? {})).toEqual([
      '@types/node',
    ]);
  });

  it('is no adapter, whose framework is a peer of its own package', async () => {
    const files = await filesOf(targetNames);
    const { peerDependencies = {} } = manifestIn(files, 'runtime');
    expect(Object.keys(peerDependencies)).toEqual(['@types/node']);
    const code = [...files].filter(([path]) => path.startsWith('runtime/src/'));
    expect(code.length).toBeGreaterThan(15);
    for (const name of Object.keys(packagesOfFrameworks))
      expect(
        code.flatMap(([path, text]) => (text.includes(`from '${name}`) ? [path] : [])),
        name,
      ).toEqual([]);
    for (const [name, { peers = {} }] of Object.entries(frameworks))
      expect(manifestIn(files, `webhooks-${name}`).peerDependencies ?? {}).toMatchObject(peers);
  });

  it('has what options ask for', async () => {
    const files = await filesOf([
      'contract',
      {
        use: 'webhooks',
        inbox: ['sqlite'],
        replayStores: ['redis'],
        telemetry: ['open-telemetry'],
        runtime: ['webhooks/client-certificate'],
      },
    ]);
    const { exports, peerDependencies } = manifestIn(files, 'runtime');
    expect(Object.keys(exports).filter((path) => path.startsWith('./inbox'))).toEqual([
      './inbox',
      './inbox/sqlite',
      './inbox/replay/redis',
      './inbox/telemetry',
    ]);
    expect(exports).toHaveProperty(['./webhooks/client-certificate']);
    expect(peerDependencies).toHaveProperty(['@opentelemetry/api']);
    expect(files.has('webhooks/src/worker.ts')).toBe(true);
    expect([...files.keys()].filter((path) => path.includes('/postgres'))).toEqual([]);
    expect(files.get('webhooks/README.md')).toContain("'inbox.db'");
  });

  it('has a consumer and the adapter of an engine only if these are asked for', async () => {
    const partsWith = async (options: object): Promise<readonly string[]> => {
      const files = await filesOf(['contract', { use: 'webhooks', ...options }]);
      expect(files.get('webhooks/README.md')?.includes('createConsumer')).toBe(
        'forward' in options,
      );
      return [...files.keys()].filter((path) =>
        /(?:consumer|engine|serialize|sqs|rabbitmq(?:-\w+)?)\.ts$/u.test(path),
      );
    };
    const partOf = (name: string): string => `runtime/src/webhooks/${name}.ts`;
    const common = [...['consumer', 'serialize'].map(partOf), 'webhooks/src/consumer.ts'];
    expect(await partsWith({})).toEqual([]);
    expect(await partsWith({ inbox: ['sqlite'] })).toEqual([]);
    expect((await partsWith({ forward: ['other'] })).toSorted()).toEqual(common);
    expect((await partsWith({ forward: ['sqs'] })).toSorted()).toEqual(
      [...common, ...['engine', 'sqs'].map(partOf)].toSorted(),
    );
    expect((await partsWith({ forward: ['rabbitmq'] })).toSorted()).toEqual(
      [
        ...common,
        ...['engine', 'rabbitmq', 'rabbitmq-channel', 'rabbitmq-consumer'].map(partOf),
      ].toSorted(),
    );
  });

  it.each<[string, object, RegExp]>([
    ['engine', { forward: ['kafka'] }, /must be `sqs`, `rabbitmq` or `other`/u],
    ['inbox', { inbox: ['mysql'] }, /must be `sqlite` or `postgres`, not "mysql"/u],
    ['replay store', { replayStores: ['memory'] }, /`sqlite`, `postgres` or `redis`/u],
    ['list', { inbox: 'sqlite' }, /must be a list/u],
    ['part', { runtime: ['webhooks/spring'] }, /must be `base`, `signing`/u],
  ])(
    'is not for an unknown %s, which is an error of the configuration',
    async (_, options, why) => {
      const config = { ...ownConfig, targets: ['contract', { use: 'webhooks', ...options }] };
      await expect(checkConfig(config, 'countersign.config.ts')).rejects.toThrow(why);
    },
  );
});

test('each module is the source, below a line with the version of the toolkit', async () => {
  const files = await filesOf(ownConfig.targets);
  const modules = [...files].filter(([path]) => path.startsWith('runtime/src/'));
  expect(modules.length).toBeGreaterThan(10);
  for (const [path, text] of modules) {
    const source = await readFile(
      join(repository, 'packages/runtime', path.slice('runtime/src/'.length)),
      'utf8',
    );
    const [header, rest] = text.split(/\n\n([^]*)/u);
    expect(header).toMatch(/^\/\/ @generated by countersign \d+\.\d+\.\d+ \([0-9a-f]{12}\) — /u);
    expect(rest).toBe(source);
  }
});

test('an adapter is the source, with the name of the runtime, in the package of its framework', async () => {
  const adapters = Object.entries(frameworks)
    .filter(([, { adapter }]) => adapter === true)
    .map(([name]) => `webhooks-${name}`);
  expect(adapters.length).toBeGreaterThan(5);
  const files = await filesOf(ownConfig.targets);
  const folder = await filesOf(ownConfig.targets, { layout: 'folder' });
  for (const target of adapters) {
    const name = target.replace('webhooks-', '');
    const own = join(repository, `packages/runtime/adapters/${name}.ts`);
    const source = await readFile(own, 'utf8');
    const [header, rest] = (files.get(`${target}/src/adapter.ts`) ?? '').split(/\n\n([^]*)/u);
    expect(header).toMatch(/^\/\/ @generated by countersign \d+\.\d+\.\d+ \([0-9a-f]{12}\) — /u);
    expect(rest).toBe(source.replaceAll('@countersign/runtime', '@acme/runtime'));
    expect(manifestIn(files, target).exports).toHaveProperty(['./adapter']);
    expect(folder.get(`${target}/adapter.ts`)).toMatch(/'\.\.\/runtime\/webhooks\//u);
    expect(folder.get(`${target}/adapter.ts`)).not.toMatch(/@acme|@countersign/u);
  }
});

test('no generated package depends on one of the toolkit, except the simulator', async () => {
  const files = await filesOf(targetNames);
  for (const name of [...targetNames, 'runtime']) {
    if (name === 'simulator' || !files.has(`${name}/package.json`)) continue;
    expect(files.get(`${name}/package.json`), name).not.toContain('@countersign/');
  }
  const code = [...files].filter(
    ([path]) => !path.startsWith('simulator/') && !path.startsWith('reference/'),
  );
  expect(
    code.flatMap(([path, text]) => (/from ['"]@countersign\//u.test(text) ? [path] : [])),
  ).toEqual([]);
  const { version } = manifestIn(files, 'runtime');
  expect(manifestIn(files, 'client').dependencies).toEqual({
    '@acme/contract': manifestIn(files, 'contract').version,
    '@acme/runtime': version,
  });
});

test('the licence is that of the toolkit, whatever that of the contract is', async () => {
  const targets = ['contract', 'client', 'webhooks', 'webhooks-hono'];
  const own = await readFile(join(repository, 'packages/runtime/LICENSE'), 'utf8');
  const files = await filesOf(targets, { license: 'Apache-2.0' });
  expect(manifestIn(files, 'client').license).toBe('Apache-2.0');
  expect(manifestIn(files, 'webhooks-hono').license).toBe('Apache-2.0 AND MIT');
  expect(manifestIn(files, 'runtime').license).toBe('MIT');
  expect(files.get('runtime/LICENSE')).toBe(own);
  expect(files.get('webhooks-hono/src/LICENSE')).toBe(own);
  const folder = await filesOf(targets, { layout: 'folder' });
  expect(folder.get('runtime/LICENSE')).toBe(own);
  expect(folder.get('webhooks-hono/LICENSE')).toBe(own);
});

test.each([
  ['MIT', 'MIT'],
  ['MIT OR Apache-2.0', '(MIT OR Apache-2.0) AND MIT'],
  ['GPL-3.0-only WITH GCC-exception-3.1', 'GPL-3.0-only WITH GCC-exception-3.1 AND MIT'],
  ['UNLICENSED', 'UNLICENSED'],
  ['SEE LICENSE IN TERMS', 'SEE LICENSE IN TERMS'],
])('beside an adapter of the toolkit, the licence %s becomes %s', async (license, combined) => {
  const targets = ['contract', 'webhooks', 'webhooks-hono', 'webhooks-node'];
  const files = await filesOf(targets, { license });
  expect(manifestIn(files, 'webhooks-hono').license).toBe(combined);
  // The servers of Node need no adapter of their own.
  expect(manifestIn(files, 'webhooks-node').license).toBe(license);
});

test.each(['.ts', '.js'] as const)(
  'in a folder, imports are relative and end with %s',
  async (importExtension) => {
    const files = await filesOf(['contract', 'client'], { layout: 'folder', importExtension });
    expect(files.get('client/connection.ts')).toContain(
      `"../runtime/signing/core${importExtension}"`,
    );
    const modules = [...files].filter(([path]) => /^runtime\/.*\.ts$/u.test(path));
    expect(modules.length).toBeGreaterThan(5);
    const specifiers = modules.flatMap(([, text]) =>
      Array.from(
        text.matchAll(/^(?:import|export|\}).* from '(\.[^']+)';$/gmu),
        ([, to = '']) => to,
      ),
    );
    expect(specifiers.length).toBeGreaterThan(5);
    expect(specifiers.filter((specifier) => !specifier.endsWith(importExtension))).toEqual([]);
  },
);

test('a target from outside cannot have the name of the runtime', async () => {
  const target = { name: 'runtime', requires: [], fingerprint: [], emit: () => [] };
  await expect(resolveTargets([target])).rejects.toThrow(/"runtime" is the package/u);
});
