import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  forwardFrameworkChoices,
  inboxFrameworkChoices,
} from '../../../../packages/create/src/scaffold/frameworks.ts';
import { readTree } from '../../../output/tree.ts';
import { describeParcels } from './parcels.ts';
import { createParcelProject, parcelConfig } from './parcel-project.ts';

describe('countersign scaffold', () => {
  it('overwrites no project that is not an application of its own', async () => {
    const { folder, create } = await createParcelProject({
      'receiver/package.json': '{ "name": "mine" }',
      'receiver/src/index.ts': 'export {};\n',
    });
    const before = await readTree(folder);
    const { code, error } = await create('node', 'receiver', '--quiet');
    expect({ code, error }).toEqual({
      code: 1,
      error:
        'countersign: receiver/package.json:1:1: already exists\nNothing was written. To see the handlers that an existing application lacks, run `countersign scaffold --missing receiver`.\n',
    });
    expect(await readTree(folder)).toEqual(before);
  });

  it('writes beside what is not in its way', async () => {
    const { folder, create } = await createParcelProject({ 'receiver/LICENSE': 'mine\n' });
    await mkdir(join(folder, 'receiver/.git'));
    expect((await create('node', 'receiver')).code).toBe(0);
    expect(await readFile(join(folder, 'receiver/LICENSE'), 'utf8')).toBe('mine\n');
  });

  it('says which line the configuration lacks', async () => {
    const { folder, scaffold } = await createParcelProject({
      'countersign.config.json': JSON.stringify({
        ...parcelConfig,
        targets: ['contract', 'webhooks'],
      }),
    });
    const { code, error } = await scaffold('express', 'receiver', '--quiet');
    expect({ code, error }).toEqual({
      code: 1,
      error: [
        `countersign: ${join(folder, 'countersign.config.json')} does not have the target that the application needs. Change the line to`,
        '',
        "  targets: ['contract', 'webhooks', 'webhooks-express'],",
        '',
        'and run `countersign generate`.',
        '',
      ].join('\n'),
    });
  });

  it('says which stores of inboxes the configuration lacks', async () => {
    const { scaffold } = await createParcelProject({
      'countersign.config.json': JSON.stringify({
        ...parcelConfig,
        targets: ['contract', { use: 'webhooks', inbox: ['postgres'] }, 'webhooks-node'],
      }),
    });
    const { code, error } = await scaffold('node', 'receiver', '--inbox', 'sqlite');
    expect(code).toBe(1);
    expect(error).toContain('does not have the option `inbox` of the target that the application');
    expect(error).toContain("{ use: 'webhooks', inbox: [ 'postgres', 'sqlite' ] }");
  });

  it('says which engines the configuration lacks', async () => {
    const { scaffold } = await createParcelProject();
    const { code, error } = await scaffold('express', 'receiver', '--forward', 'rabbitmq');
    expect(code).toBe(1);
    expect(error).toContain(
      'does not have the option `forward` of the target that the application',
    );
    expect(error).toContain("inbox: [ 'sqlite', 'postgres' ], forward: [ 'rabbitmq' ] }");
  });

  it('refuses a consumer for code in a folder, and says where one is shown', async () => {
    const { folder, scaffold } = await createParcelProject({
      'countersign.config.json': JSON.stringify({
        ...parcelConfig,
        scope: undefined,
        layout: 'folder',
      }),
    });
    const before = await readTree(folder);
    const { code, error } = await scaffold('node', 'src', '--forward', 'sqs');
    expect(code).toBe(2);
    expect(error).toContain('For a folder, the README of generated/webhooks shows both.');
    expect(await readTree(folder)).toEqual(before);
  });

  it.each<[readonly string[], string]>([
    [['expres', 'receiver'], 'There is no framework "expres". Did you mean "express"?'],
    [['express'], 'Give the framework and the folder of the new application.'],
    [['express', 'generated/receiver'], 'which only `generate` writes'],
    [['express', 'generated'], 'which only `generate` writes'],
    [
      ['express', 'x', '--authenticate', 'none'],
      'no way to authenticate "none". There are: shared-secret.',
    ],
    [['express', 'x', '--forward', 'kafka'], 'Allowed choices are sqs, rabbitmq.'],
    [
      ['express', 'x', '--forward', 'sqs', '--inbox', 'sqlite'],
      "option '--forward <engine>' cannot be used with option '--inbox <store>'",
    ],
    [
      ['cloudflare', 'x', '--forward', 'sqs'],
      `An application for Cloudflare Workers cannot forward. The clients of SQS and RabbitMQ that applications have run in Node. Use ${forwardFrameworkChoices}.`,
    ],
    [['express', 'x', '--inbox', 'sqllite'], 'Allowed choices are sqlite, postgres.'],
    [
      ['cloudflare', 'x', '--inbox', 'sqlite'],
      `An application for Cloudflare Workers cannot have an inbox. A Worker has no disk, and no process that runs after a response. Use ${inboxFrameworkChoices}.`,
    ],
    [['nextjs', 'x', '--inbox', 'sqlite'], 'An application for Next.js cannot have an inbox.'],
    [
      ['express', 'x', '--answer', 'colour=red', '--authenticate', 'shared-secret'],
      'There is no entry of the ledger "colour"',
    ],
    [
      ['express', 'x', '--scope', '@letters'],
      'no contract of the scope "@letters". There are: @parcels.',
    ],
  ])('%j is misuse: 2', async (parameters, text) => {
    const { folder, scaffold } = await createParcelProject();
    const before = await readTree(folder);
    const { code, error } = await scaffold(...parameters);
    expect(code).toBe(2);
    expect(error).toContain(text);
    expect(await readTree(folder)).toEqual(before);
  });

  it('asks which contract where there are several', async () => {
    const { create } = await createParcelProject({
      'countersign.config.json': JSON.stringify([
        parcelConfig,
        { ...parcelConfig, scope: '@letters', output: 'letters' },
      ]),
    });
    const { code, error } = await create('node', 'receiver');
    expect(code).toBe(2);
    expect(error).toContain(
      'The configuration has several contracts. Select one with --scope: @parcels, @letters.',
    );
    expect((await create('node', 'receiver', '--scope', '@letters')).code).toBe(0);
  });

  it('names the answer that an application requires where the contract leaves a question open', async () => {
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
    const { folder, create } = await createParcelProject({
      'asyncapi.json': JSON.stringify(open),
    });
    const { code, error } = await create('node', 'receiver', '--quiet');
    expect({ code, error }).toEqual({
      code: 1,
      error:
        'countersign: What makes two deliveries the same? Answer with --answer sameness=<choice>: content, nothing\nNothing was written.\n',
    });
    expect((await create('node', 'receiver', '--answer', 'sameness=contents')).error).toContain(
      'There is no choice of sameness "contents". Did you mean "content"?',
    );
    expect((await create('node', 'receiver', '--answer', 'sameness=content')).code).toBe(0);
    expect((await readTree(join(folder, 'receiver')))['src/webhooks.ts']).toContain(
      "  sameness: 'content',\n",
    );
  });
});
