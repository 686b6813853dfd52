import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { readTree, writeTree } from '../../../output/tree.ts';
import { describeParcels } from './parcels.ts';
import { createParcelProject, parcelConfig } from './parcel-project.ts';

describe('countersign scaffold', () => {
  it('writes an application and says what it is and what comes next', async () => {
    const { folder, create } = await createParcelProject();
    const { code, out } = await create('express', 'apps/receiver');
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
      expect.stringMatching(/^The contract does not say how a delivery is authenticated/),
      'next, in apps/receiver:',
      '  npm install',
      '  cp .env.example .env',
      '  npm test',
      '',
    ]);
    expect(JSON.parse(tree['package.json'] ?? '')).toMatchObject({
      name: 'receiver',
      dependencies: { '@parcels/webhooks-express': 'file:../../generated/webhooks-express' },
    });
  });

  it('writes nothing before somebody has chosen how deliveries are authenticated', async () => {
    const { folder, scaffold } = await createParcelProject();
    const before = await readTree(folder);
    expect(await scaffold('node', 'receiver', '--inbox', 'sqlite')).toEqual({
      code: 2,
      out: '',
      error: expect.stringContaining(
        'The contract does not say how a delivery is authenticated. State `security` of its notifications, or choose with --authenticate: shared-secret.\n',
      ) as string,
    });
    expect(await readTree(folder)).toEqual(before);
  });

  it('names the package manager whose files are there, without a workspace too', async () => {
    const { folder, create } = await createParcelProject();
    await writeTree(folder, { 'pnpm-lock.yaml': '' });
    const { out } = await create('express', 'apps/receiver');
    expect(out).toContain(
      'next, in apps/receiver:\n  pnpm install\n  cp .env.example .env\n  pnpm run test\n',
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
    for (const text of ['[framework] [dir]', '--missing <dir>', '--authenticate', 'Examples:'])
      expect(out).toContain(text);
  });

  it('touches nothing when it is run again', async () => {
    const { folder, create } = await createParcelProject();
    await create('node', 'receiver');
    const before = await readTree(folder);
    expect(await create('node', 'receiver')).toMatchObject({
      code: 0,
      out: 'receiver: nothing to write\n',
    });
    expect(await readTree(folder)).toEqual(before);
  });

  it('says how to start the database of an application with an inbox in Postgres', async () => {
    const { create } = await createParcelProject();
    expect((await create('node', 'receiver', '--inbox', 'postgres')).out).toContain(
      'next, in receiver:\n  npm install\n  cp .env.example .env\n  docker compose up --detach --wait\n  npm run migrate\n  npm test\n',
    );
  });

  it('says how to start the server of an application that forwards to RabbitMQ', async () => {
    const { folder, create } = await createParcelProject({
      'countersign.config.json': JSON.stringify({
        ...parcelConfig,
        targets: ['contract', { use: 'webhooks', forward: ['rabbitmq', 'sqs'] }, 'webhooks-node'],
      }),
    });
    expect((await create('node', 'receiver', '--forward', 'rabbitmq')).out).toContain(
      'docker compose up --detach --wait',
    );
    expect((await create('node', 'function', '--forward', 'sqs')).code).toBe(0);
    const { receiver, lambda } = {
      receiver: await readTree(join(folder, 'receiver')),
      lambda: await readTree(join(folder, 'function')),
    };
    expect(JSON.parse(receiver['package.json'] ?? '')).toMatchObject({
      scripts: { consumer: expect.stringContaining('src/consume.ts') as string },
      dependencies: { amqplib: expect.any(String) as string },
    });
    expect(receiver['rabbitmq/enabled_plugins']).toBe('[rabbitmq_consistent_hash_exchange].\n');
    expect(receiver['README.md']).toContain('`deliveries.dead`');
    // A message of SQS cannot have a larger body.
    expect(lambda['src/webhooks.ts']).toContain('maxBodyBytes: 700000');
    for (const tree of [receiver, lambda]) {
      expect(tree['src/handlers/lost.ts']).toContain(
        "import type { StoredContext } from '@parcels/webhooks/consumer';",
      );
      expect(tree['src/webhooks.ts']).toContain('  forward,\n');
    }
  });

  it('tells machines the same', async () => {
    const { folder, create } = await createParcelProject();
    const { code, out } = await create('node', 'receiver', '--json');
    expect(code).toBe(0);
    const { command, ok, results } = JSON.parse(out) as {
      readonly command: string;
      readonly ok: boolean;
      readonly results: readonly { readonly created: readonly string[] }[];
    };
    expect({ command, ok }).toEqual({ command: 'scaffold', ok: true });
    expect(results).toMatchObject([{ folder: 'receiver', framework: 'node' }]);
    expect(results[0]?.created.toSorted()).toEqual(
      Object.keys(await readTree(join(folder, 'receiver'))).toSorted(),
    );
  });

  it.each([
    [
      { secrets: ['seal'] },
      'verifySeal(required("WEBHOOK_SECRET"))',
      '--header-env X-seal=WEBHOOK_SECRET',
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

  it('says that an application has to be a workspace where the generated packages are some', async () => {
    const { create } = await createParcelProject({
      'package.json': '{ "workspaces": ["generated/*", "apps/*"] }',
    });
    const hint = 'list receiver in the workspaces of package.json';
    expect((await create('node', 'receiver')).out).toContain(hint);
    expect((await create('node', 'apps/receiver')).out).not.toContain('in the workspaces');
  });
});
