import { deliver, examples } from '@instant-payment/webhooks/testing';
import { sharedSecret } from '@instant-payment/webhooks';
import { expect, test } from 'vitest';
import { createReceiver } from '../../../generated/webhooks/stubs/receiver.ts';
import {
  deliveryContext,
  functionFile,
  type HandlerContext,
  providerFile,
  unhandledFunctionsFile,
  unhandledProviderFile,
} from '../../../generator/targets/stubs/handler-structures.ts';
import type { HandlerPlan } from '../../../generator/targets/stubs/plan-handlers.ts';
import { printFile } from '../../../generator/targets/stubs/print-statements.ts';
import type { DeliveryRecord } from '../../../packages/runtime/webhooks/receiver.ts';
import { countUnwritten, writeHandlers } from './write-handlers.ts';

test('a receiver of unedited stubs acknowledges nothing, and its error names the stub', async () => {
  const records: DeliveryRecord[] = [];
  const headers = { 'x-secret': 'secret' };
  const { fetch: receive } = createReceiver({
    authenticate: sharedSecret({ header: 'x-secret' }, 'secret'),
    onEvent: (record) => void records.push(record),
  });
  const url = 'https://shop.example/hooks';
  const send = async (request: Request): Promise<string> => {
    const { status } = await receive(request);
    expect(status).toBe(500);
    const { error } = records.at(-1) ?? {};
    expect(error).toMatchObject({ name: 'WebhookError', code: 'not-written' });
    return (error as Error).message;
  };
  expect(examples.length).toBeGreaterThan(20);
  for (const { kind, example } of examples)
    expect(await send(await deliver(kind, { example, url, headers }))).toMatch(
      /^on[A-Z]\w+ is not written yet: \w+, [\w-]+$/u,
    );
  const post = (body: string): Request => new Request(url, { method: 'POST', headers, body });
  expect(await send(post('{"hello":1}'))).toMatch(/^otherwise is not written yet: /u);
  expect(await send(post('hello'))).toMatch(
    /^onInvalid is not written yet: \d+ violations, 5 char/u,
  );
});

const handler: HandlerPlan = {
  name: 'paid',
  typeName: 'Paid',
  exportName: 'onPaid',
  fileName: 'paid',
  eventType: 'PaidEvent',
  mark: 'OnPaid',
  documentation: { summary: 'An order is paid.' },
};

const stored: HandlerContext = {
  eventPackage: '@acme/webhooks',
  name: 'EventContext',
  package: '@acme/webhooks/worker',
};

const direct = deliveryContext('@acme/webhooks-node');

test.each([
  ['a handler', functionFile([handler], direct), 1],
  ['a handler of a worker', functionFile([handler], stored), 1],
  ['a provider', providerFile([handler], direct), 1],
  ['otherwise and onInvalid', unhandledFunctionsFile(direct), 2],
  ['otherwise and onInvalid of a worker', unhandledFunctionsFile(stored), 2],
  ['the provider of both', unhandledProviderFile(direct), 2],
])('the file of %s fails, and has nothing else to remove', (_, structure, count) => {
  const text = printFile(structure);
  expect(countUnwritten(text)).toBe(count);
  expect(text).not.toMatch(/console|Logger/u);
  const written = writeHandlers(text);
  expect(written).not.toContain('WebhookError');
  expect(written.match(/console\.log\(/gu)).toHaveLength(count);
});

test('the stubs of otherwise and onInvalid say what follows when they return', () => {
  expect(printFile(unhandledFunctionsFile(direct))).toMatch(
    /the delivery is acknowledged[^]*the delivery is refused[^]*keep `text`/u,
  );
  expect(printFile(unhandledFunctionsFile(stored))).toMatch(
    /the event is done[^]*the event is a dead letter/u,
  );
});
