import { statusesInstead } from '../sending/expected-status.ts';
import type { SimulatorContext } from '../context.ts';
import type { DeliveryEntry, NewEntry } from '../entry.ts';
import type { DeliveryFault } from '../faults.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { isRefused } from './choose-faults.ts';
import { isLasting } from './compose.ts';
import { isDelivered, type LiveDelivery } from './delivery-store.ts';
import type { Outgoing } from './outgoing.ts';
import type { Receiver } from '../sending/receiver.ts';
import type { SignedRequest } from '../sending/sign-request.ts';
import type { AttemptSender } from './send-attempt.ts';

/** One delivery until it is acknowledged or has failed. */
export class Job {
  readonly delivery: LiveDelivery;
  /** Resolves when no attempt follows. Does not reject. */
  readonly done: Promise<void>;
  readonly #context: SimulatorContext;
  readonly #sender: AttemptSender;
  readonly #outgoing: Outgoing;
  readonly #receiver: () => Receiver;
  #finish: () => void = () => undefined;
  #cancel: () => void = () => undefined;
  #repetitions = 0;

  constructor(
    context: SimulatorContext,
    sender: AttemptSender,
    outgoing: Outgoing,
    receiver: () => Receiver,
  ) {
    this.#context = context;
    this.#sender = sender;
    this.#outgoing = outgoing;
    this.#receiver = receiver;
    const { id, notification } = outgoing;
    this.delivery = { id, kind: notification.name, attempts: [], state: 'pending' };
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Ends the delivery: no attempt follows. */
  end(): void {
    this.#cancel();
    if (this.delivery.state === 'pending')
      this.delivery.state = isDelivered(this.delivery.attempts) ? 'acknowledged' : 'failed';
    this.#finish();
  }

  /** Starts the delivery at a time of the clock. */
  startAt(time: number): void {
    this.#cancel = this.#context.clock.schedule(time, async () => {
      await this.start().catch(() => undefined);
    });
  }

  /**
   * Sends the first attempt. Later ones follow the schedule.
   * @throws SimulatorError for a delivery that cannot be sent, which then has failed
   */
  async start(): Promise<void> {
    this.#cancel();
    try {
      await this.#attempt(this.#outgoing.faults);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Ends a delivery whose next attempt cannot be sent, and keeps the reason. */
  #fail(error: unknown): void {
    if (error instanceof SimulatorError) this.delivery.unsent = error.message;
    this.end();
  }

  async #attempt(faults: readonly DeliveryFault[]): Promise<void> {
    const { payload, corrected = payload } = this.#outgoing;
    const content = this.delivery.attempts.length === 0 ? payload : corrected;
    const receiver = this.#receiver();
    const request = await this.#sender.sign(this.#outgoing, content, receiver, faults);
    const outcome = await this.#sender.send(request, receiver, faults);
    if (this.delivery.state !== 'pending') return;
    const isDuplicated = faults.includes('duplicate');
    const next = isDuplicated ? 0 : this.#nextDelay(outcome.isAcknowledged && !isRefused(faults));
    this.#record(outcome, content, faults, next);
    if (isDuplicated) await this.#duplicate(request, receiver, faults);
    else this.#continueIn(next);
  }

  /** Sends the same bytes again, signature included. */
  async #duplicate(
    request: SignedRequest,
    receiver: Receiver,
    faults: readonly DeliveryFault[],
  ): Promise<void> {
    const outcome = await this.#sender.send(request, receiver, faults);
    if (this.delivery.state !== 'pending') return;
    const isDone = outcome.isAcknowledged || isDelivered(this.delivery.attempts);
    const next = this.#nextDelay(isDone);
    this.#record(outcome, this.#outgoing.payload, faults, next);
    this.#continueIn(next);
  }

  /** Returns the delay before the next attempt, or `undefined` if none follows. */
  #nextDelay(isDone: boolean): number | undefined {
    const {
      attempts = 6,
      firstDelayMs = 5_000,
      factor = 6,
      maxDelayMs = 3_600_000,
      jitter = 0.1,
    } = this.#context.options.retry ?? {};
    if (isDone || !(this.#repetitions + 1 < attempts)) return undefined;
    const delay = Math.min(maxDelayMs, firstDelayMs * factor ** this.#repetitions);
    this.#repetitions += 1;
    const random = this.#context.random.fork(`${this.delivery.id} repetition ${this.#repetitions}`);
    return Math.round(delay * (1 - jitter * random.fraction()));
  }

  #continueIn(delay: number | undefined): void {
    if (delay === undefined) {
      this.end();
      return;
    }
    const { clock } = this.#context;
    const lasting = this.#outgoing.faults.filter((fault) => isLasting(fault));
    this.#cancel = clock.schedule(clock.now() + delay, async () => {
      // An attempt that cannot be sent ends the delivery: the receiver's address was removed, for example.
      await this.#attempt(lasting).catch((error: unknown) => this.#fail(error));
    });
  }

  #record(
    outcome: Pick<
      DeliveryEntry,
      'at' | 'request' | 'response' | 'error' | 'durationMs' | 'isAcknowledged'
    >,
    { example, violations }: Outgoing['payload'],
    faults: readonly DeliveryFault[],
    nextAttemptInMs: number | undefined,
  ): void {
    const { notification, isRepeated = false, run } = this.#outgoing;
    const { id, kind, attempts } = this.delivery;
    const expectedStatuses = statusesInstead(notification, outcome.response?.status);
    const entry = {
      type: 'delivery',
      ...outcome,
      delivery: id,
      attempt: attempts.length + 1,
      kind,
      faults,
      violations,
      ...(example === undefined ? {} : { example }),
      ...(expectedStatuses === undefined ? {} : { expectedStatuses }),
      ...(isRepeated ? { isRepeated: true as const } : {}),
      ...(run === undefined ? {} : { run }),
      ...(nextAttemptInMs === undefined ? {} : { nextAttemptInMs }),
    } as const satisfies NewEntry;
    attempts.push(this.#context.journal.add(entry));
  }
}
