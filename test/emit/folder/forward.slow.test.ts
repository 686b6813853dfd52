import { expect, test } from 'vitest';
import type { Config } from '../../../generator/config/config.ts';
import { generate } from '../../../generator/generate.ts';
import { compileApplication, createApplication, run } from './create-application.ts';
import { writeTree } from '../../output/tree.ts';

/** A contract with one notification, identified by its id, which leaves open how it is authenticated. */
const contractOf = (title: string, kind: string): string =>
  JSON.stringify({
    asyncapi: '3.0.0',
    info: { title, version: '1.0.0', 'x-countersign': 1 },
    channels: {
      all: { address: '/all', messages: { [kind]: { $ref: `#/components/messages/${kind}` } } },
    },
    operations: { send: { action: 'send', channel: { $ref: '#/channels/all' } } },
    components: {
      messages: {
        [kind]: {
          payload: {
            type: 'object',
            required: ['id', kind],
            properties: { id: { type: 'string' }, [kind]: { type: 'boolean' } },
          },
          'x-dedupe-by': ['$request.body#/id'],
          'x-ordered-by': ['$request.body#/id'],
          examples: [{ payload: { id: 'E1', [kind]: true } }],
        },
      },
    },
    'x-unstated': {
      'notification-authentication': {
        source: '1',
        question: 'How does a receiver know that a notification comes from the service?',
      },
    },
  });

const common: Pick<Config, 'importExtension' | 'targets'> = {
  importExtension: '.ts',
  targets: ['contract', { use: 'webhooks', forward: ['sqs', 'rabbitmq'] }],
};

test('two receivers in a folder of one application forward to consumers that share a store', async () => {
  const { folder } = await createApplication(
    { 'docks.json': contractOf('Docks', 'docked'), 'sheds.json': contractOf('Sheds', 'stored') },
    { contract: { asyncapi: 'docks.json' }, ...common, output: 'src/docks' },
  );
  const contract = { asyncapi: 'sheds.json' };
  await generate({ layout: 'folder', output: 'src/sheds', contract, ...common }, { folder });
  await writeTree(folder, {
    'src/main.ts': `
import * as docks from './docks/webhooks/index.ts';
import { createConsumer as createDocks, serialize } from './docks/webhooks/consumer.ts';
import * as sheds from './sheds/webhooks/index.ts';
import { createConsumer as createSheds } from './sheds/webhooks/consumer.ts';

const queue: string[] = [];
const forward = async (delivery: Parameters<typeof serialize>[0]) => void queue.push(serialize(delivery));
const receivers = {
  docked: docks.createWebhooks({ authenticate: docks.unauthenticated(), forward }),
  stored: sheds.createWebhooks({ authenticate: sheds.unauthenticated(), forward }),
};
for (const [kind, { fetch: receive }] of Object.entries(receivers))
  for (let sent = 0; sent < 2; sent++) {
    const body = JSON.stringify({ id: 'E1', [kind]: true });
    const headers = { 'content-type': 'application/json' };
    await receive(new Request('http://localhost/all', { method: 'POST', headers, body }));
  }

const seen: string[] = [];
const replayStore = docks.createMemoryReplayStore();
const onInvalid = ({ reason }: { reason: string }) => void seen.push(reason);
const dockConsumer = createDocks({
  on: { docked: ({ data }, { orderKey }) => void seen.push(\`docked \${data.id} \${orderKey}\`) },
  otherwise: () => void seen.push('another'),
  onInvalid,
  replayStore,
});
const shedConsumer = createSheds({
  on: { stored: ({ data }, { orderKey }) => void seen.push(\`stored \${data.id} \${orderKey}\`) },
  otherwise: () => void seen.push('another'),
  onInvalid,
  replayStore,
});
const outcomes: string[] = [];
for (const [index, text] of queue.entries())
  outcomes.push((await (index < 2 ? dockConsumer : shedConsumer).consume(text, 1)).outcome);
const ids = queue.map((text) => JSON.parse(text).id);
console.log(JSON.stringify({ seen, outcomes, repeated: ids[0] === ids[1], shared: ids[0] === ids[2] }));
`,
  });
  await compileApplication(folder, 'nodenext');
  expect(await run(folder, 'src/main.ts')).toEqual({
    seen: ['docked E1 @generated/webhooks:docks E1', 'stored E1 @generated/webhooks:sheds E1'],
    outcomes: ['done', 'done', 'done', 'done'],
    repeated: true,
    shared: false,
  });
});
