import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks, unauthenticated } from '@instant-payment/webhooks';
import { toNodeHandler } from '@instant-payment/webhooks/node';
import { sqliteReplayStore } from '../../../../../packages/runtime/inbox/replay/sqlite.ts';

/**
 * A process that receives notifications and shares a replay store with others. Its handler writes a line to a file, and
 * continues when the parent sends a message. Sends its port to its parent, and `handling` when the handler runs.
 */
const [, , path = '', effects = ''] = process.argv;
const { promise: mayContinue, resolve } = Promise.withResolvers<unknown>();
process.once('message', resolve);
process.once('disconnect', () => process.exit());

const webhooks = createWebhooks({
  authenticate: unauthenticated(),
  deliveryIdentity: 'status-of-subject',
  replayStore: sqliteReplayStore(path),
  on: {
    async cashoutStageTwo({ kind }) {
      await appendFile(effects, `${kind}\n`);
      process.send?.('handling');
      await mayContinue;
    },
  },
  otherwise: {
    rest({ kind }) {
      throw new Error(`${String(kind)} is not delivered here.`);
    },
  },
  onInvalid: () => undefined,
});

const server = createServer(toNodeHandler(webhooks.receive));
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
