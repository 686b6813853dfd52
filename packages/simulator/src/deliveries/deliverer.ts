import type { SimulatorContext } from '../context.ts';
import type { DeliveryEntry } from '../entry.ts';
import { SimulatorError } from '../simulator-error.ts';
import type { Delivery, PlannedDelivery, Simulator, TriggerOptions } from '../simulator.ts';
import { createAuthenticator, type Header } from './authenticator.ts';
import { burstSize } from './choose-faults.ts';
import { composeTriggered, findNotification } from './compose.ts';
import { listDeliveries } from './delivery-store.ts';
import { framingHeaders, openConnections } from './exchange.ts';
import { freshHeaders, Identities, identityOfDelivery, toOtherEvent } from './identity.ts';
import { Job } from './job.ts';
import type { Outgoing } from './outgoing.ts';
import { toPayload } from './payload.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { playPlan } from './play-plan.ts';
import { readPlanned } from './read-planned.ts';
import { possibleSecrets, readReceiver, type Receiver } from './receiver.ts';
import { AttemptSender } from './send-attempt.ts';
import { systemResolve } from '../loopback.ts';
import { toOutgoing } from './send-again.ts';

/** Sends notifications to the receiver. */
export interface Deliverer extends Pick<
  Simulator,
  'trigger' | 'sendAgain' | 'plan' | 'play' | 'settled'
> {
  /** The receiver's base address. */
  to: string | undefined;
  /** The deliveries that the journal keeps. */
  list(): readonly Delivery[];
  close(): Promise<void>;
}

/** The maximum number of deliveries that wait for another attempt. Beyond it, the oldest one is given up. */
const maxPending = 10_000;

/** The maximum size of the bodies of these deliveries, in bytes. */
const maxPendingBytes = 128 * 1024 * 1024;

/** Milliseconds of the clock after which a delivery that is out of order is sent, if no other delivery was. */
const maxHold = 5_000;

/**
 * Checks headers that a caller gives.
 * @throws SimulatorError `invalid-option`
 */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const shown = JSON.stringify(name.slice(0, 60));
    if (!/^[!#$%&'*+.^_`|~\w-]+$/u.test(name))
      throw new SimulatorError('invalid-option', `${shown} is not the name of a header.`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/u.test(value))
      throw new SimulatorError(
        'invalid-option',
        `The value of the header ${shown} has characters that HTTP does not allow.`,
      );
    if (framingHeaders.has(name.toLowerCase()))
      throw new SimulatorError(
        'invalid-option',
        `The header ${shown} belongs to the connection. The simulator sets it itself.`,
      );
  }
}

/** Creates a sender of notifications. */
export function createDeliverer(context: SimulatorContext): Deliverer {
  const { clock, description, options, random, journal, redactor } = context;
  const authenticator = createAuthenticator(context);
  const connections = openConnections();
  const sender = new AttemptSender(context, authenticator, connections);
  const pending = new Set<Job>();
  let pendingBytes = 0;
  const identities = new Identities();
  /** Deliveries that wait until the next one was sent. */
  const held = new Set<Job>();
  const running = new Set<Promise<unknown>>();
  let receiver: Receiver | undefined;
  let isClosed = false;
  let endPlays: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    endPlays = resolve;
  });

  const setReceiver = (to: string | URL | undefined): void => {
    const { pathSecret } = options.authentication ?? {};
    receiver =
      to === undefined
        ? undefined
        : readReceiver(to, options.allowRemote === true, systemResolve, pathSecret);
    const isInPath = description.schemes.some((scheme) => scheme.in === 'path');
    // Where the caller writes the secret into the address, any segment can be it.
    if (receiver !== undefined && isInPath && pathSecret === undefined)
      for (const segment of possibleSecrets(receiver.base)) redactor.add(segment);
  };
  setReceiver(options.to);
  const requireReceiver = (): Receiver => {
    if (isClosed) throw new SimulatorError('closed', 'The simulator is closed.');
    if (receiver === undefined)
      throw new SimulatorError(
        'no-receiver',
        'The simulator has no receiver. Set its address (`to`, `--to`).',
      );
    return receiver;
  };

  const createJob = (outgoing: Outgoing): Job => {
    const { notification, headers, payload, corrected } = outgoing;
    const { value } = corrected ?? payload;
    const isRepeated =
      identities.add(identityOfDelivery(context, { notification, value, headers })) ||
      outgoing.isRepeated === true;
    const job = new Job(context, sender, { ...outgoing, isRepeated }, requireReceiver);
    const size = payload.bytes.byteLength + (corrected?.bytes.byteLength ?? 0);
    pending.add(job);
    pendingBytes += size;
    void job.done.then(() => {
      pending.delete(job);
      pendingBytes -= size;
    });
    const [oldest] = pending;
    if (pending.size > maxPending || (pending.size > 1 && pendingBytes > maxPendingBytes))
      oldest?.end();
    return job;
  };
  const release = (): void => {
    const released = [...held];
    held.clear();
    for (const job of released) void start(job).catch(() => undefined);
  };
  const start = async (job: Job): Promise<void> => {
    const started = job.start();
    running.add(started);
    try {
      await started;
    } finally {
      running.delete(started);
      release();
    }
  };
  // One source for all: sources that are forked by number would give equal identifiers among 100,000.
  const ids = random.fork('deliveries');
  const nextId = (): string => ids.uuid();

  const send = async (outgoing: Outgoing): Promise<Delivery> => {
    // The delivery is pending before anything is awaited, so that `settled` waits for it.
    const job = createJob(outgoing);
    try {
      await requireReceiver().address();
    } catch (error) {
      job.end();
      throw error;
    }
    if (outgoing.faults.includes('delayed'))
      job.startAt(clock.now() + random.fork(`${outgoing.id} delay`).integer(1_000, 30_000));
    else if (outgoing.faults.includes('out-of-order')) {
      job.startAt(clock.now() + maxHold);
      held.add(job);
      void job.done.then(() => held.delete(job));
    } else await start(job);
    return job.delivery;
  };

  /** Sends the other deliveries of a burst: the same kind, with other identifiers. */
  const sendBurst = (first: Outgoing, given: readonly Header[]): void => {
    const { notification, payload } = first;
    const { value } = payload;
    if (value === undefined) return;
    for (let index = 1; index < burstSize; index += 1) {
      const id = nextId();
      const headers = [...given, ...freshHeaders(context, notification, id, given)];
      const varied = toOtherEvent(
        context,
        { notification, headers },
        value,
        random.fork(`${id} content`),
        identities,
      );
      const other = toPayload(context, notification, varied, payload.example);
      const job = createJob({ ...first, id, headers, payload: other, faults: ['burst'] });
      void start(job).catch(() => undefined);
    }
  };

  const trigger = async (kind: string, given: TriggerOptions = {}): Promise<Delivery> => {
    requireReceiver();
    const notification = findNotification(context, kind);
    const id = nextId();
    const { run } = given;
    checkHeaders(given.headers ?? {});
    const own = Object.entries(given.headers ?? {});
    const headers = [...own, ...freshHeaders(context, notification, id, own)];
    const content = composeTriggered(
      context,
      authenticator,
      notification,
      given,
      headers,
      random.fork(`${id} content`),
      identities,
    );
    const outgoing: Outgoing = {
      ...content,
      id,
      notification,
      headers,
      ...(run === undefined ? {} : { run }),
    };
    const sent = send(outgoing);
    if (outgoing.faults.includes('burst')) sendBurst(outgoing, own);
    return await sent;
  };

  return {
    get to() {
      return receiver?.base.href;
    },
    set to(address) {
      setReceiver(address);
    },
    list: () =>
      listDeliveries(
        journal,
        [...pending].map(({ delivery }) => delivery),
      ),
    trigger,
    async sendAgain(entry: DeliveryEntry) {
      const { base } = requireReceiver();
      return await send(toOutgoing(context, authenticator, entry, base, nextId()));
    },
    plan: (given) => planDeliveries(context, authenticator, given),
    async play(plan: readonly PlannedDelivery[]) {
      for (const { kind } of plan) findNotification(context, kind);
      const checked = requireReceiver().address();
      // Schedules before anything is awaited, so that the caller can advance the clock at once.
      const played = playPlan(clock, plan, closed, (planned) => {
        const job = createJob(readPlanned(context, planned));
        return { job, started: start(job).catch(() => undefined) };
      });
      await checked;
      return await played;
    },
    async settled() {
      release();
      while (pending.size > 0) await Promise.all([...pending].map(({ done }) => done));
    },
    async close() {
      isClosed = true;
      endPlays();
      for (const job of pending) job.end();
      connections.close();
      await Promise.allSettled(running);
    },
  };
}
