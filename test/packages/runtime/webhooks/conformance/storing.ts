import { expect } from 'vitest';
import type { StoredDelivery } from '../../../../../packages/runtime/webhooks/receiver.ts';
import type { Running, Sent, Workbench } from '../workbench.ts';
import { chargePath, text, type Rule } from './rule.ts';

type Store = (delivery: StoredDelivery, signal?: AbortSignal) => Promise<unknown>;

/** A behaviour of every receiver that stores its deliveries, in an inbox or on an engine. */
interface StoringRule {
  readonly name: string;
  readonly store: Store;
  readonly options?: Record<string, unknown>;
  readonly sent?: Sent;
  readonly status: number;
  readonly reason: string;
  /** What is stored; nothing if it is left out. */
  readonly stored?: object;
}

const accepts: Store = async () => await Promise.resolve({ status: 'stored' });
const answered: readonly StoringRule[] = [
  {
    name: 'a valid delivery is stored and acknowledged',
    store: accepts,
    status: 200,
    reason: 'stored',
    stored: { verdict: 'valid', events: [{ kind: 'charge' }] },
  },
  {
    name: 'a delivery that violates the contract is stored and acknowledged',
    store: accepts,
    sent: { body: '{"Pix":{}}' },
    status: 200,
    reason: 'stored',
    stored: { verdict: 'invalid', rejection: { violations: expect.any(Array) as unknown } },
  },
  {
    name: 'a delivery that is not JSON is stored and acknowledged',
    store: accepts,
    sent: { body: 'Pix' },
    status: 200,
    reason: 'stored-malformed',
    stored: { verdict: 'malformed-body' },
  },
  {
    name: 'a delivery that was stored before is acknowledged',
    store: async () => await Promise.resolve({ status: 'duplicate' }),
    status: 200,
    reason: 'duplicate',
    stored: {},
  },
  {
    name: 'a delivery that is not authentic is not stored',
    store: accepts,
    sent: { headers: { 'x-secret': 'another' } },
    status: 401,
    reason: 'unauthentic',
  },
  {
    name: 'a delivery that cannot be stored is answered with 503',
    store: () => Promise.reject(new Error('no connection')),
    status: 503,
    reason: 'store-failed',
    stored: {},
  },
  {
    name: 'a delivery that is not stored in time is answered with 503',
    store: () => new Promise(() => undefined),
    options: { storeTimeoutMs: 50 },
    status: 503,
    reason: 'store-failed',
    stored: {},
  },
];

/** What becomes of deliveries that are stored, and handled elsewhere. */
export const storing: readonly Rule[] = (['inbox', 'forward'] as const).flatMap((place) =>
  answered.map(({ name, store, options, sent, status, reason, stored }) => ({
    name: `with \`${place}\`, ${name}`,
    async run(bench: Workbench) {
      const deliveries: StoredDelivery[] = [];
      const keep: Store = (delivery, signal) => {
        deliveries.push(delivery);
        return store(delivery, signal);
      };
      await using running: Running = await bench.startStoring(place, keep, options);
      const answer = await running.send({ path: chargePath, body: text, ...sent });
      expect(answer.status).toBe(status);
      expect(running.records).toMatchObject([{ reason, status }]);
      expect(deliveries).toMatchObject(stored === undefined ? [] : [stored]);
    },
  })),
);
