// Puts deliveries on quorum queues of RabbitMQ.

import { Buffer } from 'node:buffer';
import type { Forward, TraceContext } from './contract.ts';
import { toMessage } from './engine.ts';
import { type Publish, publisherOf, type RabbitChannel } from './rabbitmq-channel.ts';

export type { RabbitChannel } from './rabbitmq-channel.ts';
export { consumeFromRabbitMq, type RabbitConsumption } from './rabbitmq-consumer.ts';

/** The queues between receivers and consumers. */
export interface RabbitQueues {
  /** Each has the deliveries of some order keys, and one consumer at a time. */
  readonly queues: readonly string[];
  readonly deadLetterQueue: string;
}

/**
 * Declares a consistent-hash exchange (plugin `rabbitmq_consistent_hash_exchange`) with durable quorum queues, and the
 * queue of dead deliveries. Another number of queues moves order keys between them: let them run empty before.
 */
export async function declareRabbitMq(
  channel: Pick<RabbitChannel, 'assertExchange' | 'assertQueue' | 'bindQueue'>,
  { exchange, queues: count }: { readonly exchange: string; readonly queues: number },
): Promise<RabbitQueues> {
  const deadLetterQueue = `${exchange}.dead`;
  const declare = (name: string, more: object = {}): PromiseLike<unknown> =>
    channel.assertQueue(name, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-overflow': 'reject-publish', ...more },
    });
  await channel.assertExchange(exchange, 'x-consistent-hash', { durable: true });
  await declare(deadLetterQueue);
  const queues = Array.from({ length: count }, (_, index) => `${exchange}.${index}`);
  for (const queue of queues) {
    await declare(queue, {
      'x-single-active-consumer': true,
      // RabbitMQ 4 has a limit of 20, which also counts deliveries that were only held: the consumer finds what ends it.
      'x-delivery-limit': 1_000_000,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterQueue,
      'x-dead-letter-strategy': 'at-least-once',
    });
    // What a consumer begins that its predecessor has not finished.
    await declare(`${queue}.begun`);
    await channel.bindQueue(queue, exchange, '1');
  }
  return { queues, deadLetterQueue };
}

/**
 * Creates the function `forward` for an exchange that `declareRabbitMq` declared. The order key is the routing key, as a
 * digest. RabbitMQ keeps repetitions, which the replay store of the consumer recognizes by their ids.
 */
export function forwardToRabbitMq(options: {
  /** Opens a channel: for the first delivery, and for the next one after a channel has ended. */
  readonly open: () => PromiseLike<Pick<RabbitChannel, 'publish' | 'on'>>;
  readonly exchange: string;
  /** Returns the trace that the consumer continues. */
  readonly trace?: () => TraceContext;
}): Forward {
  const { open, exchange, trace } = options;
  let publisher: Promise<Publish> | undefined;
  const start = (): Promise<Publish> => {
    const opening = Promise.resolve(open()).then((channel) => {
      channel.on('close', forget);
      // What it has not confirmed is rejected.
      channel.on('error', forget);
      return publisherOf(channel);
    });
    // Not the next one: a channel that failed can still be closed afterwards.
    const forget = (): void => {
      if (publisher === opening) publisher = undefined;
    };
    opening.catch(forget);
    return opening;
  };
  return async (delivery) => {
    const { id, text, key } = await toMessage(delivery, trace);
    publisher ??= start();
    const publish = await publisher;
    await publish([exchange, key], Buffer.from(text), { messageId: id });
  };
}
