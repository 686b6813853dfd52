// Handles the deliveries on quorum queues of RabbitMQ.

import { Buffer } from 'node:buffer';
import type { Consumer, Decision } from './consumer.ts';
import { createLanes, pause } from './engine.ts';
import {
  type Publish,
  publisherOf,
  type RabbitChannel,
  type RabbitMessage,
} from './rabbitmq-channel.ts';

/** What `consumeFromRabbitMq` reads, and until when. */
export interface RabbitConsumption {
  /** Opens a channel that nothing else uses. It is closed here. */
  readonly open: () => PromiseLike<RabbitChannel>;
  /** What `declareRabbitMq` returned. */
  readonly queues: readonly string[];
  readonly deadLetterQueue: string;
  /** Ends the consumption: waits for the handlers in progress, and resolves. */
  readonly signal: AbortSignal;
  /**
   * The number of deliveries of each queue that are held at a time. Default: 50. Let the queues run empty before you
   * lower it: the server gives those that were held again in another order to a consumer that holds fewer.
   */
  readonly prefetch?: number;
  /** Milliseconds for which one is held, below the `consumer_timeout` of the server. Default: 1,500,000 (25 minutes). */
  readonly maxHoldMs?: number;
  /** How often a process may end while it handles a delivery alone, after which the delivery is dead. Default: 5. */
  readonly maxInterruptions?: number;
}

/** Milliseconds that a process has to live before a delivery is dead because others have ended. */
const quietMs = 20_000;

/** What a consumption knows beyond the end of a channel. */
interface Progress {
  /** The queues of which everything was handled that consumers before had not finished. */
  readonly started: Set<string>;
  /** The deliveries that are to be given again, by id. */
  readonly waiting: Map<unknown, { readonly attempts: number; readonly dueAt: number }>;
}

/**
 * Handles the deliveries of queues: those of each order key in order, and others at the same time. A delivery that is to be
 * given again is held, so that those of its key wait behind it. A dead one is published to `deadLetterQueue`.
 *
 * Attempts are counted here: the server also counts deliveries that were only held. Those that a process has not finished
 * before it ended are handled one at a time by the next one, which records each beginning: so a delivery is found that
 * ends its processes.
 *
 * Opens another channel after one has ended: the server then gives everything again that was not finished, in order.
 * Rejects if there is none, or if the server refuses a request.
 */
export async function consumeFromRabbitMq(
  consumer: Consumer,
  options: RabbitConsumption,
): Promise<void> {
  const progress: Progress = { started: new Set(), waiting: new Map() };
  while (!options.signal.aborted) await consumeOnChannel(consumer, options, progress);
}

async function consumeOnChannel(
  { consume }: Consumer,
  options: RabbitConsumption,
  { started, waiting }: Progress,
): Promise<void> {
  const { open, queues, deadLetterQueue, signal, prefetch = 50 } = options;
  const { maxHoldMs = 1_500_000, maxInterruptions = 5 } = options;
  const channel = await open();
  const publishing = publisherOf(channel);
  const lanes = createLanes();
  const closed = new AbortController();
  const over = new AbortController();
  const ended = AbortSignal.any([signal, closed.signal, over.signal]);
  const whenClosed = pause(Infinity, closed.signal);
  // A channel that has ended may never confirm. Whatever follows finds it closed.
  const publish: Publish = async (...message) =>
    await Promise.race([publishing(...message), whenClosed]);
  let failure: unknown;
  const fail = (cause: unknown): void => {
    if (!closed.signal.aborted) failure ??= cause;
    over.abort();
  };
  channel.on('close', () => closed.abort());
  channel.on('error', fail);

  /** Returns when the delivery is due again; `undefined` if nothing more can be done with it on this channel. */
  async function attempt(message: RabbitMessage, isPoison = false): Promise<number | undefined> {
    const { content, properties } = message;
    const { messageId: id } = properties;
    if (isPoison) await pause(quietMs, ended);
    if (ended.aborted) return undefined;
    const attempts = (waiting.get(id)?.attempts ?? 0) + 1;
    const decision: Decision = isPoison
      ? { outcome: 'dead', reason: 'interrupted' }
      : await consume(content.toString(), attempts, closed.signal);
    if (decision.outcome === 'dead') {
      const headers = { 'x-reason': decision.reason };
      await publish(['', deadLetterQueue], content, { headers });
    }
    if (closed.signal.aborted) return undefined;
    if (decision.outcome === 'retry') {
      const dueAt = performance.now() + decision.afterMs;
      waiting.set(id, { attempts, dueAt });
      return dueAt;
    }
    waiting.delete(id);
    channel.ack(message);
    return undefined;
  }

  /** The marks of the deliveries that processes began and did not finish, by the name of their queue. */
  const marks = new Map<string, RabbitMessage[]>();
  /** The end of what is handled alone. */
  let alone: Promise<unknown> = Promise.resolve();

  async function attemptAlone(message: RabbitMessage, queue: string): Promise<number | undefined> {
    const markQueue = `${queue}.begun`;
    const known = marks.get(queue) ?? (await takeAll(channel, markQueue));
    marks.set(queue, known);
    const { messageId } = message.properties;
    const own = known.filter(({ properties }) => properties.messageId === messageId);
    await publish(['', markQueue], Buffer.alloc(0), { messageId });
    const dueAt = await attempt(message, own.length >= maxInterruptions);
    if (closed.signal.aborted) return undefined;
    // It has not ended this process.
    for (const mark of [...own, ...(await takeAll(channel, markQueue))]) channel.ack(mark);
    return dueAt;
  }

  async function handle(message: RabbitMessage, queue: string, isSuspect: boolean): Promise<void> {
    const heldUntil = performance.now() + maxHoldMs;
    let dueAt: number | undefined = waiting.get(message.properties.messageId)?.dueAt ?? 0;
    if (isSuspect) {
      const running = alone.then(async () => await attemptAlone(message, queue));
      alone = running.catch(() => undefined);
      dueAt = await running;
    }
    while (dueAt !== undefined) {
      const waitMs = Math.min(dueAt, heldUntil) - performance.now();
      if (waitMs > 0) await pause(waitMs, ended);
      // The server gives it again on the next channel.
      if (dueAt > heldUntil) over.abort();
      await alone;
      dueAt = await attempt(message);
    }
  }

  await channel.prefetch(prefetch);
  for (const queue of queues)
    await channel.consume(queue, (message) => {
      // The server has cancelled the consumer.
      if (message === null) over.abort();
      if (message === null || ended.aborted) return;
      const { routingKey, redelivered } = message.fields;
      if (!redelivered) started.add(queue);
      const isSuspect = !started.has(queue);
      lanes.add(routingKey, async () => await handle(message, queue, isSuspect)).catch(fail);
    });
  await pause(Infinity, ended);
  await lanes.end();
  for (const queue of queues) started.add(queue);
  // Not a cancelled consumer: the next one would overtake what this channel still has.
  if (!closed.signal.aborted) await channel.close();
  if (failure !== undefined) throw failure;
}

/** Returns the messages of a queue, which come back to it if the channel ends before they are acknowledged. */
async function takeAll(channel: RabbitChannel, queue: string): Promise<RabbitMessage[]> {
  const messages: RabbitMessage[] = [];
  for (;;) {
    const message = await channel.get(queue);
    if (message === false) return messages;
    messages.push(message);
  }
}
