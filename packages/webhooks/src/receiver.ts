import { refusalOf } from './authentication.ts';
import type { Catalogue } from './catalogue.ts';
import { late, within } from './deadline.ts';
import type { Readable } from './decision.ts';
import { deliveryKey } from './delivery-key.ts';
import { claimAll, runAll, type Task } from './dispatch.ts';
import { DeliveryContext, type DeliveryParts, type Handler } from './event.ts';
import { identify, type Identified, type Invalid } from './identify.ts';
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
import type { DeliveredRequest, IncomingRequest } from './request.ts';
import { findRoute } from './routes.ts';
import { pathSegments, splitTarget } from './target.ts';

/** Takes what an adapter hands over and says what to answer. Never rejects, whatever arrives. */
export type Receive = (request: IncomingRequest) => Promise<Outcome>;

/** How a delivery ended, for the record. */
interface Ending {
  readonly reason: Reason;
  readonly detail?: string;
  readonly kinds?: readonly (string | null)[];
  readonly error?: unknown;
}

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
    // Made for those who look at it.
    let made: string | undefined;
    const id = (): string => (made ??= crypto.randomUUID());
    const started = this.#clock();
    let ending: Ending;
    try {
      ending = await this.#handle(request, id, started);
    } catch (error) {
      ending = { reason: 'handler-failed', detail: 'unexpected', error };
    }
    const outcome = this.#outcomes[ending.reason];
    this.#record(id, outcome, ending, started);
    return outcome;
  }

  async #handle(request: IncomingRequest, id: () => string, started: number): Promise<Ending> {
    const abort = new AbortController();
    const read = await readDelivery(request, this.#limits, abort);
    if (read.reason !== undefined) return read;
    const { body } = read;
    const { method, target: url, headers } = request;
    const refusal = await this.#authenticate({ method, url, headers, body });
    if (refusal !== undefined) return refusal;
    const parsed = parseBody(body, this.#rules);
    if (parsed.fault !== undefined) return { reason: 'malformed-body', detail: parsed.fault };
    const { path, query } = splitTarget(url);
    const segments = pathSegments(path);
    if (segments === undefined) return { reason: 'malformed-path' };
    const label = findRoute(this.#catalogue.routes, segments, method, this.#mount);
    const parameters = label?.parameters ?? {};
    const from: Readable = { method, path, query, headers, parameters, raw: body };
    const found = identify(this.#catalogue, from, label?.kinds, parsed.value, parsed.exact);
    const parts: DeliveryParts = {
      id,
      receivedAt: started,
      body,
      headers,
      parameters,
      get signal() {
        return abort.signal;
      },
    };
    const context = (index: number, count: number): DeliveryContext =>
      new DeliveryContext(index, count, parts);
    if (found.invalid !== undefined)
      return await this.#refuse(found.invalid, parsed.exact, context(0, 1), abort, request);
    const kinds = found.events.map(({ name }) => name);
    const tasks = found.events.map((event, index): Task => ({
      event: toEvent(event, found.form),
      context: context(index, found.events.length),
      handler: this.#handlers.get(event.name) ?? missing,
      key: this.#keyOf(event, from),
    }));
    const ending = await this.#dispatch(tasks, abort, request);
    const isUnidentified = ending.reason === 'handled' && kinds.includes(null);
    return isUnidentified ? { reason: 'unidentified', kinds } : { ...ending, kinds };
  }

  /** `undefined` where the request is authentic. */
  async #authenticate(request: DeliveredRequest): Promise<Ending | undefined> {
    try {
      const verdict = this.#options.authenticate(request);
      const detail = refusalOf(verdict instanceof Promise ? await verdict : verdict);
      return detail === undefined ? undefined : { reason: 'unauthentic', detail };
    } catch (error) {
      return { reason: 'authentication-failed', error };
    }
  }

  async #refuse(
    { reason, kinds, violations }: Invalid,
    data: unknown,
    context: DeliveryContext,
    abort: AbortController,
    request: IncomingRequest,
  ): Promise<Ending> {
    const delivery = { reason, kinds, violations, data };
    const told = (async () => await this.#options.onInvalid(delivery as never, context))();
    try {
      if ((await within(told, this.#timeLimit)) === late) {
        abort.abort();
        request.waitUntil?.(told.catch(() => undefined));
        return { reason: 'out-of-time', detail: 'onInvalid', kinds };
      }
      return { reason: 'invalid', detail: reason, kinds };
    } catch (error) {
      return { reason: 'handler-failed', detail: 'onInvalid', kinds, error };
    }
  }

  /** Only what is of one kind for certain, or of the same ambiguity, can be the same. */
  #keyOf({ name, kinds, data }: Identified, from: Readable): Task['key'] {
    if (name === null) return undefined;
    const [first = ''] = kinds;
    const dedupeBy = this.#catalogue.kinds.get(first)?.dedupeBy;
    return dedupeBy === undefined ? undefined : deliveryKey(name, dedupeBy, from, data);
  }

  async #dispatch(
    tasks: readonly Task[],
    abort: AbortController,
    request: IncomingRequest,
  ): Promise<Ending> {
    const claimed = tasks.some(({ key }) => key !== undefined)
      ? await claimAll(this.#store, this.#lease, tasks)
      : { tasks, keys: [] };
    if ('reason' in claimed) return claimed;
    const work = runAll(this.#store, claimed, () => abort.signal.aborted);
    const done = await within(work, this.#timeLimit);
    if (done === late) {
      abort.abort();
      request.waitUntil?.(work);
      return { reason: 'out-of-time' };
    }
    return done;
  }

  #record(id: () => string, { status }: Outcome, ending: Ending, started: number): void {
    const { onOutcome } = this.#options;
    if (onOutcome === undefined) return;
    try {
      const duration = this.#clock() - started;
      onOutcome({ kinds: [], ...ending, id: id(), status, duration });
    } catch {
      // Whoever only listens does not decide about deliveries.
    }
  }
}

const missing: Handler<never> = () => {
  throw new Error('There is no handler for what this delivery can be.');
};

function toEvent({ name, kinds, data }: Identified, form: string): object {
  return kinds.length > 1
    ? { kind: name, ambiguous: true, kinds, form, data }
    : { kind: name, ambiguous: false, form, data };
}
