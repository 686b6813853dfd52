import { expect, test } from 'vitest';
import { createConsumer, type Consumer } from '../../../../packages/runtime/webhooks/consumer.ts';
import { createReceiver, unauthenticated } from '../../../../packages/runtime/webhooks/receiver.ts';
import {
  consumeFromSqs,
  forwardToSqs,
  type SqsRecord,
} from '../../../../packages/runtime/webhooks/sqs.ts';
import { startFakeSqs, type FakeSqs } from './fake-sqs.ts';
import { orderedKinds } from './ordered-kinds.ts';
import { sqsClient } from './sqs-client.ts';

/** Sends a delivery of a ship to a receiver that forwards to SQS. Returns the status. */
async function send(server: FakeSqs, id: string, state: number, trace?: object): Promise<number> {
  const receive = createReceiver(orderedKinds, {
    authenticate: unauthenticated(),
    forward: forwardToSqs({
      client: sqsClient(server.url),
      queueUrl: `${server.url}/deliveries.fifo`,
      ...(trace && { trace: () => trace }),
    }),
    onEvent: () => undefined,
  });
  const { status } = await receive({
    method: 'POST',
    target: '/docked',
    headers: (name) => (name === 'x-delivery' ? [`${id}-${state}`] : []),
    read: () => Buffer.from(JSON.stringify({ id, state })),
  });
  return status;
}

interface Run {
  readonly handled: string[];
  /** Receives at most so many messages, handles them as a Lambda function, and removes those that are done. */
  poll(max?: number): Promise<number>;
}

/** @param fails returns whether an attempt fails; `dead` makes the delivery a dead letter */
function run(
  server: FakeSqs,
  fails: (event: string, attempt: number) => boolean | 'dead' = () => false,
  client: Partial<ReturnType<typeof sqsClient>> = {},
): Run {
  const handled: string[] = [];
  const handle = (
    { data }: { readonly data: { readonly id: string; readonly state: number } },
    { attempt, deadLetter }: { attempt: number; deadLetter: (reason: string) => never },
  ): void => {
    const event = `${data.id} ${data.state}`;
    const result = fails(event, attempt);
    if (result === 'dead') deadLetter('no account\n☠');
    if (result) throw new Error('not now');
    handled.push(event);
  };
  const consumer: Consumer = createConsumer(orderedKinds, {
    on: { docked: handle, sailed: handle },
    otherwise: () => undefined,
    onInvalid: () => undefined,
    onEvent: () => undefined,
    retry: { firstDelayMs: 1000, jitter: 0, attempts: 3 },
  });
  const sqs = sqsClient(server.url);
  const queueUrl = `${server.url}/deliveries.fifo`;
  const lambda = consumeFromSqs(consumer, {
    client: { ...sqs, ...client },
    queueUrl,
    deadLetterQueueUrl: `${server.url}/dead.fifo`,
  });
  return {
    handled,
    async poll(max = 1) {
      const Records = await sqs.receive(queueUrl, max);
      const { batchItemFailures } = await lambda({ Records });
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const record of Records)
        if (!failed.has(record.messageId)) await sqs.remove(queueUrl, record);
      return failed.size;
    },
  };
}

test('a delivery is handled once, also where the sender repeats it', async () => {
  await using server = await startFakeSqs(30_000);
  for (let sent = 0; sent < 2; sent++) expect(await send(server, 'gull', 1)).toBe(200);
  expect(server.list('deliveries.fifo')).toHaveLength(1);
  const { handled, poll } = run(server);
  expect(await poll()).toBe(0);
  expect(handled).toEqual(['gull 1']);
  expect(server.list('deliveries.fifo')).toEqual([]);
});

test('the trace goes along', async () => {
  await using server = await startFakeSqs(30_000);
  await send(server, 'gull', 1, { traceparent: '00-1' });
  expect(server.list('deliveries.fifo')[0]?.body).toContain('"traceparent":"00-1"');
});

test('what SQS does not take is answered with 503', async () => {
  const server = await startFakeSqs(30_000);
  await server[Symbol.asyncDispose]();
  expect(await send(server, 'gull', 1)).toBe(503);
});

test('later events of a key wait for one that is given again, and other keys do not', async () => {
  await using server = await startFakeSqs(30_000);
  for (const [id, state] of [
    ['gull', 1],
    ['gull', 2],
    ['tern', 1],
  ] as const)
    await send(server, id, state);
  let fails = true;
  const { handled, poll } = run(server, (event) => fails && event === 'gull 1');
  expect(await poll()).toBe(1);
  for (let polls = 0; polls < 3; polls++) await poll();
  expect(handled).toEqual(['tern 1']);
  fails = false;
  await expect
    .poll(async () => (await poll(), handled), { timeout: 5000 })
    .toEqual(['tern 1', 'gull 1', 'gull 2']);
});

test('in a batch, those behind one that is given again are not handled, and come again behind it', async () => {
  await using server = await startFakeSqs(30_000);
  for (const [id, state] of [
    ['gull', 1],
    ['tern', 1],
    ['gull', 2],
    ['gull', 3],
  ] as const)
    await send(server, id, state);
  let fails = true;
  const { handled, poll } = run(server, (event) => fails && event === 'gull 2');
  expect(await poll(10)).toBe(2);
  expect(handled.toSorted()).toEqual(['gull 1', 'tern 1']);
  fails = false;
  await expect
    .poll(async () => (await poll(10), handled.slice(2)), { timeout: 5000 })
    .toEqual(['gull 2', 'gull 3']);
});

test('a dead delivery goes to the other queue with its reason, and the next of its key is handled', async () => {
  await using server = await startFakeSqs(30_000);
  for (const state of [1, 2]) await send(server, 'gull', state);
  const { handled, poll } = run(server, (event) => event === 'gull 1' && 'dead');
  expect(await poll(10)).toBe(0);
  expect(handled).toEqual(['gull 2']);
  expect(server.list('dead.fifo')).toEqual([
    { body: expect.stringContaining('"version":1'), reason: 'no account??' },
  ]);
});

test('a dead delivery stays where it is if the other queue does not take it', async () => {
  await using server = await startFakeSqs(30_000);
  await send(server, 'gull', 1);
  const sendMessage = () => Promise.reject(new Error('no connection'));
  const { poll } = run(server, () => 'dead', { sendMessage });
  expect(await poll()).toBe(1);
  expect(server.list('deliveries.fifo')).toHaveLength(1);
});

test('a message is given again after the visibility timeout if that cannot be changed', async () => {
  await using server = await startFakeSqs(20);
  await send(server, 'gull', 1);
  const changeMessageVisibility = () => Promise.reject(new Error('no connection'));
  const { handled, poll } = run(server, (_event, attempt) => attempt === 1, {
    changeMessageVisibility,
  });
  expect(await poll()).toBe(1);
  await expect.poll(async () => (await poll(), handled)).toEqual(['gull 1']);
});

test('the receipts of a message are its attempts', async () => {
  await using server = await startFakeSqs(30_000);
  await send(server, 'gull', 1);
  const attempts: number[] = [];
  const { poll } = run(server, (_event, attempt) => attempts.push(attempt) > 0);
  await expect
    .poll(async () => (await poll(), server.list('dead.fifo').length), { timeout: 8000 })
    .toBe(1);
  expect(attempts).toEqual([1, 2, 3]);
  expect(server.list('deliveries.fifo')).toEqual([]);
});

test('a text that is no delivery is dead', async () => {
  await using server = await startFakeSqs(30_000);
  await sqsClient(server.url).sendMessage({
    QueueUrl: `${server.url}/deliveries.fifo`,
    MessageBody: 'hello',
    MessageGroupId: 'g',
    MessageDeduplicationId: 'd',
  });
  expect(await run(server).poll()).toBe(0);
  expect(server.list('dead.fifo')).toEqual([{ body: 'hello', reason: 'malformed-record' }]);
});

/** Compiled with everything else, never run: what Lambda and the clients of AWS give fits. */
export function use(record: SqsRecord): string {
  return record.attributes.ApproximateReceiveCount;
}
