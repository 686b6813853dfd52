import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { frameworks } from '../../generator/scaffold/frameworks.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, type Tree, writeTree } from '../output/tree.ts';
import { mangled } from '../scaffold/mangled.ts';
import { describeParcels } from '../scaffold/parcels.ts';
import type { Run } from './project.ts';
import { runInProcess } from './run-in-process.ts';

interface Project {
  readonly folder: string;
  readonly scaffold: (...parameters: readonly string[]) => Promise<Run>;
}

const config = {
  contract: { asyncapi: 'asyncapi.json' },
  scope: '@parcels',
  output: 'generated',
  targets: ['contract', 'webhooks', 'webhooks-node', 'webhooks-express', 'webhooks-cloudflare'],
};

async function createProject(tree: Tree = {}): Promise<Project> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'asyncapi.json': JSON.stringify(describeParcels()),
    'countersign.config.json': JSON.stringify(config),
    ...tree,
  });
  return {
    folder,
    scaffold: (...parameters) => runInProcess(folder, ['scaffold', ...parameters]),
  };
}

/** A project with a mangled application in its folder `receiver`. */
async function createMangled(name: string): Promise<Project> {
  const project = await createProject();
  await cp(join(mangled, name, 'before'), join(project.folder, 'receiver'), { recursive: true });
  return project;
}

describe('countersign scaffold', () => {
  it('writes an application and says what it is and what comes next', async () => {
    const { folder, scaffold } = await createProject();
    const { code, out } = await scaffold('express', 'apps/receiver');
    expect(code).toBe(0);
    const tree = await readTree(join(folder, 'apps/receiver'));
    const files = Object.keys(tree);
    expect(files).toEqual(
      expect.arrayContaining(['.env.example', 'README.md', 'src/handlers/lost.ts', 'src/main.ts']),
    );
    const lines = out.split('\n');
    expect(lines.slice(0, files.length).toSorted()).toEqual(
      files.map((path) => `created  apps/receiver/${path}`).toSorted(),
    );
    expect(lines.slice(files.length)).toEqual([
      `apps/receiver: ${files.length} files written, for Express 5`,
      expect.stringMatching(/^The contract does not state how a delivery proves/),
      'next, in apps/receiver: npm install, cp .env.example .env, npm test',
      '',
    ]);
    expect(JSON.parse(tree['package.json'] ?? '')).toMatchObject({
      name: 'receiver',
      dependencies: { '@parcels/webhooks-express': '^2.0.0' },
    });
  });

  it('explains itself', async () => {
    const { scaffold } = await createProject();
    const { code, out } = await scaffold('--help');
    expect(code).toBe(0);
    for (const { name } of frameworks) expect(out).toContain(name);
    for (const text of ['<framework> <dir>', '--dry-run', '--authenticate', 'Examples:'])
      expect(out).toContain(text);
  });

  it('touches nothing when it is run again', async () => {
    const { folder, scaffold } = await createProject();
    await scaffold('node', 'receiver');
    const before = await readTree(folder);
    expect(await scaffold('node', 'receiver')).toMatchObject({
      code: 0,
      out: 'receiver: nothing to add\n',
    });
    expect(await readTree(folder)).toEqual(before);
  });

  it('adds what the contract has got since', async () => {
    const { folder, scaffold } = await createProject();
    const kinds = ['created', 'moved', 'returned'];
    await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels({ kinds })) });
    await scaffold('node', 'receiver');
    const before = await readTree(join(folder, 'receiver'));
    await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels()) });
    const { code, out } = await scaffold('node', 'receiver');
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'created  receiver/src/handlers/lost.ts',
        'updated  receiver/src/webhooks.ts',
        'receiver: 1 handler added',
        '',
      ].join('\n'),
    });
    const after = await readTree(join(folder, 'receiver'));
    const { 'src/handlers/lost.ts': added, 'src/webhooks.ts': text, ...others } = after;
    const { 'src/webhooks.ts': old, ...same } = before;
    expect(others).toEqual(same);
    expect(added).toContain('export function onLost(event: LostEvent');
    expect(text?.replaceAll(/.*onLost.*\n/gu, '')).toBe(old);
  });

  it.each(['crlf', 'bom', 'one-line', 'no-trailing-comma', 'tabs', 'worker'])(
    'shows as a diff what it would do, and the diff does it: %s',
    async (name) => {
      const { folder, scaffold } = await createMangled(name);
      const receiver = join(folder, 'receiver');
      const framework = name === 'worker' ? 'cloudflare' : 'node';
      const before = await readTree(receiver);
      const { code, out } = await scaffold(framework, 'receiver', '--dry-run');
      expect(code).toBe(0);
      expect(await readTree(receiver)).toEqual(before);
      await writeTree(folder, { 'change.diff': out });
      const apply = ['apply', '--whitespace=nowarn', join(folder, 'change.diff')];
      await promisify(execFile)('git', apply, { cwd: receiver });
      expect(await readTree(receiver)).toEqual(await readTree(join(mangled, name, 'after')));
    },
  );

  it('shows a new application as a diff as well', async () => {
    const { folder, scaffold } = await createProject();
    const { out } = await scaffold('node', 'receiver', '--dry-run');
    const copy = await temporaryFolder();
    await writeTree(folder, { 'change.diff': out });
    await promisify(execFile)('git', ['apply', join(folder, 'change.diff')], { cwd: copy });
    await scaffold('node', 'receiver');
    expect(await readTree(copy)).toEqual(await readTree(join(folder, 'receiver')));
  });

  it('tells machines the same', async () => {
    const { scaffold } = await createMangled('removed-notification');
    const { code, out } = await scaffold('node', 'receiver', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      command: 'scaffold',
      ok: true,
      results: [
        {
          folder: 'receiver',
          framework: 'node',
          status: 'grown',
          created: [],
          updated: [],
          removed: [{ name: 'sold', place: { path: 'src/webhooks.ts', line: 13, column: 5 } }],
        },
      ],
    });
  });

  it('reports handlers of removed notifications and deletes none', async () => {
    const { folder, scaffold } = await createMangled('removed-notification');
    const before = await readTree(folder);
    expect((await scaffold('node', 'receiver')).out).toBe(
      [
        'receiver: nothing to add',
        'receiver/src/webhooks.ts:13:5: the contract no longer has sold; remove its handler by hand',
        '',
      ].join('\n'),
    );
    expect(await readTree(folder)).toEqual(before);
  });

  it('leaves to `otherwise` what it takes, and says so', async () => {
    const { scaffold } = await createMangled('rest');
    expect((await scaffold('node', 'receiver')).out).toContain(
      'receiver/src/webhooks.ts:6:7: `otherwise` takes what has no handler here: moved, lost, returned (--all adds handlers)',
    );
    expect((await scaffold('node', 'receiver', '--all')).out).toContain('3 handlers added');
  });

  it('says where it cannot read an application, writes nothing and shows what to add by hand', async () => {
    const { folder, scaffold } = await createMangled('handlers-from-elsewhere');
    const before = await readTree(folder);
    const { code, out, error } = await scaffold('node', 'receiver', '--quiet');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toBe(
      [
        'countersign: receiver/src/webhooks.ts:6:12: what is spread into `on`: comes from "@depot/handlers", which is no file of this folder',
        'Nothing was written.',
        'Add by hand, to `on`, what it does not have yet of (types are from @parcels/webhooks-node):',
        '',
        '  created(event: CreatedEvent, context: DeliveryContext): void {},',
        '  moved(event: MovedEvent, context: DeliveryContext): void {},',
        '  lost(event: LostEvent, context: DeliveryContext): void {},',
        '  returned(event: ReturnedEvent, context: DeliveryContext): void {},',
        '',
      ].join('\n'),
    );
    expect(await readTree(folder)).toEqual(before);
  });

  it('names every line that does not parse', async () => {
    const { scaffold } = await createMangled('syntax-error');
    const { code, error } = await scaffold('node', 'receiver', '--quiet');
    expect(code).toBe(1);
    expect(error).toBe(
      [
        "countersign: receiver/src/handlers/created.ts:4:48: does not parse: ')' expected.",
        '  receiver/src/webhooks.ts:8:24: does not parse: Property assignment expected.',
        'Nothing was written.',
        '',
      ].join('\n'),
    );
  });

  it('overwrites no project that is no application of its own', async () => {
    const { folder, scaffold } = await createProject({
      'receiver/package.json': '{ "name": "mine" }',
      'receiver/src/index.ts': 'export {};\n',
    });
    const before = await readTree(folder);
    const { code, error } = await scaffold('node', 'receiver', '--quiet');
    expect(code).toBe(1);
    expect(error).toContain(
      'receiver/package.json:1:1: is in the way of a new application, and nothing here calls createWebhooksListener of @parcels/webhooks-node\nNothing was written.\nAdd by hand',
    );
    expect(await readTree(folder)).toEqual(before);
  });

  it('writes beside what is not in its way', async () => {
    const { folder, scaffold } = await createProject({ 'receiver/LICENSE': 'mine\n' });
    await mkdir(join(folder, 'receiver/.git'));
    expect((await scaffold('node', 'receiver')).code).toBe(0);
    expect(await readFile(join(folder, 'receiver/LICENSE'), 'utf8')).toBe('mine\n');
  });

  it('says which line the configuration lacks', async () => {
    const { folder, scaffold } = await createProject({
      'countersign.config.json': JSON.stringify({ ...config, targets: ['contract', 'webhooks'] }),
    });
    const { code, error } = await scaffold('express', 'receiver', '--quiet');
    expect({ code, error }).toEqual({
      code: 1,
      error: [
        `countersign: ${join(folder, 'countersign.config.json')} does not generate what the application receives with. Write there`,
        '',
        "  targets: ['contract', 'webhooks', 'webhooks-express'],",
        '',
        'and run `countersign generate`.',
        '',
      ].join('\n'),
    });
  });

  it.each<[readonly string[], string]>([
    [['expres', 'receiver'], 'There is no framework "expres". Did you mean "express"?'],
    [['express'], "missing required argument 'dir'"],
    [['express', 'generated/receiver'], 'which only `generate` writes'],
    [['express', 'generated'], 'which only `generate` writes'],
    [['express', 'x', '--authenticate', 'none'], '--authenticate takes one of: shared-secret.'],
    [['express', 'x', '--answer', 'colour=red'], 'there is no entry of the ledger "colour"'],
    [['express', 'x', '--scope', '@letters'], 'There is no contract of @letters: @parcels.'],
  ])('%j is misuse: 2', async (parameters, text) => {
    const { folder, scaffold } = await createProject();
    const before = await readTree(folder);
    const { code, error } = await scaffold(...parameters);
    expect(code).toBe(2);
    expect(error).toContain(text);
    expect(await readTree(folder)).toEqual(before);
  });

  it('asks which contract where there are several', async () => {
    const { scaffold } = await createProject({
      'countersign.config.json': JSON.stringify([
        config,
        { ...config, scope: '@letters', output: 'letters' },
      ]),
    });
    const { code, error } = await scaffold('node', 'receiver');
    expect(code).toBe(2);
    expect(error).toContain('Which contract? Say it with --scope: @parcels, @letters.');
    expect((await scaffold('node', 'receiver', '--scope', '@letters')).code).toBe(0);
  });

  it('says what an application has to be told where the contract leaves it open', async () => {
    const open = describeParcels({
      info: {
        'x-countersign': 1,
        'x-unstated': {
          sameness: {
            source: '1',
            question: 'What makes two deliveries the same?',
            choices: {
              content: { value: ['$request.body#'], meaning: 'Their content.' },
              nothing: { value: [], meaning: 'Nothing.' },
            },
          },
        },
      },
      each: { 'x-dedupe-by': { unstated: 'sameness' } },
    });
    const { folder, scaffold } = await createProject({ 'asyncapi.json': JSON.stringify(open) });
    const { code, error } = await scaffold('node', 'receiver', '--quiet');
    expect({ code, error }).toEqual({
      code: 1,
      error:
        'countersign: What makes two deliveries the same? Say it with --answer sameness=<choice>: content, nothing\nNothing was written.\n',
    });
    expect((await scaffold('node', 'receiver', '--answer', 'sameness=contents')).error).toContain(
      '--answer: there is no choice of sameness "contents". Did you mean "content"?',
    );
    expect((await scaffold('node', 'receiver', '--answer', 'sameness=content')).code).toBe(0);
    expect((await readTree(join(folder, 'receiver')))['src/webhooks.ts']).toContain(
      "  sameness: 'content',\n",
    );
  });

  it('says that an application has to be a workspace where the generated packages are some', async () => {
    const { scaffold } = await createProject({
      'package.json': '{ "workspaces": ["generated/*", "apps/*"] }',
    });
    const hint = 'list receiver in the workspaces of package.json';
    expect((await scaffold('node', 'receiver')).out).toContain(hint);
    expect((await scaffold('node', 'apps/receiver')).out).not.toContain('in the workspaces');
  });
});
