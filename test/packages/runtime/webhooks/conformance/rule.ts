import { expect } from 'vitest';
import type { Json } from '../../../../../generator/json/json.ts';
import type { DeliveryRecord } from '../../../../../packages/runtime/webhooks/receiver.ts';
import type { Answer } from '../exchange.ts';
import { apikey, signingKey, type Running, type Sent, type Workbench } from '../workbench.ts';

/** A behaviour that a receiver has behind every adapter; throws where it has not. */
export interface Rule {
  readonly name: string;
  /** Whether it can be checked only where the platform shows the path as it was sent. */
  readonly needsPath?: boolean;
  readonly run: (bench: Workbench) => Promise<void>;
}

/** The body of a charge whose payer is there. */
export const charge = {
  Pix: {
    endToEndId: 'E1',
    txid: 'T1',
    chave: 'key@example',
    Status: 1,
    OperationType: 0,
    payer: {
      name: 'Example Payer',
      document: '99999999999',
      ispb: '99999999',
      agency: '0001',
      accountNumber: '000001',
      accountType: 'EXAMPLE',
    },
  },
} as const;
export const chargePath = '/v1/apm/pix/charges';
export const text: string = JSON.stringify(charge);

/** The body of a charge with one number more. */
export function amount(literal: string): string {
  return text.replace('"OperationType":0', `"OperationType":0,"extra":${literal}`);
}

/** An example of the contract, by the names of its kind and its own. */
export function example(bench: Workbench, kind: string, name: string): Json {
  const notification = bench.imported.contract.notifications.find(
    (candidate) => candidate.name === kind,
  );
  const matchingExample = notification?.examples.find((candidate) => candidate.name === name);
  if (matchingExample === undefined) throw new Error(`There is no example ${name} of ${kind}`);
  return matchingExample.value;
}

/** The answer to one delivery, and what its receiver has told. */
export interface Ended extends Answer, Pick<Running, 'events' | 'invalid' | 'records'> {
  readonly record: DeliveryRecord | undefined;
}

/** One delivery to a fresh receiver. */
export async function once(
  bench: Workbench,
  sent: Sent,
  options: Record<string, unknown> = {},
): Promise<Ended> {
  await using running = await bench.start(options);
  const answer = await running.send(sent);
  const { events, invalid, records } = running;
  return { ...answer, events, invalid, records, record: records[0] };
}

/** Options of a receiver that trusts the contract's signature. */
export function bySignature(bench: Workbench, more: object = {}): Record<string, unknown> {
  const authenticate = bench.imported.main.verifySignature({
    keys: [signingKey],
    headers: { apikey },
    ...more,
  });
  return { authenticate };
}

/** Sends that end in one status, with nothing handed to a handler. */
export function refused(
  name: string,
  status: number,
  sends: readonly (readonly [string, Sent])[],
  options: (bench: Workbench) => Record<string, unknown> = () => ({}),
): readonly Rule[] {
  return sends.map(([what, sent]) => ({
    name: `${name}: ${what} is answered with ${status}`,
    async run(bench) {
      const result = await once(bench, { path: chargePath, body: text, ...sent }, options(bench));
      expect(result.status).toBe(status);
      expect(result.events).toEqual([]);
    },
  }));
}
