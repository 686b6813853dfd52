import type { SimulatorContext } from '../context.ts';
import type { CurrentReceiver } from './current-receiver.ts';
import type { LiveDelivery } from './delivery-store.ts';
import { identityOfDelivery, type Identities } from './identity.ts';
import { Job } from './job.ts';
import type { Outgoing } from './outgoing.ts';
import type { AttemptSender } from './send-attempt.ts';

/** The maximum number of deliveries that wait for another attempt. Beyond it, the oldest one is given up. */
const maxPending = 10_000;

/** The maximum size of the bodies of these deliveries, in bytes. */
const maxPendingBytes = 128 * 1024 * 1024;

/** Milliseconds of the clock after which a delivery that is out of order is sent, if no other delivery was. */
const maxHold = 5_000;

/** What the deliveries of a simulator share. */
export interface JobSettings {
  readonly context: SimulatorContext;
  readonly sender: AttemptSender;
  readonly receiver: CurrentReceiver;
  readonly identities: Identities;
}

/** The deliveries that are neither acknowledged nor given up. */
export class PendingJobs {
  readonly #settings: JobSettings;
  readonly #pending = new Set<Job>();
  #bytes = 0;
  /** Deliveries that wait until the next one was sent. */
  readonly #held = new Set<Job>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(settings: JobSettings) {
    this.#settings = settings;
  }

  /** The deliveries, in the order in which they were created. */
  get deliveries(): readonly LiveDelivery[] {
    return [...this.#pending].map(({ delivery }) => delivery);
  }

  /** Creates a delivery, which is pending at once. Gives up the oldest one where there are too many. */
  create(outgoing: Outgoing): Job {
    const { context, sender, receiver, identities } = this.#settings;
    const { notification, headers, payload, corrected } = outgoing;
    const { value } = corrected ?? payload;
    const isRepeated =
      identities.add(identityOfDelivery(context, { notification, value, headers })) ||
      outgoing.isRepeated === true;
    const job = new Job(context, sender, { ...outgoing, isRepeated }, () => receiver.require());
    const size = payload.bytes.byteLength + (corrected?.bytes.byteLength ?? 0);
    this.#pending.add(job);
    this.#bytes += size;
    void job.done.then(() => {
      this.#pending.delete(job);
      this.#bytes -= size;
    });
    const [oldest] = this.#pending;
    const { size: count } = this.#pending;
    if (count > maxPending || (count > 1 && this.#bytes > maxPendingBytes)) oldest?.end();
    return job;
  }

  /**
   * Sends the first attempt, and then the deliveries that waited for it.
   * @throws SimulatorError for a delivery that cannot be sent
   */
  async start(job: Job): Promise<void> {
    const started = job.start();
    this.#running.add(started);
    try {
      await started;
    } finally {
      this.#running.delete(started);
      this.release();
    }
  }

  /** Sends a delivery after the next one, or after a while. */
  hold(job: Job): void {
    job.startAt(this.#settings.context.clock.now() + maxHold);
    this.#held.add(job);
    void job.done.then(() => this.#held.delete(job));
  }

  /** Sends the deliveries that wait for another one. */
  release(): void {
    const released = [...this.#held];
    this.#held.clear();
    for (const job of released) void this.start(job).catch(() => undefined);
  }

  /** Waits until nothing is pending. */
  async settled(): Promise<void> {
    this.release();
    while (this.#pending.size > 0) await Promise.all([...this.#pending].map(({ done }) => done));
  }

  /** Ends all deliveries: no attempt follows. */
  end(): void {
    for (const job of this.#pending) job.end();
  }

  /** Waits for the first attempts that are being sent. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
