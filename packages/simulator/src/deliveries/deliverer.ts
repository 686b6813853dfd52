import type { SimulatorContext } from '../context.ts';
import type { DeliveryEntry } from '../entry.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { Delivery, PlannedDelivery, Simulator, TriggerOptions } from '../simulator.ts';
import type { Header } from '../sending/secret-places.ts';
import { Authenticator } from './authenticator.ts';
import { burstSize } from './choose-faults.ts';
import { composeTriggered, findNotification } from './compose.ts';
import { listDeliveries } from './delivery-store.ts';
import { CurrentReceiver } from './current-receiver.ts';
import { framingHeaders, openConnections } from '../sending/exchange.ts';
import { freshHeaders, Identities, toOtherEvent } from './identity.ts';
import type { Outgoing } from './outgoing.ts';
import { toPayload } from './payload.ts';
import { PendingJobs } from './pending-jobs.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { playPlan } from './play-plan.ts';
import { readPlanned } from './read-planned.ts';
import { AttemptSender } from './send-attempt.ts';
import { toOutgoing } from './send-again.ts';

/** Sends notifications to the receiver. */
export interface Deliverer extends Pick<
  Simulator,
  'trigger' | 'sendAgain' | 'plan' | 'play' | 'settled'
> {
  /** The receiver's base address. */
  to: string | undefined;
  readonly clientCertificate: Simulator['clientCertificate'];
  /** The deliveries that the journal keeps. */
  list(): readonly Delivery[];
  close(): Promise<void>;
}

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

/** What the functions of a deliverer share. */
interface Sending {
  readonly context: SimulatorContext;
  readonly authenticator: Authenticator;
  readonly identities: Identities;
  readonly receiver: CurrentReceiver;
  readonly jobs: PendingJobs;
  readonly nextId: () => string;
}

/** Creates a sender of notifications. Its functions can be passed on without it. */
export function createDeliverer(context: SimulatorContext): Deliverer {
  const { journal, random } = context;
  const authenticator = new Authenticator(context);
  const connections = openConnections();
  const sender = new AttemptSender(context, authenticator, connections);
  const identities = new Identities();
  const receiver = new CurrentReceiver(context);
  const jobs = new PendingJobs({ context, sender, receiver, identities });
  // One source for all: sources that are forked by number would give equal identifiers among 100,000.
  const ids = random.fork('deliveries');
  const nextId = (): string => ids.uuid();
  const sending: Sending = { context, authenticator, identities, receiver, jobs, nextId };
  const closed = Promise.withResolvers<void>();
  return {
    get to() {
      return receiver.href;
    },
    get clientCertificate() {
      const { certificates } = authenticator;
      const cert = certificates?.get()?.cert;
      return cert === undefined ? undefined : { cert, authority: certificates?.authority };
    },
    set to(address) {
      receiver.set(address);
    },
    list: () => listDeliveries(journal, jobs.deliveries),
    trigger: (kind, options) => trigger(sending, kind, options),
    async sendAgain(entry: DeliveryEntry) {
      const { base } = receiver.require();
      return await send(sending, toOutgoing(context, authenticator, entry, base, nextId()));
    },
    plan: (options) => planDeliveries(context, authenticator, options),
    play: (plan) => play(sending, plan, closed.promise),
    settled: () => jobs.settled(),
    async close() {
      receiver.close();
      closed.resolve();
      jobs.end();
      connections.close();
      await jobs.ended();
    },
  };
}

async function trigger(
  sending: Sending,
  kind: string,
  options: TriggerOptions = {},
): Promise<Delivery> {
  const { context, authenticator, identities, receiver, nextId } = sending;
  receiver.require();
  const notification = findNotification(context, kind);
  const id = nextId();
  const { run } = options;
  checkHeaders(options.headers ?? {});
  const givenHeaders = Object.entries(options.headers ?? {});
  const headers = [...givenHeaders, ...freshHeaders(context, notification, id, givenHeaders)];
  const content = composeTriggered(
    context,
    authenticator,
    notification,
    options,
    headers,
    context.random.fork(`${id} content`),
    identities,
  );
  const outgoing: Outgoing = {
    ...content,
    id,
    notification,
    headers,
    ...(run === undefined ? {} : { run }),
  };
  const sent = send(sending, outgoing);
  if (outgoing.faults.includes('burst')) sendBurst(sending, outgoing, givenHeaders);
  return await sent;
}

async function send({ context, receiver, jobs }: Sending, outgoing: Outgoing): Promise<Delivery> {
  const { clock, random } = context;
  // The delivery is pending before anything is awaited, so that `settled` waits for it.
  const job = jobs.create(outgoing);
  try {
    await receiver.require().address();
  } catch (error) {
    job.end();
    throw error;
  }
  if (outgoing.faults.includes('delayed'))
    job.startAt(clock.now() + random.fork(`${outgoing.id} delay`).integer(1_000, 30_000));
  else if (outgoing.faults.includes('out-of-order')) jobs.hold(job);
  else await jobs.start(job);
  return job.delivery;
}

/** Sends the other deliveries of a burst: the same kind, with other identifiers. */
function sendBurst(sending: Sending, first: Outgoing, givenHeaders: readonly Header[]): void {
  const { context, identities, jobs, nextId } = sending;
  const { notification, payload } = first;
  const { value } = payload;
  if (value === undefined) return;
  for (let index = 1; index < burstSize; index += 1) {
    const id = nextId();
    const headers = [...givenHeaders, ...freshHeaders(context, notification, id, givenHeaders)];
    const varied = toOtherEvent(
      context,
      { notification, headers },
      value,
      context.random.fork(`${id} content`),
      identities,
    );
    const other = toPayload(context, notification, varied, payload.example);
    const job = jobs.create({ ...first, id, headers, payload: other, faults: ['burst'] });
    void jobs.start(job).catch(() => undefined);
  }
}

async function play(
  { context, receiver, jobs }: Sending,
  plan: readonly PlannedDelivery[],
  closed: Promise<void>,
): ReturnType<Deliverer['play']> {
  for (const { kind } of plan) findNotification(context, kind);
  const checked = receiver.require().address();
  // Schedules before anything is awaited, so that the caller can advance the clock at once.
  const played = playPlan(context.clock, plan, closed, (planned) => {
    const job = jobs.create(readPlanned(context, planned));
    return { job, started: jobs.start(job).catch(() => undefined) };
  });
  await checked;
  return await played;
}
