import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The fenced TypeScript blocks of a page, in order. */
async function codeBlocks(path: string): Promise<readonly string[]> {
  const text = await readFile(join(root, path), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** A folder that finds the packages of this workspace, and the toolkit from source. */
async function workspaceFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(root, 'generator'), join(folder, 'node_modules/countersign'));
  const scoped = await readdir(join(root, 'node_modules'));
  for (const name of scoped.filter((entry) =>
    ['@countersign', '@instant-payment'].includes(entry),
  )) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

describe("the toolkit's page", () => {
  it('shows a configuration with which generate works', async () => {
    const [config = ''] = await codeBlocks('generator/README.md');
    const folder = await workspaceFolder();
    await mkdir(join(folder, 'api'));
    const titled = 'info: { title: Shown, version: 1.0.0 }\n';
    await writeFile(join(folder, 'api/openapi.yaml'), `openapi: 3.1.1\n${titled}paths: {}\n`);
    await writeFile(join(folder, 'api/asyncapi.yaml'), `asyncapi: 3.0.0\n${titled}`);
    await writeFile(join(folder, 'countersign.config.ts'), config);
    const cli = join(root, 'generator/cli.ts');
    await run(process.execPath, ['--conditions=countersign-source', cli, 'generate'], {
      cwd: folder,
    });
    expect(await readdir(join(folder, 'generated'))).toContain('contract');
  });

  it('shows a target that works', async () => {
    const [, target = ''] = await codeBlocks('generator/README.md');
    const folder = await workspaceFolder();
    await writeFile(
      join(folder, 'countersign.config.ts'),
      `${target}
export default { contract: { openapi: 'openapi.yaml' }, scope: '@x', output: 'out', targets: [titles] };
`,
    );
    await writeFile(
      join(folder, 'openapi.yaml'),
      'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\ncomponents: { schemas: { loan_state: { type: string } } }\n',
    );
    await run(process.execPath, [join(root, 'generator/cli.ts'), 'generate'], { cwd: folder });
    expect(JSON.parse(await readFile(join(folder, 'out/titles/titles.json'), 'utf8'))).toEqual([
      'LoanState',
    ]);
  });

  it('lists every target', async () => {
    const page = await readFile(join(root, 'generator/README.md'), 'utf8');
    const [, section = ''] = /^## Targets\n(.*?)^## /ms.exec(page) ?? [];
    const { targetNames } = await import('../../generator/targets/registry.ts');
    const listed = [...section.matchAll(/(?<=^- |, )`([a-z\d-]+)`/gm)];
    expect(
      listed.map(([, name]) => name),
      'list every target of registry.ts in its order',
    ).toEqual(targetNames);
  });

  it('lists every command', async () => {
    const page = await readFile(join(root, 'generator/README.md'), 'utf8');
    const { commands } = await import('../../generator/cli/commands.ts');
    const listed = Array.from(page.matchAll(/^\| `countersign ([a-z]+)/gm), ([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(commands.map(({ name }) => name)));
  });

  it('lists exactly the keys of the vocabulary and of the configuration', async () => {
    const page = await readFile(join(root, 'generator/README.md'), 'utf8');
    const { vocabulary } = await import('../../generator/contract/vocabulary/vocabulary.ts');
    const { arazzoVocabulary } = await import('../../generator/load/validate/check-arazzo.ts');
    const listed = [...page.matchAll(/`(x-[a-z-]+)`/g)].map(([, key]) => key);
    const keys = [vocabulary, ...Object.values(arazzoVocabulary)].flatMap(Object.keys);
    expect(new Set(listed)).toEqual(new Set(keys.filter((key) => key !== 'x-countersign')));
  });
});

describe('the first page', () => {
  it('has a receiver whose handler gets a delivery', async () => {
    const [example = ''] = await codeBlocks('README.md');
    const folder = await workspaceFolder();
    await symlink(join(root, 'node_modules/express'), join(folder, 'node_modules/express'));
    await writeFile(join(folder, 'app.ts'), example);
    await writeFile(
      join(folder, 'main.ts'),
      `import { deliver } from '@instant-payment/webhooks-express/testing';
import { app, customers } from './app.ts';

const server = app.listen(0, '127.0.0.1', async () => {
  const url = \`http://127.0.0.1:\${server.address().port}/webhooks\`;
  for (const secret of ['secret', 'wrong']) {
    const headers = { 'x-webhook-secret': secret };
    const { status } = await fetch(await deliver('customer', { url, headers }));
    console.log(status, customers.length);
  }
  server.close();
});
`,
    );
    const { stdout } = await run(
      process.execPath,
      ['--conditions=countersign-source', '--no-warnings', 'main.ts'],
      { cwd: folder, env: { ...process.env, WEBHOOK_SECRET: 'secret' } },
    );
    expect(stdout).toBe('200 1\n401 1\n');
  });

  it('states its purpose in at most four sentences before a receiver', async () => {
    const page = await readFile(join(root, 'README.md'), 'utf8');
    const [, start = ''] = /^# Countersign\n\n(.*?)\n```ts\n/su.exec(page) ?? [];
    expect(start).toContain('receivers');
    expect(start.match(/\.(?=\s)/gu)?.length).toBeLessThanOrEqual(4);
  });

  it('shows what the simulator prints for a wrong signature, as the guide does', async () => {
    const [page, guide] = await Promise.all(
      ['README.md', 'docs/guides/local-development.md'].map((name) =>
        readFile(join(root, name), 'utf8'),
      ),
    );
    const [, transcript] = /```text\n([^]*?)```/u.exec(page ?? '') ?? [];
    expect(transcript).toContain('The signature is wrong');
    // `local-development.all.test.ts` compares the guide with what is printed.
    expect(guide).toContain(transcript);
  });
});

it.each(['packages/simulator/README.md', 'docs/architecture.md'])(
  'names the share of schemas with samples that the corpus has: %s',
  async (page) => {
    const corpus = await readFile(join(root, 'docs/corpus.md'), 'utf8');
    const count = (row: string): number =>
      Number(new RegExp(`^\\| ${row} +\\| ([\\d,]+)`, 'mu').exec(corpus)?.[1]?.replaceAll(',', ''));
    const share = ((100 * count('— samples made')) / count('schemas')).toFixed(1);
    expect(Number(share)).toBeGreaterThan(90);
    expect(await readFile(join(root, page), 'utf8')).toContain(`${share} % of the schemas`);
  },
);

describe('the pages of the repository', () => {
  it.each(['README.md', 'CONTRIBUTING.md'])(
    'name only scripts that there are: %s',
    async (page) => {
      const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
        scripts: object;
      };
      const text = await readFile(join(root, page), 'utf8');
      const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !(name in scripts))).toEqual([]);
    },
  );
});

it('the README links every framework', async () => {
  const { frameworkNames } = await import('../../generator/targets/printing/frameworks.ts');
  const page = await readFile(join(root, 'README.md'), 'utf8');
  const linked = page.matchAll(/\(generated\/webhooks-([^/]+)\/README\.md\)/gu);
  expect(new Set(Array.from(linked, ([, name]) => name))).toEqual(new Set(frameworkNames));
});

it('the pages name the Node that each package.json requires', async () => {
  const engines = async (folder: string): Promise<string> => {
    const manifest = await readFile(join(root, folder, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { engines: { node: string } }).engines.node;
  };
  const page = await readFile(join(root, 'docs/compatibility.md'), 'utf8');
  const named = Array.from(page.matchAll(/^\|.*\| `((?:\^|>=)\d.*?)`/gmu), ([, range = '']) =>
    range.replaceAll('\\', ''),
  ).slice(0, 3);
  const folders = (await readdir(join(root, 'generated'))).filter(
    (name) => name !== 'simulator' && existsSync(join(root, 'generated', name, 'package.json')),
  );
  const generated = await Promise.all(folders.map((name) => engines(`generated/${name}`)));
  // It requires the toolkit.
  expect(await engines('generated/simulator')).toBe(named[1]);
  expect(new Set([...generated, await engines('packages/runtime')])).toEqual(new Set([named[2]]));
  expect(named).toEqual([await engines('.'), await engines('generator'), named[2]]);
  const toolkit = await readFile(join(root, 'generator/README.md'), 'utf8');
  expect(toolkit).toContain(`requires Node \`${named[1]}\``);
  expect(toolkit).toContain(`generates require Node \`${named[2]}\``);
});

describe('the page of @instant-payment/contract', () => {
  it('has an example that runs', async () => {
    const [example = ''] = await codeBlocks('generated/contract/README.md');
    const folder = await workspaceFolder();
    await writeFile(join(folder, 'example.ts'), example);
    const { stdout } = await run(
      process.execPath,
      ['--conditions=countersign-source', 'example.ts'],
      { cwd: folder },
    );
    expect(stdout).toContain('type must be of type object');
  });
});

it('has no block that no test runs', async () => {
  const page = await readFile(join(root, 'README.md'), 'utf8');
  const blocks = Array.from(page.matchAll(/^```\w+\n([^]*?)^```$/gmu), ([, text = '']) => text);
  const shown = page.slice(page.indexOf('## Use it in your project'));
  const inProject = blocks.filter((block) => shown.includes(block));
  // A new block is run by a test of its part of the page, and then counted here.
  expect(blocks.length - inProject.length).toBe(4);
  expect(inProject.map((block) => block.split('\n')[0])).toEqual([
    // `first-page.all.test.ts` installs what is packed, and follows the rest with it.
    expect.stringMatching(/^npm init --yes$/u),
    expect.stringMatching(/^# api\//u),
    expect.stringMatching(/^npx countersign init /u),
    expect.stringMatching(/^\/\/ src\//u),
    expect.stringMatching(/^\/\/ in src\//u),
    expect.stringMatching(/^WEBHOOK_SECRET=\S+ node /u),
    expect.stringMatching(/^WEBHOOK_SECRET=\S+ npx countersign send /u),
  ]);
});

it('goes from a contract to a handled notification: "Use it in your project"', async () => {
  const page = await readFile(join(root, 'README.md'), 'utf8');
  const [, section = ''] = /^## Use it in your project\n(.*?)^## /ms.exec(page) ?? [];
  const folder = await workspaceFolder();
  const port = await freePort();
  const files = section.matchAll(/^```\w+\n(?:#|\/\/) (\S+)\n([^]*?)^```$/gmu);
  for (const [, path = '', text = ''] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text.replace('3000', String(port)));
  }
  const source = '--conditions=countersign-source';
  const countersign = [source, join(root, 'generator/cli.ts')] as const;
  const [, sent = ''] = /npx countersign (send .*)$/mu.exec(section) ?? [];
  const [, secret = '', main = ''] = /^WEBHOOK_SECRET=(\S+) node (\S+)$/mu.exec(section) ?? [];
  expect(section).toContain(`WEBHOOK_SECRET=${secret} npx countersign send `);
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const [, init = ''] = /npx countersign (init .*)$/mu.exec(section) ?? [];
  await run(process.execPath, [...countersign, ...init.split(' ')], { cwd: folder });
  const start = () =>
    spawn(process.execPath, [source, main], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 50_000,
    });
  const words = sent.replace('3000', String(port)).split(' ');
  const send = (): Promise<string> =>
    run(process.execPath, [...countersign, ...words], { cwd: folder, env }).then(
      ({ stdout }) => {
        const [, promised = ''] = /names the handler, `(.*?)`/u.exec(section) ?? [];
        return /^handler +(\S+)$/mu.exec(stdout)?.[1] === promised ? 'sent' : stdout;
      },
      ({ stdout }: { readonly stdout: string }) =>
        /^answered +(\d+)/mu.exec(stdout)?.[1] ?? 'failed',
    );
  const unwritten = start();
  try {
    const logged = once(unwritten.stderr, 'data');
    await expect.poll(send, { timeout: 30_000, interval: 200 }).toBe('500');
    const [, promised = ''] = /logs `(.*?)`/u.exec(section) ?? [];
    expect(promised).toContain('not-written');
    expect(String((await logged)[0])).toContain(promised);
  } finally {
    unwritten.kill();
    await once(unwritten, 'exit');
  }
  const receiver = join(folder, 'src/webhooks.ts');
  const [, handlers = ''] = /^```ts\n\/\/ in src\/webhooks.ts\n([^]*?)^```$/mu.exec(section) ?? [];
  const text = await readFile(receiver, 'utf8');
  expect(text).toContain('  on: {},\n');
  await writeFile(receiver, text.replace('  on: {},\n', handlers));
  const application = start();
  try {
    const printed = once(application.stdout, 'data');
    await expect.poll(send, { timeout: 30_000, interval: 200 }).toBe('sent');
    const [, promised = ''] = /It prints `(.*?)`/u.exec(section) ?? [];
    expect(promised).toContain('order-1');
    expect(String((await printed)[0])).toContain(promised);
  } finally {
    application.kill();
  }
});
