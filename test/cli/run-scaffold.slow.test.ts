import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { frameworks } from '../../generator/tools/scaffold/frameworks.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, writeTree } from '../output/tree.ts';
import { readMangled } from '../tools/scaffold/mangled.ts';
import { describeParcels } from '../tools/scaffold/parcels.ts';
import { createMangled, createParcelProject } from './scaffold-project.ts';

describe('countersign scaffold', () => {
  it('writes an application and says what it is and what comes next', async () => {
    const { folder, scaffold } = await createParcelProject();
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
      `apps/receiver: ${files.length} files written, for Express`,
      expect.stringMatching(/^The contract does not state how a delivery proves/),
      'next, in apps/receiver: npm install, cp .env.example .env, npm test',
      '',
    ]);
    expect(JSON.parse(tree['package.json'] ?? '')).toMatchObject({
      name: 'receiver',
      dependencies: { '@parcels/webhooks-express': 'file:../../generated/webhooks-express' },
    });
  });

  it('names the package manager whose files are there, without a workspace too', async () => {
    const { folder, scaffold } = await createParcelProject();
    await writeTree(folder, { 'pnpm-lock.yaml': '' });
    const { out } = await scaffold('express', 'apps/receiver');
    expect(out).toContain(
      'next, in apps/receiver: pnpm install, cp .env.example .env, pnpm run test',
    );
    const readme = (await readTree(folder))['apps/receiver/README.md'];
    expect(readme).toContain('pnpm install');
    expect(readme).not.toContain('npm start');
  });

  it('explains itself', async () => {
    const { scaffold } = await createParcelProject();
    const { code, out } = await scaffold('--help');
    expect(code).toBe(0);
    expect(frameworks).not.toEqual([]);
    for (const { name } of frameworks) expect(out).toContain(name);
    for (const text of ['<framework> <dir>', '--dry-run', '--authenticate', 'Examples:'])
      expect(out).toContain(text);
  });

  it('touches nothing when it is run again', async () => {
    const { folder, scaffold } = await createParcelProject();
    await scaffold('node', 'receiver');
    const before = await readTree(folder);
    expect(await scaffold('node', 'receiver')).toMatchObject({
      code: 0,
      out: 'receiver: nothing to add\n',
    });
    expect(await readTree(folder)).toEqual(before);
  });

  it.each<[string, string, readonly string[]]>([
    ['receiver', 'src/webhooks.ts', []],
    ['worker of an application with an inbox', 'src/worker.ts', ['--inbox', 'sqlite']],
  ])('adds what the contract has got since to the %s', async (_, file, inbox) => {
    const { folder, scaffold } = await createParcelProject();
    const kinds = ['created', 'moved', 'returned'];
    await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels({ kinds })) });
    expect((await scaffold('node', 'receiver', ...inbox)).code).toBe(0);
    const before = await readTree(join(folder, 'receiver'));
    expect((await scaffold('node', 'receiver', ...inbox)).out).toBe('receiver: nothing to add\n');
    await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels()) });
    // The options of the first run do not have to be repeated.
    const { code, out } = await scaffold('node', 'receiver');
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'created  receiver/src/handlers/lost.ts',
        `updated  receiver/${file}`,
        'receiver: 1 handler added',
        '',
      ].join('\n'),
    });
    const after = await readTree(join(folder, 'receiver'));
    const { 'src/handlers/lost.ts': added, [file]: text, ...otherFiles } = after;
    const { [file]: old, ...same } = before;
    expect(otherFiles).toEqual(same);
    expect(added).toBe(
      before['src/handlers/moved.ts']?.replaceAll('Moved', 'Lost').replaceAll('moved', 'lost'),
    );
    expect(text?.match(/.*onLost.*\n/gu)).toHaveLength(2);
    expect(text?.replaceAll(/.*onLost.*\n/gu, '')).toBe(old);
  });

  it('says how to start the database of an application with an inbox in Postgres', async () => {
    const { scaffold } = await createParcelProject();
    expect((await scaffold('node', 'receiver', '--inbox', 'postgres')).out).toContain(
      'next, in receiver: npm install, cp .env.example .env, docker compose up --detach --wait, npm run migrate, npm test\n',
    );
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
      expect(await readTree(receiver)).toEqual((await readMangled(name)).after);
    },
  );

  it('shows a new application as a diff as well', async () => {
    const { folder, scaffold } = await createParcelProject();
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
          status: 'updated',
          created: [],
          updated: [],
          removed: [
            {
              name: 'sold',
              place: { path: 'src/webhooks.ts', line: 13, column: 5 },
              importPlace: { path: 'src/webhooks.ts', line: 6, column: 10 },
              file: 'src/handlers/sold.ts',
            },
          ],
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
        'receiver/src/webhooks.ts:13:5: the contract no longer has sold; remove its handler by hand, and also its import (receiver/src/webhooks.ts:6:10) and receiver/src/handlers/sold.ts',
        '',
      ].join('\n'),
    );
    expect(await readTree(folder)).toEqual(before);
  });

  it.each([
    ['node', []],
    ['cloudflare', []],
    ['node', ['--inbox', 'sqlite']],
  ])(
    'reports that an application for %s does not verify the stated signature',
    async (framework, inbox) => {
      const { folder, scaffold } = await createParcelProject();
      const describe = async (...signatures: readonly string[]): Promise<void> =>
        await writeTree(folder, {
          'asyncapi.json': JSON.stringify(describeParcels({ signatures })),
        });
      const nothing = 'receiver: nothing to add\n';
      const reports = async (...options: readonly string[]): Promise<string> => {
        const { code, out } = await scaffold(framework, 'receiver', ...options);
        expect(code).toBe(0);
        return out;
      };
      expect((await scaffold(framework, 'receiver', ...inbox)).code).toBe(0);
      const { 'src/webhooks.ts': registration = '' } = await readTree(join(folder, 'receiver'));
      const index = registration.split('\n').findIndex((line) => line.includes('authenticate:'));
      const column = (registration.split('\n')[index]?.indexOf('sharedSecret(') ?? 0) + 1;
      const place = `receiver/src/webhooks.ts:${index + 1}:${column}`;
      const module = `@parcels/webhooks-${framework}`;

      await describe('first');
      expect(await reports()).toBe(
        `${nothing}${place}: sharedSecret authenticates deliveries, but the contract states the signature first; use verifyFirst of ${module}\n`,
      );
      expect(await reports('--authenticate', 'shared-secret')).toBe(nothing);
      expect(JSON.parse(await reports('--json'))).toMatchObject({
        results: [{ otherStrategy: { name: 'sharedSecret', place: { line: index + 1, column } } }],
      });

      const rewrite = async (name: string): Promise<void> =>
        await writeTree(join(folder, 'receiver'), {
          'src/webhooks.ts': registration
            .replace('sharedSecret', `${name} as verify`)
            .replace(/sharedSecret\(\{.*?\},/u, "verify({ keys: ['key'] },"),
        });
      await rewrite('verifyFirst');
      expect(await reports()).toBe(nothing);
      await describe('second');
      expect(await reports()).toBe(
        `${nothing}${place}: verifyFirst authenticates deliveries, but the contract states the signature second; use verifySecond of ${module}\n`,
      );
      // Each delivery carries one of both, and the application accepts those with the second.
      await rewrite('verifySecond');
      await describe('first', 'second');
      expect(await reports()).toBe(nothing);
      await describe();
      expect(await reports()).toBe(nothing);
    },
  );

  it('reports that an application does not compare the stated secret', async () => {
    const { folder, scaffold } = await createParcelProject();
    const describe = async (...secrets: readonly string[]): Promise<void> =>
      await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels({ secrets })) });
    expect((await scaffold('node', 'receiver')).code).toBe(0);
    await describe('seal');
    expect((await scaffold('node', 'receiver')).out).toMatch(
      /: sharedSecret authenticates deliveries, but the contract states the secret seal; use verifySeal of @parcels\/webhooks-node\n$/u,
    );
    const { 'src/webhooks.ts': registration = '' } = await readTree(join(folder, 'receiver'));
    await writeTree(join(folder, 'receiver'), {
      'src/webhooks.ts': registration
        .replace('sharedSecret', 'verifySeal as verify')
        .replace(/sharedSecret\(\{.*?\},/u, 'verify('),
    });
    expect((await scaffold('node', 'receiver')).out).toBe('receiver: nothing to add\n');
  });

  it.each([
    [
      { secrets: ['seal'] },
      'verifySeal(required("WEBHOOK_SECRET"))',
      '--to http://127.0.0.1:3000/webhooks\n',
      false,
    ],
    [
      { secrets: ['seal'], inPath: true, info: { 'x-countersign': 1 } },
      'verifySeal(required("WEBHOOK_SECRET"))',
      '--path-secret-env WEBHOOK_SECRET',
      false,
    ],
    [
      { statesNone: true },
      'sharedSecret({ header: "x-webhook-secret" }, required("WEBHOOK_SECRET"))',
      '--header-env x-webhook-secret=WEBHOOK_SECRET',
      true,
    ],
  ])('authenticates a contract that states %j', async (stated, strategy, sent, warns) => {
    const { folder, scaffold } = await createParcelProject();
    await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels(stated)) });
    const { code, error } = await scaffold('node', 'receiver');
    expect(code, error).toBe(0);
    const files = await readTree(join(folder, 'receiver'));
    expect(files['src/webhooks.ts']?.replaceAll("'", '"')).toContain(`authenticate: ${strategy}`);
    const { 'README.md': readme = '' } = files;
    expect(readme).toContain(sent);
    expect(readme.includes('Access logs of servers')).toBe('inPath' in stated);
    expect(readme.includes('every client that knows the URL can send one')).toBe(warns);
    const unknown = await scaffold('node', 'open', '--authenticate', 'unauthenticated');
    expect(unknown.code).toBe(2);
    const explicit = await scaffold('node', 'other', '--authenticate', 'shared-secret');
    expect(explicit.code).toBe(0);
    const { 'src/webhooks.ts': other } = await readTree(join(folder, 'other'));
    expect(other).toContain('sharedSecret(');
  });

  it('leaves to `otherwise` what it takes, and says so', async () => {
    const { scaffold } = await createMangled('rest');
    expect((await scaffold('node', 'receiver')).out).toContain(
      'receiver/src/webhooks.ts:6:7: `otherwise` takes what has no handler here: moved, lost, returned (--all adds handlers)',
    );
    expect((await scaffold('node', 'receiver', '--all')).out).toContain('3 handlers added');
  });

  it('says that an application has to be a workspace where the generated packages are some', async () => {
    const { scaffold } = await createParcelProject({
      'package.json': '{ "workspaces": ["generated/*", "apps/*"] }',
    });
    const hint = 'list receiver in the workspaces of package.json';
    expect((await scaffold('node', 'receiver')).out).toContain(hint);
    expect((await scaffold('node', 'apps/receiver')).out).not.toContain('in the workspaces');
  });
});
