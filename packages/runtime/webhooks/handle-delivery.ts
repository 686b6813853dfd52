import type { Catalogue } from './catalogue.ts';
import { timedOut, within, withinOr } from './deadline.ts';
import type { Delivery } from './delivery.ts';
import { replayKey } from './delivery-key.ts';
import { claimAll, runAll, settleAll, type Failure, type Task, type Work } from './dispatch.ts';
import type { Ending, Kinds } from './ending.ts';
import { DeliveryContext, type Handler } from './event.ts';
import type { Identification } from './identify.ts';
import { isPromise, mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import type { Opened, RefusedDelivery } from './opened-delivery.ts';
import {
  assignHandlers,
  checkFunctions,
  type Bounds,
  type Reactions,
  type ReceiverOptions,
} from './options.ts';
import { nameOfReceiver } from './receiver-name.ts';
import { createMemoryReplayStore, type ReplayStore } from './replay-store.ts';
import { toEvent, toInvalidDelivery } from './to-event.ts';

/** Calls the handlers of deliveries, each event once. */
export class Dispatcher {
  readonly #catalogue: Catalogue;
  readonly #options: Reactions;
  readonly #handlerOf: (name: string | null) => Handler<never>;
  readonly #bounds: Bounds;
  readonly #store: ReplayStore;
  readonly #name: string;
  readonly #onLate: (delivery: Delivery, ending: Ending) => void;

  /**
   * @param onLate is called when the handlers of a delivery that ran out of time are done
   * @throws WebhookError for options that are missing or out of range
   */
  constructor(
    catalogue: Catalogue,
    options: ReceiverOptions & Reactions,
    bounds: Bounds,
    onLate: (delivery: Delivery, ending: Ending) => void,
  ) {
    const { clock = () => Date.now(), onInvalid } = options;
    const store = options.replayStore ?? createMemoryReplayStore({ clock });
    const { claim, confirm, release } = store;
    checkFunctions({ onInvalid, claim, confirm, release });
    this.#handlerOf = assignHandlers(catalogue, options);
    this.#catalogue = catalogue;
    this.#options = options;
    this.#bounds = bounds;
    this.#store = store;
    this.#name = nameOfReceiver(catalogue, options);
    this.#onLate = onLate;
  }

  /** Handles an authentic delivery. */
  handle(opened: Opened, delivery: Delivery): MaybePromise<Ending> {
    if (opened.refusal === undefined) return this.#dispatch(opened.identification, delivery);
    return this.#refuse(opened, delivery);
  }

  /** Passes a delivery to `onInvalid`, and ends it as `refusal` unless `onInvalid` takes responsibility. */
  #refuse(opened: RefusedDelivery, delivery: Delivery): MaybePromise<Ending> {
    const { identification, refusal } = opened;
    const { kinds } = identification.invalid;
    const { onInvalid } = this.#options;
    let answer: unknown;
    const task: Task = {
      event: toInvalidDelivery(opened),
      context: new DeliveryContext(0, 1, delivery),
      handler: (event, context) =>
        mapMaybePromise<unknown, void>(onInvalid(event, context), (decision) => {
          answer = decision;
        }),
      key: undefined,
    };
    const detail = 'onInvalid';
    const finish = (failure: Failure | undefined): MaybePromise<Ending> => {
      if (failure !== undefined) return { reason: 'handler-failed', detail, kinds, ...failure };
      if (answer === 'accept') return { reason: 'accepted', detail: answer, kinds };
      // An answer that came too late starts no handler: the sender sends the delivery again.
      if (answer !== 'dispatch-valid' || delivery.isOver) return refusal;
      return mapMaybePromise(this.#dispatch(identification, delivery), (ending) =>
        ending.reason === 'handled'
          ? { detail: 'dispatch-valid', ...ending, reason: 'accepted' }
          : ending,
      );
    };
    return this.#inTime([task], finish, delivery, { detail, kinds });
  }

  #dispatch({ events, form, count }: Identification, delivery: Delivery): MaybePromise<Ending> {
    const kinds = events.map(({ name }) => name);
    const tasks = events.map((event): Task => ({
      event: toEvent(event, form),
      context: new DeliveryContext(event.index, count, delivery),
      handler: event.handler ?? this.#handlerOf(event.name),
      key: replayKey(this.#catalogue, event, delivery),
    }));
    if (tasks.every(({ key }) => key === undefined))
      return this.#run({ tasks, keys: noKeys }, kinds, delivery);
    const claiming = claimAll(this.#store, this.#name, this.#bounds.leaseMs, tasks, delivery);
    return mapMaybePromise(
      withinOr(claiming, this.#bounds.storeTimeoutMs, delivery, timedOut),
      (work): MaybePromise<Ending> => {
        if (work !== timedOut)
          return 'reason' in work ? { ...work, kinds } : this.#run(work, kinds, delivery);
        // Claims that succeed from now on are released at once.
        delivery.end();
        return { reason: 'store-failed', detail: 'out-of-time', kinds };
      },
    );
  }

  #run({ tasks, keys }: Work, kinds: Kinds, delivery: Delivery): MaybePromise<Ending> {
    const finish = (failure: Failure | undefined): MaybePromise<Ending> =>
      this.#finish(failure, keys, kinds, delivery);
    return this.#inTime(tasks, finish, delivery, { kinds });
  }

  /**
   * Confirms or releases the claims in the store. A failure of the store does not change the response: the work is
   * done, and with another response the sender would repeat it. A claim that cannot be released expires with its lease.
   */
  #finish(
    failure: Failure | undefined,
    keys: readonly string[],
    kinds: Kinds,
    delivery: Delivery,
  ): MaybePromise<Ending> {
    const handled = kinds.includes(null) ? 'unidentified' : 'handled';
    const [method, reason, detail] =
      failure === undefined
        ? (['confirm', handled, 'unconfirmed'] as const)
        : (['release', 'handler-failed', 'unreleased'] as const);
    const settling = keys.length > 0 ? settleAll(this.#store, method, keys, delivery) : undefined;
    return mapMaybePromise(
      withinOr(settling, this.#bounds.storeTimeoutMs, delivery, {}),
      (fault): Ending =>
        fault === undefined && failure === undefined
          ? { reason, kinds }
          : { ...(fault && { ...fault, detail }), ...failure, reason, kinds },
    );
  }

  /**
   * Runs the handlers and calls `finish` if they end in time. If not, ends the delivery as `out-of-time`. When the
   * handlers are done, calls `finish` and records the delivery once more with `late`.
   */
  #inTime(
    tasks: readonly Task[],
    finish: (failure: Failure | undefined) => MaybePromise<Ending>,
    delivery: Delivery,
    outcome: Partial<Ending>,
  ): MaybePromise<Ending> {
    const running = runAll(tasks, delivery);
    if (!isPromise(running)) return finish(running);
    return within(running, this.#bounds.handlerTimeoutMs).then((done) => {
      if (done !== timedOut) return finish(done);
      delivery.end();
      const recorded = running.then(finish).then((ending) => {
        this.#onLate(delivery, ending);
      });
      delivery.request.waitUntil?.(recorded);
      return { reason: 'out-of-time', ...outcome };
    });
  }
}

const noKeys: readonly string[] = [];
