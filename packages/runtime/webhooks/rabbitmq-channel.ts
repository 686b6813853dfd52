// What the adapter calls of a channel of RabbitMQ.

import type { Buffer } from 'node:buffer';
import { WebhookError } from './contract.ts';

/** A message that was delivered. */
export interface RabbitMessage {
  readonly content: Buffer;
  readonly fields: { readonly routingKey: string; readonly redelivered: boolean };
  readonly properties: {
    readonly messageId?: unknown;
    readonly correlationId?: unknown;
  };
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
  consume(queue: string, onMessage: (message: RabbitMessage | null) => void): PromiseLike<unknown>;
  get(queue: string): PromiseLike<RabbitMessage | false>;
  ack(message: RabbitMessage): void;
  close(): PromiseLike<unknown>;
  on(event: 'return', listener: (message: Pick<RabbitMessage, 'properties'>) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: 'error', listener: (cause: Error) => void): unknown;
}

/** Publishes a message. Resolves after a queue has confirmed it. */
export type Publish = (
  to: readonly [exchange: string, key: string],
  content: Buffer,
  options: object,
) => Promise<void>;

/** Returns the function that publishes on a channel. */
export function publisherOf(channel: Pick<RabbitChannel, 'publish' | 'on'>): Publish {
  // RabbitMQ returns a message that no queue takes, and then confirms it.
  const returned = new Set<unknown>();
  channel.on('return', ({ properties }) => returned.add(properties.correlationId));
  return async ([exchange, key], content, options) => {
    const correlationId = crypto.randomUUID();
    const message = { ...options, mandatory: true, persistent: true, correlationId };
    await new Promise<void>((resolve, reject) => {
      channel.publish(exchange, key, content, message, (error) => {
        if (error !== null && error !== undefined) reject(error);
        else if (returned.delete(correlationId))
          reject(new WebhookError('engine-failed', 'No queue took a message.'));
        else resolve();
      });
    });
  };
}
