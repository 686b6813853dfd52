import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { contentHash } from '../../generator/execution/content-hash.ts';
import { toolkitVersion } from '../../generator/execution/toolkit.ts';
import { asyncapi, openapi } from '../select/library.ts';
import { createProject, type Run } from './project.ts';
import { runInProcess } from './run-in-process.ts';

interface Library {
  readonly folder: string;
  configure(config: Partial<Config>): Promise<void>;
  run(command: 'check' | 'generate'): Promise<Run>;
}

async function generateLibrary(config: Partial<Config>): Promise<Library> {
  const textOf = (changed: Partial<Config>): string =>
    JSON.stringify({
      contract: { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' },
      targets: ['contract', 'client'],
      output: 'generated',
      ...config,
      ...changed,
    });
  const { folder } = await createProject({
    'openapi.yaml': openapi,
    'asyncapi.yaml': asyncapi,
    'package.json': '{ "type": "module" }',
    'library.json': textOf({}),
  });
  const run = async (command: 'check' | 'generate'): Promise<Run> =>
    runInProcess(folder, [command, '--config', 'library.json']);
  expect((await run('generate')).code).toBe(0);
  return {
    folder,
    configure: (changed) => writeFile(join(folder, 'library.json'), textOf(changed)),
    run,
  };
}

/** Makes a module what another version of the toolkit wrote. */
async function makeOlder(folder: string, module: string, version = '0.0.9'): Promise<void> {
  const path = join(folder, 'generated', module);
  const text = (await readFile(path, 'utf8')).replace(
    / countersign \S+ \(\w+\)/u,
    ` countersign ${version} (0)`,
  );
  expect(text).toContain(`countersign ${version} (0)`);
  await writeFile(path, text);
  const manifestPath = join(folder, 'generated/.manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as {
    sha256: Record<string, string>;
  };
  expect(manifest.sha256).toHaveProperty([module]);
  manifest.sha256[module] = contentHash(text);
  await writeFile(manifestPath, JSON.stringify(manifest, null, 2));
}

const packages = { scope: '@books', version: '1.4.0' };
const module = 'runtime/src/client/call.ts';
const otherRuntime = 'generated/runtime: has code of countersign 0.0.9, older than this toolkit, ';

describe('a runtime of another version of the toolkit', () => {
  it('is found by check and replaced by generate, which names its unchanged version', async () => {
    const { folder, run } = await generateLibrary(packages);
    const current = await readFile(join(folder, 'generated', module), 'utf8');
    await makeOlder(folder, module);
    const found = await run('check');
    expect(found.code).toBe(1);
    expect(found.out).toContain(`out of date  generated/${module}\n`);
    expect(found.out).toContain(otherRuntime);
    const done = await run('generate');
    expect(done.out).toContain(`updated  generated/${module}\n`);
    expect(done.out).toContain('its package is still 1.4.0: publish it with another version');
    expect(await readFile(join(folder, 'generated', module), 'utf8')).toBe(current);
    expect((await run('generate')).out).toBe('generated: up to date\n');
    expect((await run('check')).code).toBe(0);
  });

  it('is replaced without a word if the version changes with it', async () => {
    const { folder, configure, run } = await generateLibrary(packages);
    await makeOlder(folder, module);
    await configure({ version: '1.4.1' });
    const { code, out } = await run('generate');
    expect(code).toBe(0);
    expect(out).not.toContain('publish it');
  });

  it('has the version that another tool keeps on disk', async () => {
    const { folder, run } = await generateLibrary({ ...packages, version: 'changesets' });
    const path = join(folder, 'generated/runtime/package.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/"version": "[^"]+"/u, '"version": "3.2.1"'));
    expect((await run('generate')).out).not.toContain('publish it');
    await makeOlder(folder, module);
    expect((await run('generate')).out).toContain('its package is still 3.2.1');
    const client = await readFile(join(folder, 'generated/client/package.json'), 'utf8');
    expect(JSON.parse(client)).toMatchObject({ dependencies: { '@books/runtime': '3.2.1' } });
  });

  it('has no version to change in a folder', async () => {
    const inFolder = 'runtime/client/call.ts';
    const { folder, run } = await generateLibrary({ layout: 'folder' });
    await makeOlder(folder, inFolder);
    expect((await run('check')).out).toContain(otherRuntime);
    const { out } = await run('generate');
    expect(out).toContain(`updated  generated/${inFolder}\n`);
    expect(out).not.toContain('publish it');
  });
});

it('a runtime of a newer toolkit is not replaced by an older one without a warning', async () => {
  const { folder, run } = await generateLibrary(packages);
  await makeOlder(folder, module, '99.0.0');
  const { out } = await run('check');
  expect(out).toContain('generated/runtime: has code of countersign 99.0.0, newer than this');
  expect(out).toContain('generated/runtime: install countersign 99.0.0 before you generate\n');
});

it('a runtime of the same version with another text is neither older nor newer', async () => {
  const { folder, run } = await generateLibrary(packages);
  await makeOlder(folder, module, toolkitVersion());
  const { out } = await run('check');
  expect(out).toContain('generated/runtime: differs from the code that this toolkit, ');
  expect(out).not.toMatch(/older|newer/u);
});

it('an adapter has the version of the toolkit in its own package', async () => {
  const targets = ['contract', 'webhooks', 'webhooks-hono'];
  const { folder, run } = await generateLibrary({ ...packages, targets });
  await makeOlder(folder, 'webhooks-hono/src/adapter.ts');
  const { out } = await run('check');
  expect(out).toContain('generated/webhooks-hono: has code of countersign 0.0.9, older than this');
  expect(out).not.toContain('generated/runtime: has');
  const done = await run('generate');
  expect(done.out).toContain('in webhooks-hono has changed, and its package is still 1.4.0');
});

it('an edited module of the runtime is reported as every edited file', async () => {
  const { folder, run } = await generateLibrary(packages);
  const path = join(folder, 'generated', module);
  const current = await readFile(path, 'utf8');
  await writeFile(path, `${current}// A repair.\n`);
  const found = await run('check');
  expect(found.code).toBe(1);
  expect(found.out).toContain(`edited by hand  generated/${module}\n`);
  expect(found.out).not.toContain(otherRuntime);
  const done = await run('generate');
  expect(done.out).toContain(`replaced an edited file  generated/${module}\n`);
  expect(done.out).not.toContain('publish it');
  expect(await readFile(path, 'utf8')).toBe(current);
});
