import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks, verifySignature } from '@instant-payment/webhooks';
import { adapterRows, drain, duplicateStatus } from './adapter-rows.ts';
import { apikey, key, toleranceMs } from './notifications.ts';

/**
 * Serves the adapter that the first argument names, its bare framework, and bare Node. Reports its CPU time on request.
 */
const row = adapterRows.find(({ name }) => name === process.argv[2]);
if (row === undefined) throw new Error('There is no such adapter.');
const webhooks = createWebhooks({
  authenticate: verifySignature({ keys: [key], headers: { apikey }, toleranceMs }),
  on: {},
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
  deliveryIdentity: row.deduplicates === true ? 'same-content' : 'every-delivery',
  responses: { duplicate: duplicateStatus },
});
const listeners = [await row.bare(), await row.receiving(webhooks), drain];
const ports = await Promise.all(listeners.map(listen));
process.on('message', () => process.send?.(process.cpuUsage()));
process.send?.(ports);

async function listen(listener: RequestListener): Promise<number> {
  // Connections are used in turns.
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
