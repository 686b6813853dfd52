import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInbox, type InboxStore } from '@countersign/runtime/inbox';
import { createWebhooks, verifySignature } from '@instant-payment/webhooks';
import { toNodeHandler } from '@instant-payment/webhooks/node';
import { createWorker } from '@instant-payment/webhooks/worker';
import { contentOf } from '../../simulator/event-contents.ts';

/** What the effect of an event contains. */
export interface RecordedEffect {
  readonly id: string;
  readonly content: string;
}

/** The number of keys. Several events of different subjects share a key, so that many events wait for others. */
const keys = 97;

/**
 * Serves the generated receiver on a free port, which it prints, and runs the generated worker. Every event writes one
 * row of effect; some fail at their first attempt. On SIGTERM, it ends what it began.
 */
export async function serveApplication<Scope extends object, Result>(
  store: InboxStore<Scope, Result>,
  effect: (value: string, scope: Scope) => Promise<Result>,
): Promise<void> {
  const { WEBHOOK_SECRET: secret = '', WEBHOOK_HEADER_APIKEY: apikey = '' } = process.env;
  const inbox = createInbox({ store });
  const { receive } = createWebhooks({
    authenticate: verifySignature({ keys: [secret], headers: { apikey } }),
    inbox,
    deliveryIdentity: 'same-content',
    orderBy: (event) => `key ${numberOf(contentOf(event.data)) % keys}`,
  });
  const worker = createWorker({
    inbox,
    concurrency: 4,
    leaseMs: 500,
    // The processes are ended at the same place again and again, whatever the event is.
    maxInterruptions: Infinity,
    pollIntervalMs: 20,
    retry: { firstDelayMs: 20 },
    on: {},
    otherwise: {
      rest: async ({ data }, context) => {
        const { id, attempt } = context;
        if (attempt === 1 && numberOf(id) % 16 === 0) throw new Error('the first attempt fails');
        const recorded: RecordedEffect = { id, content: contentOf(data) };
        return await effect(JSON.stringify(recorded), context);
      },
    },
    onInvalid: () => undefined,
    // The failure is on purpose; without a listener, it would be a warning.
    onEvent: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const server = createServer(toNodeHandler(receive)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(process, 'SIGTERM');
  server.close();
  server.closeAllConnections();
  await worker.close();
  await store.close();
}

function numberOf(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 8), 16);
}
