import type { AnsweringCatalogue } from './answers.ts';
import { refusalOf, secretSegmentsOf, type ForAdapters, type Verdict } from './authentication.ts';
import { withinOr } from './deadline.ts';
import { Delivery } from './delivery.ts';
import type { Ending } from './ending.ts';
import { createFailureWarnings, type WarnOfFailure } from '../base/failure-warnings.ts';
import { Dispatcher } from './handle-delivery.ts';
import { isPromise, mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { openDelivery, toRules } from './open-delivery.ts';
import type { Opened, OpeningRules } from './opened-delivery.ts';
import {
  checkFunctions,
  toBounds,
  type Bounds,
  type Reactions,
  type ReceiverOptions,
  type StoringOptions,
} from './options.ts';
import { createOutcomes, type Outcome, type Reason } from './outcome.ts';
import { readDelivery } from './read-delivery.ts';
import type { IncomingRequest } from './request.ts';
import { createStoring } from './store-delivery.ts';
import { warnOfConsumedBody, warnOfFailure, warnOfListener } from './warn-of-failure.ts';

/** Receives a request from an adapter and returns the response to send. Never rejects. */
export interface Receive extends ForAdapters {
  (request: IncomingRequest): Promise<Outcome>;
}

/** The options of a receiver, with handlers or with an inbox. */
export type AnyReceiverOptions = (ReceiverOptions & Reactions) | StoringOptions<never>;

/**
 * Creates the receiver of a contract's notifications.
 * @throws WebhookError for options that are missing or out of range
 */
export function createReceiver(
  catalogue: AnsweringCatalogue,
  options: AnyReceiverOptions,
): Receive {
  return new Receiver(catalogue, options).receive;
}

class Receiver {
  readonly #catalogue: AnsweringCatalogue;
  readonly #options: AnyReceiverOptions;
  readonly #outcomes: Readonly<Record<Reason, Outcome>>;
  readonly #methods: ReadonlySet<string>;
  readonly #bounds: Bounds;
  readonly #rules: OpeningRules;
  readonly #clock: () => number;
  readonly #warn: WarnOfFailure = createFailureWarnings();
  /** Handles or stores an authentic delivery. */
  readonly #take: (opened: Opened, delivery: Delivery) => MaybePromise<Ending>;

  constructor(catalogue: AnsweringCatalogue, options: AnyReceiverOptions) {
    const {
      authenticate,
      methods = catalogue.methods,
      clock = () => Date.now(),
      onEvent,
    } = options;
    checkFunctions({ authenticate, clock });
    if (onEvent !== undefined) checkFunctions({ onEvent });
    const bounds = toBounds(options);
    if (options.inbox === undefined) {
      const dispatcher = new Dispatcher(catalogue, options, bounds, (delivery, ending) =>
        this.#record(delivery, this.#outcomes['out-of-time'], { ...ending, late: true }),
      );
      this.#take = (opened, delivery) => dispatcher.handle(opened, delivery);
      this.#rules = toRules(options, bounds);
    } else {
      this.#take = createStoring(catalogue, options, bounds);
      // Numbers as text keep the keys of each event. The worker decides what happens to such a number.
      const { strict = true } = options;
      this.#rules = toRules({ ...options, numbers: strict ? 'text' : 'refuse' }, bounds);
    }
    this.receive.admit = authenticate.admit;
    this.#outcomes = createOutcomes(options.responses ?? {}, methods);
    this.#methods = new Set(methods);
    this.#bounds = bounds;
    this.#catalogue = catalogue;
    this.#options = options;
    this.#clock = clock;
  }

  readonly receive: Receive = async (request) => {
    const delivery = new Delivery(request, this.#clock());
    let ending: Ending;
    try {
      const handling = this.#handle(delivery);
      ending = isPromise(handling) ? await handling : handling;
    } catch (error) {
      ending = { reason: 'handler-failed', detail: 'unexpected', error };
    }
    const outcome = this.#catalogue.answer?.(ending, delivery) ?? this.#outcomes[ending.reason];
    this.#record(delivery, outcome, ending);
    return outcome;
  };

  #handle(delivery: Delivery): MaybePromise<Ending> {
    return mapMaybePromise(
      readDelivery(delivery, this.#methods, this.#bounds),
      (unread) =>
        unread ??
        mapMaybePromise(
          this.#authenticate(delivery),
          (refusal) =>
            refusal ?? this.#take(openDelivery(this.#catalogue, delivery, this.#rules), delivery),
        ),
    );
  }

  /** Authenticates a delivery. Returns `undefined` where it is authentic. */
  #authenticate(delivery: Delivery): MaybePromise<Ending | undefined> {
    const { request, body } = delivery;
    const { method, target: url, headers, connection } = request;
    try {
      const verdict = this.#options.authenticate({ method, url, headers, body, connection });
      const decide = (result: boolean | Verdict): Ending | undefined => {
        delivery.secretSegments = secretSegmentsOf(result);
        return toRefusal(result);
      };
      if (!isPromise(verdict)) return decide(verdict);
      const refusal = Promise.resolve(verdict).then(decide, toFailure);
      return withinOr(refusal, this.#bounds.authenticationTimeoutMs, delivery, {
        reason: 'out-of-time',
        detail: 'authenticate',
      });
    } catch (error) {
      return toFailure(error);
    }
  }

  #record(delivery: Delivery, { status }: Outcome, ending: Ending): void {
    const { onEvent } = this.#options;
    if (ending.reason === 'body-consumed') warnOfConsumedBody(this.#warn, ending);
    if (onEvent === undefined) {
      warnOfFailure(this.#warn, ending, status);
      return;
    }
    // A listener that fails does not change the response.
    const fail = (error: unknown): void => {
      warnOfListener(this.#warn, error);
      warnOfFailure(this.#warn, ending, status);
    };
    try {
      const durationMs = this.#clock() - delivery.receivedAt;
      const heard: unknown = onEvent({
        kinds: [],
        ...delivery.note,
        ...ending,
        id: delivery.id,
        status,
        durationMs,
      });
      if (isPromise(heard)) Promise.resolve(heard).catch(fail);
    } catch (error) {
      fail(error);
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
