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
/** The ship whose events end the process that handles them. */
const poison = 'poison';

/** Opens channels of a connection that is opened again after it has ended. */
async function connectRabbit(): Promise<() => Promise<RabbitChannel>> {
  const amqplib = createRequire(process.env['AMQPLIB'] ?? '')('amqplib') as {
    connect(
      address: string,
      options: object,
    ): Promise<{
      createConfirmChannel(): Promise<RabbitChannel>;
      on(event: string, listener: () => void): void;
    }>;
  };
  const connection = await amqplib.connect(url, { recovery: { maxDelay: 500 } });
  connection.on('error', () => undefined);
  return async () => await connection.createConfirmChannel();
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
    if (data.id === poison) process.kill(process.pid, 'SIGKILL');
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
  const open = await connectRabbit();
  const { queues, deadLetterQueue } = await declareRabbitMq(await open(), { exchange, queues: 3 });
  if (role === 'receiver') await receive(forwardToRabbitMq({ open, exchange }));
  else {
    const consumer = createRecorder();
    const stop = new AbortController();
    process.once('SIGTERM', () => stop.abort());
    process.stdout.write('ready\n');
    const options = { open, queues, deadLetterQueue, signal: stop.signal, maxInterruptions: 3 };
    await consumeFromRabbitMq(consumer, options);
    process.exit(0);
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
