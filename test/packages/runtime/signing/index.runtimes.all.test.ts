import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignatureScheme } from '../../../../packages/runtime/signing/index.ts';
import {
  createTestVectors,
  type VectorRequest,
} from '../../../../packages/runtime/signing/test-vectors.ts';
import { install } from '../../../packaging/project.ts';
import { now, readOwnScheme, readScheme, vendors } from './read-scheme.ts';
import { base, body, key, refusals } from './refused-requests.ts';
import type { RuntimeCase, RuntimeReport } from './runtime-suite.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const runtimes = join(root, 'test/runtimes');
const suite = join(import.meta.dirname, 'runtime-suite.ts');
const folder = await mkdtemp(join(tmpdir(), 'countersign-runtimes-'));
const installed = join(folder, 'node_modules/@countersign/runtime');

beforeAll(async () => {
  await install(runtimes);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'packages/runtime') });
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const cases = JSON.stringify(await toCases());
  await writeFile(join(folder, 'cases.js'), `export const cases = ${cases};`);
  const shared = {
    bundle: true,
    format: 'esm' as const,
    nodePaths: [join(folder, 'node_modules')],
  };
  await build({
    ...shared,
    entryPoints: [suite],
    outfile: join(folder, 'suite.js'),
    packages: 'external',
  });
  await writeFile(
    join(folder, 'main.js'),
    `import { cases } from './cases.js';
import { runSuite } from './suite.js';
console.log(JSON.stringify(await runSuite(cases)));`,
  );
  await writeFile(
    join(folder, 'worker-entry.js'),
    `import { cases } from './cases.js';
import { runSuite } from './suite.js';
export default { async test() { console.log(JSON.stringify(await runSuite(cases))); } };`,
  );
  for (const [entry, outfile, js] of [
    ['worker-entry.js', 'worker.js', ''],
    ['main.js', 'without-node.js', 'globalThis.process.getBuiltinModule = undefined;'],
  ] as const)
    await build({
      ...shared,
      entryPoints: [join(folder, entry)],
      outfile: join(folder, outfile),
      platform: 'neutral',
      conditions: ['workerd', 'worker', 'browser'],
      banner: { js },
    });
  await writeFile(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
))]);`,
  );
}, 600_000);

afterAll(() => rm(folder, { recursive: true }));

/** What each runtime does with the vectors of every scheme and with what a hostile sender writes. */
async function toCases(): Promise<readonly RuntimeCase[]> {
  const schemes = await Promise.all([readOwnScheme(), ...vendors.map(readScheme)]);
  const cases = await Promise.all(schemes.map(toVectorCases));
  return [
    ...cases.flat(),
    ...refusals.map(([name, headers, reason]) => ({
      name,
      scheme: base,
      keys: [key],
      clock: now,
      request: { method: 'POST', url: '/', headers, body: [...new TextEncoder().encode(body)] },
      verified: { ok: false, reason },
    })),
  ];
}

async function toVectorCases(scheme: SignatureScheme): Promise<readonly RuntimeCase[]> {
  const { key, clock, authentic, refused, ambiguous } = await createTestVectors(scheme);
  const other = scheme.key.encoding === 'utf-8' ? 'another key' : 'BBBB';
  const common = { scheme, keys: [other, key], clock };
  const time = scheme.timestamp === undefined ? {} : { timestamp: clock };
  const added = (headers: VectorRequest['headers']): object =>
    Object.fromEntries(
      [scheme.timestamp?.header, scheme.header].flatMap((name) =>
        name === undefined ? [] : [[name, headers[name]]],
      ),
    );
  return [
    ...authentic.map(({ name, request }) => ({
      ...common,
      name: `${scheme.header}: ${name}`,
      request: toRequest(request),
      signed: added(request.headers),
      verified: { ok: true, key: 1, ...time },
    })),
    ...refused.map(({ name, request, reason }) => ({
      ...common,
      name: `${scheme.header}: ${name}`,
      request: toRequest(request),
      verified: { ok: false, reason },
    })),
    ...ambiguous.map(({ name, request }) => ({
      ...common,
      name: `${scheme.header}: ${name}`,
      request: toRequest(request),
      signed: 'ambiguous-framing',
      verified: { ok: false, reason: 'missing-signature' },
    })),
  ];
}

function toRequest(request: VectorRequest): RuntimeCase['request'] {
  return {
    ...request,
    headers: Object.entries(request.headers),
    body: [...Buffer.from(request.body, 'base64')],
  };
}

/** A binary that a platform's own npm package carries. */
function binary(pattern: string): string {
  const [path] = globSync(join(runtimes, 'node_modules', pattern));
  if (path === undefined) throw new Error(`No runtime at ${pattern}.`);
  return path;
}

/** A runtime, what runs the suite on it, and whether that is done by WebCrypto. */
const commands: readonly (readonly [
  string,
  () => readonly [string, readonly string[]],
  boolean,
])[] = [
  ['Node of this repository', () => [process.execPath, ['main.js']], false],
  ['Node 22', () => [node22(), ['main.js']], false],
  ['Node 22, by WebCrypto,', () => [node22(), ['without-node.js']], true],
  ['Bun', () => [bun(), ['main.js']], false],
  ['Bun, by WebCrypto,', () => [bun(), ['without-node.js']], true],
  ['Deno', () => [deno(), [...denoFlags, 'main.js']], false],
  ['Deno, by WebCrypto,', () => [deno(), [...denoFlags, 'without-node.js']], true],
  [
    'workerd, without the compatibility layer for Node,',
    () => [binary('@cloudflare/workerd-*/bin/workerd'), ['test', 'config.capnp']],
    true,
  ],
];

const node22 = (): string => binary('node-*/bin/node');
const bun = (): string => binary('@oven/bun-*/bin/bun');
const deno = (): string => binary('@deno/*/deno');
const denoFlags = ['run', '--no-remote', '--allow-read'];

test.each(commands)(
  '%s signs, verifies and refuses as it should',
  async (_, command, asynchronous) => {
    const [file, args] = command();
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const { stdout } = await run(file, args, { cwd: folder, env });
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as RuntimeReport;
    expect(report).toEqual({ run: expect.any(Number) as number, failures: [], asynchronous });
    expect(report.run).toBeGreaterThan(200);
  },
);

test('a Worker gets a module that imports nothing', async () => {
  const bundle = await readFile(join(folder, 'worker.js'), 'utf8');
  expect(bundle).toContain('crypto.subtle');
  expect(/\brequire\(|\bimport\b/.exec(bundle)?.[0]).toBeUndefined();
});
