// A receiver or a consumer around an engine, which a test kills.

import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConsumer, type Consumer } from '../../../../packages/runtime/webhooks/consumer.ts';
import type { Forward } from '../../../../packages/runtime/webhooks/contract.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import {
  consumeFromRabbitMq,
  declareRabbitMq,
  forwardToRabbitMq,
  type RabbitChannel,
} from '../../../../packages/runtime/webhooks/rabbitmq.ts';
import { createReceiver, unauthenticated } from '../../../../packages/runtime/webhooks/receiver.ts';
import { consumeFromSqs, forwardToSqs } from '../../../../packages/runtime/webhooks/sqs.ts';
import { orderedKinds } from './ordered-kinds.ts';
import { sqsClient } from './sqs-client.ts';

const [role = '', engine = '', url = '', handledFile = ''] = process.argv.slice(2);
const exchange = 'deliveries';

interface Connection {
  createConfirmChannel(): Promise<RabbitChannel & { close(): Promise<void> }>;
  on(event: string, listener: () => void): void;
}

/** Opens a channel of its own. The process ends with its connection, and is then started again. */
async function openRabbit(): Promise<RabbitChannel> {
  const amqplib = createRequire(process.env['AMQPLIB'] ?? '')('amqplib') as {
    connect(address: string): Promise<Connection>;
  };
  const connection = await amqplib.connect(url);
  connection.on('error', () => process.exit(3));
  connection.on('close', () => process.exit(3));
  return await connection.createConfirmChannel();
}

async function receive(forward: Forward): Promise<void> {
  const receiver = createReceiver(orderedKinds, {
    authenticate: unauthenticated(),
    forward,
    onEvent: () => undefined,
  });
  const server = createServer(toNodeHandler(receiver));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
  });
}

/** Records each event that is handled. Some fail at first, so that those behind them have to wait. */
function createRecorder(): Consumer {
  const handle = async (
    { data }: { readonly data: { readonly id: string; readonly state: number } },
    { id, attempt }: { readonly id: string; readonly attempt: number },
  ): Promise<void> => {
    await sleep(5);
    if (attempt === 1 && data.state % 7 === 3) throw new Error('not now');
    appendFileSync(handledFile, `${data.id} ${data.state} ${id}\n`);
  };
  return createConsumer(orderedKinds, {
    on: { docked: handle, sailed: handle },
    otherwise: () => undefined,
    onInvalid: () => 'accept',
    onEvent: () => undefined,
    retry: { firstDelayMs: 20, jitter: 0 },
  });
}

if (engine === 'rabbitmq') {
  const channel = await openRabbit();
  const { queues, deadLetterQueue } = await declareRabbitMq(channel, { exchange, queues: 3 });
  if (role === 'receiver') await receive(forwardToRabbitMq({ channel, exchange }));
  else {
    const consumer = createRecorder();
    const { signal } = new AbortController();
    const all = await Promise.all(
      queues.map(async (queue, index) => ({
        channel: index === 0 ? channel : await openRabbit(),
        queue,
        deadLetterQueue,
        signal,
      })),
    );
    process.stdout.write('ready\n');
    await Promise.all(all.map((options) => consumeFromRabbitMq(consumer, options)));
  }
} else {
  const client = sqsClient(url);
  const queueUrl = `${url}/deliveries.fifo`;
  if (role === 'receiver') await receive(forwardToSqs({ client, queueUrl }));
  else {
    const deadLetterQueueUrl = `${url}/dead.fifo`;
    const handle = consumeFromSqs(createRecorder(), { client, queueUrl, deadLetterQueueUrl });
    process.stdout.write('ready\n');
    // What the event source of a Lambda function does.
    const poll = async (): Promise<never> => {
      for (;;) {
        const records = await client.receive(queueUrl);
        const failed = await handle({ Records: records });
        const kept = new Set(failed.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        for (const record of records)
          if (!kept.has(record.messageId)) await client.remove(queueUrl, record);
        if (records.length === 0) await sleep(20);
      }
    };
    await Promise.all([poll(), poll(), poll()]);
  }
}
