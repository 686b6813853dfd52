import { refusalOf, type Verdict } from './authentication.ts';
import type { Catalogue } from './catalogue.ts';
import { late, within } from './deadline.ts';
import { Delivery } from './delivery.ts';
import { deliveryKey } from './delivery-key.ts';
import { claimAll, runAll, type Dispatched, type Task, type Work } from './dispatch.ts';
import { DeliveryContext, type Handler } from './event.ts';
import { identify, type Found, type Identified, type Invalid } from './identify.ts';
import { isPromise, whenThere, type MaybePromise } from './maybe-promise.ts';
import {
  assignHandlers,
  invalid,
  positive,
  type Reactions,
  type ReceiverOptions,
} from './options.ts';
import { createOutcomes, type Outcome, type Reason } from './outcome.ts';
import { parseBody, type ParseRules } from './parse-body.ts';
import { readDelivery, type ReadLimits } from './read-delivery.ts';
import { createMemoryReplayStore, type ReplayStore } from './replay-store.ts';
import type { IncomingRequest } from './request.ts';
import { findRoute } from './routes.ts';
import { pathSegments, splitTarget } from './target.ts';

/** Takes what an adapter hands over and says what to answer. Never rejects, whatever arrives. */
export type Receive = (request: IncomingRequest) => Promise<Outcome>;

/** How a delivery ended, for the record. */
interface Ending {
  readonly reason: Reason;
  readonly detail?: string;
  readonly kinds?: Kinds;
  readonly error?: unknown;
  readonly late?: true;
}

type Kinds = readonly (string | null)[];

/** Makes the receiver of a contract's notifications. Throws a WebhookError for options that are missing or out of range. */
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
  readonly #handlers: ReadonlyMap<string | null, Handler<never>>;
  readonly #outcomes: Readonly<Record<Reason, Outcome>>;
  readonly #limits: ReadLimits;
  readonly #rules: ParseRules;
  readonly #mount: readonly string[] | undefined;
  readonly #timeLimit: number;
  readonly #store: ReplayStore;
  readonly #lease: number;
  readonly #clock: () => number;

  constructor(catalogue: Catalogue, options: ReceiverOptions & Reactions) {
    if (typeof options.authenticate !== 'function')
      throw invalid('`authenticate` does not say how deliveries are authenticated');
    const methods = options.methods ?? catalogue.methods;
    this.#catalogue = catalogue;
    this.#options = options;
    this.#handlers = assignHandlers(
      [...catalogue.kinds.keys(), ...catalogue.unions.values()],
      options,
    );
    this.#outcomes = createOutcomes(options.responses ?? {}, methods);
    this.#limits = {
      methods: new Set(methods),
      limit: positive('limit', options.limit ?? 1_048_576),
      timeLimit: positive('readTimeLimit', options.readTimeLimit ?? 10_000),
    };
    this.#rules = {
      strict: options.strict ?? true,
      numbers: options.numbers ?? 'refuse',
      maxDepth: positive('maxDepth', options.maxDepth ?? 64),
    };
    if (this.#rules.numbers !== 'refuse' && this.#rules.numbers !== 'text')
      throw invalid('`numbers` is neither "refuse" nor "text"');
    if (this.#rules.numbers === 'text' && !this.#rules.strict)
      throw invalid('`numbers` is of no use where `strict` is off');
    this.#mount = options.mount === undefined ? undefined : pathSegments(options.mount);
    if (options.mount !== undefined && this.#mount === undefined)
      throw invalid('`mount` is no path that begins with /');
    this.#timeLimit = positive('timeLimit', options.timeLimit ?? 10_000);
    this.#lease = positive('lease', options.lease ?? 300_000);
    this.#clock = options.clock ?? Date.now;
    this.#store = options.replayStore ?? createMemoryReplayStore({ clock: this.#clock });
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
    return whenThere(
      readDelivery(delivery, this.#limits),
      (unread) =>
        unread ??
        whenThere(this.#authenticate(delivery), (refusal) => refusal ?? this.#open(delivery)),
    );
  }

  /** `undefined` where the request is authentic. */
  #authenticate({ request, body }: Delivery): MaybePromise<Ending | undefined> {
    const { method, target: url, headers } = request;
    try {
      const verdict = this.#options.authenticate({ method, url, headers, body });
      return isPromise(verdict)
        ? Promise.resolve(verdict).then(toRefusal, toFailure)
        : toRefusal(verdict);
    } catch (error) {
      return toFailure(error);
    }
  }

  #open(delivery: Delivery): MaybePromise<Ending> {
    const parsed = parseBody(delivery.body, this.#rules);
    if (parsed.fault !== undefined) return { reason: 'malformed-body', detail: parsed.fault };
    delivery.target = splitTarget(delivery.request.target);
    const segments = pathSegments(delivery.path);
    if (segments === undefined) return { reason: 'malformed-path' };
    const catalogue = this.#catalogue;
    const label = findRoute(catalogue.routes, segments, delivery.method, this.#mount);
    if (label !== undefined) delivery.parameters = label.parameters;
    const found = identify(catalogue, delivery, label?.kinds, parsed.value, parsed.exact);
    return found.invalid === undefined
      ? this.#dispatch(found, delivery)
      : this.#refuse(found.invalid, parsed.exact, delivery);
  }

  async #refuse(
    { reason, kinds, violations }: Invalid,
    data: unknown,
    delivery: Delivery,
  ): Promise<Ending> {
    const context = new DeliveryContext(0, 1, delivery);
    const tell = async (): Promise<Ending> => {
      try {
        await this.#options.onInvalid({ reason, kinds, violations, data } as never, context);
        return { reason: 'invalid', detail: reason, kinds };
      } catch (error) {
        return { reason: 'handler-failed', detail: 'onInvalid', kinds, error };
      }
    };
    return await this.#inTime(tell(), delivery, { detail: 'onInvalid', kinds });
  }

  /** Only what is of one kind for certain, or of the same ambiguity, can be the same. */
  #keyOf({ name, kinds, data }: Identified, delivery: Delivery): Task['key'] {
    if (name === null) return undefined;
    const [first = ''] = kinds;
    const dedupeBy = this.#catalogue.kinds.get(first)?.dedupeBy;
    return dedupeBy === undefined ? undefined : deliveryKey(name, dedupeBy, delivery, data);
  }

  #dispatch({ events, form }: Found, delivery: Delivery): MaybePromise<Ending> {
    const kinds = events.map(({ name }) => name);
    const tasks = events.map((event, index): Task => ({
      event: toEvent(event, form),
      context: new DeliveryContext(index, events.length, delivery),
      handler: this.#handlers.get(event.name) ?? missing,
      key: this.#keyOf(event, delivery),
    }));
    if (tasks.every(({ key }) => key === undefined))
      return this.#run({ tasks, keys: [] }, kinds, delivery);
    return whenThere(claimAll(this.#store, this.#lease, tasks), (work) =>
      'reason' in work ? { ...work, kinds } : this.#run(work, kinds, delivery),
    );
  }

  #run(work: Work, kinds: Kinds, delivery: Delivery): MaybePromise<Ending> {
    const running = runAll(this.#store, work, delivery);
    if (!isPromise(running)) return toEnding(running, kinds);
    const ending = running.then((done) => toEnding(done, kinds));
    return this.#inTime(ending, delivery, { kinds });
  }

  /** How work ended that never rejects, if its time was enough. How it ended otherwise is told once it has. */
  async #inTime(
    work: Promise<Ending>,
    delivery: Delivery,
    known: Partial<Ending>,
  ): Promise<Ending> {
    // Most work that is waited for is done within a few turns.
    const done = await within(work, this.#timeLimit, 4);
    if (done !== late) return done;
    delivery.end();
    const told = work.then((ending) => {
      this.#record(delivery, this.#outcomes['out-of-time'], { ...ending, late: true });
    });
    delivery.request.waitUntil?.(told);
    return { reason: 'out-of-time', ...known };
  }

  #record(delivery: Delivery, { status }: Outcome, ending: Ending): void {
    const { onOutcome } = this.#options;
    if (onOutcome === undefined) return;
    try {
      const duration = this.#clock() - delivery.receivedAt;
      onOutcome({ kinds: [], ...ending, id: delivery.id, status, duration });
    } catch {
      // Whoever only listens does not decide about deliveries.
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

function toEnding(dispatched: Dispatched, kinds: Kinds): Ending {
  return dispatched.reason === 'handled' && kinds.includes(null)
    ? { reason: 'unidentified', kinds }
    : { ...dispatched, kinds };
}

const missing: Handler<never> = () => {
  throw new Error('There is no handler for what this delivery can be.');
};

function toEvent({ name, kinds, data }: Identified, form: string): object {
  return kinds.length > 1
    ? { kind: name, ambiguous: true, kinds, form, data }
    : { kind: name, ambiguous: false, form, data };
}
