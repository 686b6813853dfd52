// Puts deliveries on quorum queues of RabbitMQ, and handles them.

import { Buffer } from 'node:buffer';
import type { Consumer } from './consumer.ts';
import { type Forward, type TraceContext, WebhookError } from './contract.ts';
import { digest } from './identify.ts';
import { serialize } from './serialize.ts';

/** A message that was delivered. */
interface RabbitMessage {
  readonly content: Buffer;
  readonly fields: { readonly routingKey: string };
}

/** A message that no queue took. */
interface ReturnedMessage {
  readonly properties: { readonly correlationId?: unknown };
}

/** What the adapter calls of a `ConfirmChannel` of `amqplib`. */
export interface RabbitChannel {
  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    options: object,
    onConfirm: (error: unknown) => void,
  ): boolean;
  assertExchange(name: string, type: string, options: object): PromiseLike<unknown>;
  assertQueue(name: string, options: object): PromiseLike<unknown>;
  bindQueue(queue: string, exchange: string, pattern: string): PromiseLike<unknown>;
  prefetch(count: number): PromiseLike<unknown>;
  consume(
    queue: string,
    onMessage: (message: RabbitMessage | null) => void,
  ): PromiseLike<{ readonly consumerTag: string }>;
  cancel(consumerTag: string): PromiseLike<unknown>;
  ack(message: RabbitMessage): void;
  on(event: 'return', listener: (message: ReturnedMessage) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: 'error', listener: (cause: Error) => void): unknown;
}

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
      // A server with a limit of deliveries drops what exceeds it, unless it is dead-lettered.
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterQueue,
      'x-dead-letter-strategy': 'at-least-once',
    });
    await channel.bindQueue(queue, exchange, '1');
  }
  return { queues, deadLetterQueue };
}

/** The messages that RabbitMQ returned before it confirmed them, because no queue took them. */
const returned = new WeakMap<object, Set<unknown>>();

/** Publishes a message. Resolves after a queue has confirmed it. */
async function publish(
  channel: Pick<RabbitChannel, 'publish' | 'on'>,
  [exchange, key]: readonly [exchange: string, key: string],
  content: Buffer,
  options: object,
): Promise<void> {
  const correlationId = crypto.randomUUID();
  let ids = returned.get(channel);
  if (ids === undefined) {
    const known = (ids = new Set<unknown>());
    returned.set(channel, known);
    channel.on('return', ({ properties }) => known.add(properties.correlationId));
  }
  const unconfirmed = ids;
  await new Promise<void>((resolve, reject) => {
    const message = { ...options, mandatory: true, persistent: true, correlationId };
    channel.publish(exchange, key, content, message, (error) => {
      if (error !== null && error !== undefined) reject(error);
      else if (unconfirmed.delete(correlationId)) reject(engineFailed('No queue took a message'));
      else resolve();
    });
  });
}

/**
 * Creates the function `forward` for an exchange that `declareRabbitMq` declared. The order key is the routing key, as a
 * digest. RabbitMQ keeps repetitions, which the replay store of the consumer recognizes by their ids.
 */
export function forwardToRabbitMq(options: {
  readonly channel: Pick<RabbitChannel, 'publish' | 'on'>;
  readonly exchange: string;
  /** Returns the trace that the consumer continues. */
  readonly trace?: () => TraceContext;
}): Forward {
  const { channel, exchange, trace } = options;
  return async (delivery) => {
    const { id, orderKey } = delivery;
    const text = serialize(trace === undefined ? delivery : { ...delivery, trace: trace() });
    const key = await digest(orderKey ?? id);
    await publish(channel, [exchange, key], Buffer.from(text), { messageId: id });
  };
}

/** What `consumeFromRabbitMq` reads, and until when. */
export interface RabbitConsumption extends Pick<RabbitQueues, 'deadLetterQueue'> {
  /** A channel of its own for each queue, or a `prefetch` for all queues of a channel. */
  readonly channel: RabbitChannel;
  readonly queue: string;
  /** Ends the consumption: waits for the handlers in progress, and resolves. */
  readonly signal: AbortSignal;
  /** The number of deliveries that are held at a time. Default: 50. */
  readonly prefetch?: number;
  /** Milliseconds for which one is held, below the `consumer_timeout` of the server. Default: 1,500,000 (25 minutes). */
  readonly maxHoldMs?: number;
}

/**
 * Handles the deliveries of a queue: those of each order key in order, and others at the same time. A delivery that is to
 * be given again is held, so that those of its key wait behind it. Attempts are counted here, and not by the server: it
 * also counts deliveries that were only held. A dead delivery is published to `deadLetterQueue`.
 *
 * Rejects if the channel ends, or if a delivery would be held for longer than `maxHoldMs`. Close the channel and open
 * another one: the server then gives everything again that was not finished, in order.
 */
export async function consumeFromRabbitMq(
  { consume }: Consumer,
  options: RabbitConsumption,
): Promise<void> {
  const { channel, queue, deadLetterQueue, signal, prefetch = 50, maxHoldMs = 1_500_000 } = options;
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const lanes = new Map<string, Promise<void>>();
  const end = (cause: unknown): void => ended.abort(cause);
  const whenEnded = pause(undefined, ended.signal);

  async function handle(message: RabbitMessage): Promise<void> {
    const heldUntil = performance.now() + maxHoldMs;
    for (let attempt = 1; !either.aborted; attempt++) {
      const decision = await consume(message.content.toString(), attempt, ended.signal);
      if (decision.outcome === 'retry') {
        if (performance.now() + decision.afterMs > heldUntil)
          throw engineFailed('A delivery would be held for too long');
        await pause(decision.afterMs, either);
        continue;
      }
      if (decision.outcome === 'dead') {
        const headers = { 'x-reason': decision.reason };
        const sent = publish(channel, ['', deadLetterQueue], message.content, { headers });
        // A channel that has ended may never confirm.
        await Promise.race([sent, whenEnded]);
        ended.signal.throwIfAborted();
      }
      channel.ack(message);
      return;
    }
  }

  channel.on('close', () => end(engineFailed('The channel ended')));
  channel.on('error', end);
  await channel.prefetch(prefetch);
  const { consumerTag } = await channel.consume(queue, (message) => {
    if (message === null) end(engineFailed('The server cancelled the consumer'));
    if (message === null || either.aborted) return;
    const { routingKey } = message.fields;
    const lane = (lanes.get(routingKey) ?? Promise.resolve())
      .then(() => handle(message))
      .catch(end)
      .finally(() => {
        if (lanes.get(routingKey) === lane) lanes.delete(routingKey);
      });
    lanes.set(routingKey, lane);
  });
  await pause(undefined, either);
  if (!ended.signal.aborted) await channel.cancel(consumerTag);
  await Promise.all(lanes.values());
  ended.signal.throwIfAborted();
}

/** Waits for so many milliseconds, or without a number for ever, but no longer than until the signal aborts. */
async function pause(milliseconds: number | undefined, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

function engineFailed(what: string): WebhookError {
  return new WebhookError('engine-failed', `${what}.`);
}
