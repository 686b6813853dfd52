import { refusalOf, type Verdict } from './authentication.ts';
import type { Catalogue } from './catalogue.ts';
import { timedOut, within } from './deadline.ts';
import { Delivery } from './delivery.ts';
import { deliveryKey } from './delivery-key.ts';
import { claimAll, runAll, settleAll, type Failure, type Task, type Work } from './dispatch.ts';
import { DeliveryContext, type Handler } from './event.ts';
import {
  identify,
  isRefused,
  refuse,
  type Identification,
  type Identified,
  type Refused,
} from './identify.ts';
import { isPromise, mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import {
  assignHandlers,
  checkFunctions,
  toBounds,
  type Bounds,
  type Reactions,
  type ReceiverOptions,
} from './options.ts';
import { createOutcomes, type Outcome, type Reason } from './outcome.ts';
import { parseBody, type NumberMode, type ParseRules } from './parse-body.ts';
import { readDelivery } from './read-delivery.ts';
import { createMemoryReplayStore, type ReplayStore } from './replay-store.ts';
import type { IncomingRequest } from './request.ts';
import { findRoute } from './routes.ts';
import { pathSegments, splitTarget } from './target.ts';
import { invalid } from './webhook-error.ts';

/** Receives a request from an adapter and returns the response to send. Never rejects. */
export type Receive = (request: IncomingRequest) => Promise<Outcome>;

/** The end of a delivery, for its record. */
interface Ending {
  readonly reason: Reason;
  readonly detail?: string;
  readonly kinds?: Kinds;
  readonly error?: unknown;
  readonly late?: true;
}

type Kinds = readonly (string | null)[];

/**
 * Creates the receiver of a contract's notifications.
 * @throws WebhookError for options that are missing or out of range
 */
export function createReceiver(
  catalogue: Catalogue,
  options: ReceiverOptions & Reactions,
): Receive {
  const receiver = new Receiver(catalogue, options);
  return (request) => receiver.receive(request);
}

class Receiver {
  readonly #catalogue: Catalogue;
  readonly #options: ReceiverOptions & Reactions;
  readonly #handlerOf: (name: string | null) => Handler<never>;
  readonly #outcomes: Readonly<Record<Reason, Outcome>>;
  readonly #methods: ReadonlySet<string>;
  readonly #bounds: Bounds;
  readonly #rules: ParseRules;
  readonly #numbers: NumberMode;
  readonly #mounted: readonly string[] | undefined;
  readonly #store: ReplayStore;
  readonly #clock: () => number;

  constructor(catalogue: Catalogue, options: ReceiverOptions & Reactions) {
    const { methods = catalogue.methods, clock = Date.now, mount } = options;
    const { strict = true, numbers = 'refuse', onInvalid, onOutcome } = options;
    const store = options.replayStore ?? createMemoryReplayStore({ clock });
    const { claim, confirm, release } = store;
    checkFunctions({
      authenticate: options.authenticate,
      onInvalid,
      clock,
      claim,
      confirm,
      release,
    });
    if (onOutcome !== undefined) checkFunctions({ onOutcome });
    if (numbers !== 'refuse' && !(numbers === 'text' && strict))
      throw invalid('`numbers` must be "refuse" or "text"; "text" requires `strict`');
    // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- callers without types
    this.#mounted = mount === undefined ? undefined : pathSegments(String(mount));
    if (mount !== undefined && this.#mounted === undefined)
      throw invalid('`mount` is not a valid path');
    this.#bounds = toBounds(options);
    this.#handlerOf = assignHandlers(
      [...catalogue.kinds.keys(), ...catalogue.unions.values()],
      options,
    );
    this.#outcomes = createOutcomes(options.responses ?? {}, methods);
    this.#methods = new Set(methods);
    this.#rules = { strict, maxDepth: this.#bounds.maxDepth };
    this.#numbers = numbers;
    this.#catalogue = catalogue;
    this.#options = options;
    this.#store = store;
    this.#clock = clock;
  }

  async receive(request: IncomingRequest): Promise<Outcome> {
    const delivery = new Delivery(request, this.#clock());
    let ending: Ending;
    try {
      const handling = this.#handle(delivery);
      ending = isPromise(handling) ? await handling : handling;
    } catch (error) {
      ending = { reason: 'handler-failed', detail: 'unexpected', error };
    }
    const outcome = this.#outcomes[ending.reason];
    this.#record(delivery, outcome, ending);
    return outcome;
  }

  #handle(delivery: Delivery): MaybePromise<Ending> {
    return mapMaybePromise(
      readDelivery(delivery, this.#methods, this.#bounds),
      (unread) =>
        unread ??
        mapMaybePromise(this.#authenticate(delivery), (refusal) => refusal ?? this.#open(delivery)),
    );
  }

  /** Authenticates a delivery. Returns `undefined` where it is authentic. */
  #authenticate(delivery: Delivery): MaybePromise<Ending | undefined> {
    const { request, body } = delivery;
    const { method, target: url, headers } = request;
    try {
      const verdict = this.#options.authenticate({ method, url, headers, body });
      if (!isPromise(verdict)) return toRefusal(verdict);
      const refusal = Promise.resolve(verdict).then(toRefusal, toFailure);
      return this.#withTimeLimit(refusal, this.#bounds.authenticationTimeLimit, delivery, {
        reason: 'out-of-time',
        detail: 'authenticate',
      });
    } catch (error) {
      return toFailure(error);
    }
  }

  /**
   * Returns the result of work that never rejects, or `instead` where it does not finish in time. The work then
   * continues, and its result is dropped.
   */
  #withTimeLimit<T, L>(
    work: MaybePromise<T>,
    milliseconds: number,
    delivery: Delivery,
    instead: L,
  ): MaybePromise<T | L> {
    if (!isPromise(work)) return work;
    return within(work, milliseconds).then((done) => {
      if (done !== timedOut) return done;
      delivery.request.waitUntil?.(work);
      return instead;
    });
  }

  #open(delivery: Delivery): MaybePromise<Ending> {
    const parsed = parseBody(delivery.body, this.#rules);
    if (parsed.text === undefined) return { reason: 'malformed-body', detail: parsed.fault };
    const { text } = parsed;
    if (parsed.fault !== undefined) {
      const found = refuse(
        'body',
        [],
        [{ pointer: '', keyword: parsed.fault, message: notStrict }],
      );
      const ending = { reason: 'malformed-body', detail: parsed.fault } as const;
      return this.#refuse(found, { text, data: undefined }, ending, delivery);
    }
    const body = { text, data: parsed.exact };
    delivery.target = splitTarget(delivery.request.target);
    const segments = pathSegments(delivery.path);
    if (segments === undefined) {
      const found = refuse('path', [], [{ pointer: '', keyword: 'path', message: notOnePath }]);
      return this.#refuse(found, body, { reason: 'malformed-path' }, delivery);
    }
    const label = findRoute(this.#catalogue.routes, segments, delivery.method, this.#mounted);
    if (label !== undefined) delivery.parameters = label.parameters;
    const { value, exact } = parsed;
    const found = identify(this.#catalogue, delivery, label?.kinds, value, exact, this.#numbers);
    if (!isRefused(found)) return this.#dispatch(found, delivery);
    const { reason: detail, kinds } = found.invalid;
    return this.#refuse(found, body, { reason: 'invalid', detail, kinds }, delivery);
  }

  /** Passes a delivery to `onInvalid`, and ends it as `refusal` unless `onInvalid` takes responsibility. */
  #refuse(
    found: Refused,
    body: { readonly text: string; readonly data: unknown },
    refusal: Ending,
    delivery: Delivery,
  ): MaybePromise<Ending> {
    const { kinds } = found.invalid;
    const { onInvalid } = this.#options;
    const events = found.events.map((event) => ({
      index: event.index,
      event: toEvent(event, found.form),
    }));
    let answer: unknown;
    const task: Task = {
      event: { ...found.invalid, ...body, events },
      context: new DeliveryContext(0, 1, delivery),
      handler: (event, context) =>
        mapMaybePromise<unknown, void>(onInvalid(event, context), (given) => {
          answer = given;
        }),
      key: undefined,
    };
    const detail = 'onInvalid';
    const finish = (failure: Failure | undefined): MaybePromise<Ending> => {
      if (failure !== undefined) return { reason: 'handler-failed', detail, kinds, ...failure };
      if (answer === 'accept') return { reason: 'accepted', detail: answer, kinds };
      // An answer that came too late starts no handler: the sender sends the delivery again.
      if (answer !== 'dispatch-valid' || delivery.isOver) return refusal;
      return mapMaybePromise(this.#dispatch(found, delivery), (ending) =>
        ending.reason === 'handled'
          ? { detail: 'dispatch-valid', ...ending, reason: 'accepted' }
          : ending,
      );
    };
    return this.#inTime([task], finish, delivery, { detail, kinds });
  }

  /** Returns the replay key of an event that has one kind or a named union of kinds, and `undefined` for others. */
  #keyOf({ name, kinds, data }: Identified, delivery: Delivery): Task['key'] {
    if (name === null) return undefined;
    const [first = ''] = kinds;
    const dedupeBy = this.#catalogue.kinds.get(first)?.dedupeBy;
    return dedupeBy === undefined ? undefined : deliveryKey(name, dedupeBy, delivery, data);
  }

  #dispatch({ events, form, count }: Identification, delivery: Delivery): MaybePromise<Ending> {
    const kinds = events.map(({ name }) => name);
    const tasks = events.map((event): Task => ({
      event: toEvent(event, form),
      context: new DeliveryContext(event.index, count, delivery),
      handler: this.#handlerOf(event.name),
      key: this.#keyOf(event, delivery),
    }));
    if (tasks.every(({ key }) => key === undefined))
      return this.#run({ tasks, keys: noKeys }, kinds, delivery);
    const claiming = claimAll(this.#store, this.#bounds.lease, tasks, delivery);
    return mapMaybePromise(
      this.#withTimeLimit(claiming, this.#bounds.storeTimeLimit, delivery, timedOut),
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
    keys: ReadonlySet<string>,
    kinds: Kinds,
    delivery: Delivery,
  ): MaybePromise<Ending> {
    const handled = kinds.includes(null) ? 'unidentified' : 'handled';
    const [method, reason, detail] =
      failure === undefined
        ? (['confirm', handled, 'unconfirmed'] as const)
        : (['release', 'handler-failed', 'unreleased'] as const);
    const settling = keys.size > 0 ? settleAll(this.#store, method, keys, delivery) : undefined;
    return mapMaybePromise(
      this.#withTimeLimit(settling, this.#bounds.storeTimeLimit, delivery, {}),
      (fault): Ending => ({
        ...(fault && { ...fault, detail }),
        ...failure,
        reason,
        kinds,
      }),
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
    known: Partial<Ending>,
  ): MaybePromise<Ending> {
    const running = runAll(tasks, delivery);
    if (!isPromise(running)) return finish(running);
    return within(running, this.#bounds.timeLimit).then((done) => {
      if (done !== timedOut) return finish(done);
      delivery.end();
      const recorded = running.then(finish).then((ending) => {
        this.#record(delivery, this.#outcomes['out-of-time'], { ...ending, late: true });
      });
      delivery.request.waitUntil?.(recorded);
      return { reason: 'out-of-time', ...known };
    });
  }

  #record(delivery: Delivery, { status }: Outcome, ending: Ending): void {
    const { onOutcome } = this.#options;
    if (onOutcome === undefined) return;
    try {
      const duration = this.#clock() - delivery.receivedAt;
      onOutcome({ kinds: [], ...ending, id: delivery.id, status, duration });
    } catch {
      // A listener that throws does not change the response.
    }
  }
}

function toRefusal(verdict: boolean | Verdict): Ending | undefined {
  const detail = refusalOf(verdict);
  return detail === undefined ? undefined : { reason: 'unauthentic', detail };
}

function toFailure(error: unknown): Ending {
  return { reason: 'authentication-failed', error };
}

const noKeys: ReadonlySet<string> = new Set();
const notStrict = 'must have unique member names and few levels';
const notOnePath = 'must arrive at a path that all servers resolve alike';

function toEvent({ name, kinds, data }: Identified, form: string): object {
  return kinds.length > 1
    ? { kind: name, ambiguous: true, kinds, form, data }
    : { kind: name, ambiguous: false, form, data };
}
