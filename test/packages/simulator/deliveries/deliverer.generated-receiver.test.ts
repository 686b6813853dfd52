import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  validateCashoutReversal,
  validateCashoutWire,
  validateChargeReversal,
  validateChargeWire,
  validateCustomerWire,
  validateDueDateChargeWire,
  validateStaticChargeWire,
} from '@instant-payment/contract';
import { createWebhooks, verifySignature } from '@instant-payment/webhooks';
import { toNodeHandler } from '@instant-payment/webhooks/node';
import { expect, it, onTestFinished } from 'vitest';
import type { Json } from 'countersign/kit';
import {
  deliveryFaults,
  type ServedNotification,
  type Service,
  type Violation,
} from '../../../../packages/simulator/src/index.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import { createTestDeliverer } from './parcel-service.ts';

type Validate = (value: unknown) => readonly Violation[];

const kinds: readonly (readonly [kind: string, method: string, path: string, Validate])[] = [
  ['customer', 'POST', '/client', validateCustomerWire],
  ['charge', 'POST', '/v1/apm/pix/charges', validateChargeWire],
  ['dueDateCharge', 'POST', '/v2/apm/pix/charge/due-date/{txid}', validateDueDateChargeWire],
  ['staticCharge', 'POST', '/v2/apm/pix/charge/static', validateStaticChargeWire],
  ['chargeReversal', 'PUT', '/v1/apm/pix/{endToEndId}/reverse/{txid}', validateChargeReversal],
  ['cashoutStageOne', 'POST', '/v2/apm/pix/cashout', validateCashoutWire],
  ['cashoutStageTwo', 'POST', '/v2/apm/pix/cashout', validateCashoutWire],
  ['cashoutReversal', 'POST', '', validateCashoutReversal],
];

function describeService(): Service {
  const folder = new URL('../../../../spec/examples/', import.meta.url);
  const files = readdirSync(folder).map((file) => {
    const [kind = '', name = ''] = file.split('.');
    return { kind, name, value: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Json };
  });
  const notifications = kinds.map(([kind, method, path, validate]): ServedNotification => {
    const examples = files.filter((file) => file.kind === kind);
    const isValid = ({ value }: { readonly value: Json }): boolean => validate(value).length === 0;
    return {
      name: kind,
      label: {
        path,
        parameters: ['txid', 'endToEndId'].map((name) => ({ name, inPayload: `/Pix/${name}` })),
      },
      delivery: { method, contentType: 'application/json', headers: {} },
      wire: kind,
      examples: examples.filter(isValid),
      invalidExamples: examples.filter((example) => !isValid(example)),
      security: [],
      openCodes: [
        { path: ['Pix', 'Status'], type: 'integer' },
        { path: ['pix', '*', 'status'], type: 'integer' },
      ],
    };
  });
  return {
    modelVersion: 2,
    info: { title: 'Instant payment', version: '0.1.0' },
    operations: [],
    servers: { overrides: [], tokenEndpoints: [] },
    samples: { bodies: {}, payloads: {} },
    parameterChecks: new Map(),
    notifications,
    security: [
      {
        id: 'signature',
        type: 'apiKey',
        in: 'header',
        parameterName: 'x-hmac-signature',
        credential: 'privateKey',
        signature: {
          algorithm: 'hmac-sha256',
          key: { encoding: 'utf-8' },
          over: ['$request.header.apikey', '$timestamp', '$request.body', '$url.path'],
          encoding: 'base64',
          header: 'x-hmac-signature',
          value: '{signature}',
          timestamp: { header: 'x-timestamp', format: 'iso-8601', tolerance: 300 },
        },
      },
      { id: 'key', type: 'apiKey', in: 'header', parameterName: 'apikey', credential: 'apiKey' },
    ],
    credentials: [
      { name: 'privateKey', form: 'key' },
      { name: 'apiKey', form: 'text' },
    ],
    unstated: [],
    workflows: [],
    checks: new Map(
      kinds.map(([kind, , , validate]) => [
        kind,
        { accepts: (value) => validate(value).length === 0, violations: validate },
      ]),
    ),
  };
}

it('delivers every valid event to a handler of a generated receiver, and nothing invalid', async () => {
  const previousKey = 'the-private-key-before';
  const description = describeService();
  let receiver = '';
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const deliverer = createTestDeliverer(
    {
      to: receiver,
      seed: 7,
      journal: createMemoryJournal(100_000),
      faults: Object.fromEntries(deliveryFaults.map((fault) => [fault, 0.06])),
      authentication: { signature: 'signature', previousKey },
    },
    description,
  );
  const { privateKey = '', apiKey = '' } = deliverer.credentials;

  /** The text of the delivery that is being handled. */
  const current = new AsyncLocalStorage<{ text: string }>();
  const handled: string[] = [];
  const handledKinds = new Set<string>();
  const webhooks = createWebhooks({
    authenticate: verifySignature({ keys: [privateKey, previousKey], headers: { apikey: apiKey } }),
    on: {},
    otherwise: {
      rest(event) {
        if (event.kind === null) return;
        handled.push(current.getStore()?.text ?? '');
        handledKinds.add(event.kind);
      },
    },
    onInvalid: () => undefined,
  });
  const handle = toNodeHandler((request) => {
    const store = { text: '' };
    return current.run(store, () =>
      webhooks.receive({
        ...request,
        async read(limit, waiting) {
          const read = await request.read(limit, waiting);
          if (read instanceof Uint8Array) store.text = Buffer.from(read).toString();
          return read;
        },
      }),
    );
  });

  const plan = deliverer.plan({ count: 400, intervalMs: 100 });
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(kinds.map(([kind]) => kind)));
  expect(plan.some(({ body }) => body.includes('"pix":['))).toBe(true);
  expect(new Set(plan.flatMap(({ faults }) => faults))).toEqual(
    new Set(deliveryFaults.filter((fault) => !fault.endsWith('-certificate'))),
  );
  const playing = deliverer.play(plan);
  await deliverer.clock.advance('1d');
  expect(new Set((await playing).map(({ state }) => state))).toEqual(new Set(['acknowledged']));

  const bodies = new Set(handled);
  for (const { isValid, body, correctedBody = body } of plan) {
    expect(bodies).toContain(isValid ? body : correctedBody);
    if (!isValid) expect(bodies).not.toContain(body);
  }
  expect(handledKinds).toContain('cashoutReversal');
  const refused = deliverer.attempts().filter(({ isAcknowledged }) => !isAcknowledged);
  expect(refused).not.toEqual([]);
  for (const { faults } of refused) expect(faults).not.toEqual([]);
  const text = JSON.stringify(deliverer.attempts());
  for (const secret of [privateKey, apiKey, previousKey]) expect(text).not.toContain(secret);
});
