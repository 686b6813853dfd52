import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../../../../../generator/contract/contract.ts';
import { contractTarget } from '../../../../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../../../../generator/targets/webhooks/target.ts';
import type { Deviations } from '../../../../../packages/runtime/webhooks/deviations.ts';
import {
  allOf,
  anyOf,
  createReceiver,
  type Authentication,
  type Catalogue,
  type DeliveryRecord,
  type StoredDelivery,
  type Receive,
} from '../../../../../packages/runtime/webhooks/receiver.ts';
import {
  createDispatcher,
  type StoredEvent,
} from '../../../../../packages/runtime/webhooks/stored-events.ts';
import { generateProject } from '../../../../targets/emit-project.ts';
import { attemptOf } from '../attempt-of.ts';
import { keysOf, signedAt } from './forms.ts';
import {
  absentValues,
  hasMark,
  partsOf,
  signedNames,
  type Combination,
  type Genuine,
} from './contracts.ts';

/** What decides how a receiver of a contract handles deliveries. */
export interface Setting {
  readonly numbers: 'refuse' | 'text' | 'not strict';
  readonly through: 'handlers' | 'inbox';
  readonly handsOver: boolean;
}

export const settings: readonly Setting[] = (['refuse', 'text', 'not strict'] as const).flatMap(
  (numbers) =>
    (['handlers', 'inbox'] as const).flatMap((through) =>
      [false, true].map((handsOver) => ({ numbers, through, handsOver })),
    ),
);

/** An event that a handler got. */
export interface Handled {
  readonly kind: string;
  readonly data: unknown;
}

/** The generated code of a contract. */
interface Generated extends AsyncDisposable {
  readonly catalogue: Catalogue;
  readonly authenticate: Authentication;
  readonly handOver: (handlers: object) => Deviations<never, never>;
}

/** Generates and imports what a receiver of a contract needs. */
export async function generateReceiver(
  contract: Contract,
  { signing, form }: Pick<Combination, 'signing' | 'form'>,
): Promise<Generated> {
  const generated = await generateProject(contract, [contractTarget, webhooksTarget], {
    unformatted: true,
  });
  const load = async <T>(name: string): Promise<T> =>
    (await import(pathToFileURL(join(generated.project, `webhooks/src/${name}.ts`)).href)) as T;
  type Verify = (options: object) => Authentication;
  const { toCatalogue } = await load<{ toCatalogue: (answers: object) => Catalogue }>('catalogue');
  const { handOver } = await load<Pick<Generated, 'handOver'>>('deviations');
  // Only these modules are imported, because an entry imports many more.
  const proofs: Authentication[] = [];
  if (hasMark(signing)) {
    const { verifyMark } = await load<{ verifyMark: Verify }>('authentication');
    proofs.push(verifyMark({ keys: keysOf(form), clock: () => signedAt }));
  }
  if (signing !== 'header') {
    const { verifySeal } = await load<{ verifySeal: Verify }>('body-signatures');
    proofs.push(verifySeal({ keys: keysOf(form) }));
  }
  return {
    catalogue: toCatalogue({}),
    authenticate: signing === 'either' ? anyOf(...proofs) : allOf(...proofs),
    handOver,
    [Symbol.asyncDispose]: () => generated[Symbol.asyncDispose](),
  };
}

/** A receiver in one setting, which begins without any memory. */
export interface Attacked {
  readonly send: (
    body: string,
    headers: Genuine['headers'],
    line?: { readonly method: string; readonly target: string },
  ) => Promise<DeliveryRecord | undefined>;
  /** Receives a request of an adapter. */
  readonly receive: Receive;
  /** Handles what is stored, and returns what handlers got since the beginning. */
  readonly handled: () => Promise<readonly Handled[]>;
  /** What an inbox stored. */
  readonly stored: readonly Stored[];
  /** The identities that responses repeated. */
  readonly echoed: readonly unknown[];
}

/** Starts a receiver. */
export function startReceiver(
  { catalogue, authenticate, handOver }: Generated,
  setting: Setting,
): Attacked {
  const handled: Handled[] = [];
  const take = (event: { readonly kind: string | null; readonly data: unknown }): void => {
    if (event.kind !== null) handled.push({ kind: event.kind, data: event.data });
  };
  const strict = setting.numbers !== 'not strict';
  const numbers = setting.numbers === 'text' ? 'text' : 'refuse';
  const reactions = {
    on: {},
    otherwise: { rest: take },
    // What hands over the most.
    onInvalid: () => 'dispatch-valid' as const,
    strict,
    numbers,
    ...(setting.handsOver && { deviations: deviationsOf(handOver, take) }),
  } as const;
  let record: DeliveryRecord | undefined;
  const echoed: unknown[] = [];
  const observed = { authenticate, onEvent: (seen: DeliveryRecord): void => void (record = seen) };
  const sendTo =
    (receive: Receive): Attacked['send'] =>
    async (body, headers, { method, target } = { method: 'POST', target: '/' }) => {
      record = undefined;
      const bytes = new TextEncoder().encode(body);
      const { status, body: answer } = await receive({
        method,
        target,
        headers: (name) => (headers[name] === undefined ? [] : [headers[name]]),
        read: () => bytes,
      });
      if (status === 200 && answer?.includes('"received"') === true)
        echoed.push((JSON.parse(answer) as { readonly received: unknown }).received);
      return record;
    };
  if (setting.through === 'handlers') {
    const receive = createReceiver(catalogue, { ...reactions, ...observed } as never);
    // oxlint-disable-next-line typescript/require-await -- as of an inbox
    return { send: sendTo(receive), receive, handled: async () => handled, stored: [], echoed };
  }
  const inbox = new InboxModel();
  const receive = createReceiver(catalogue, { ...observed, strict, inbox });
  const handle = createDispatcher<object, unknown>(catalogue, reactions as never);
  return {
    send: sendTo(receive),
    receive,
    handled: async () => {
      await inbox.work(handle);
      return handled;
    },
    stored: inbox.events,
    echoed,
  };
}

function deviationsOf(
  handOver: Generated['handOver'],
  take: (event: Handled) => void,
): Deviations<never, never> {
  // The names of kinds and unions of some contract.
  const known = ['paid', 'refunded', 'paidOrRefunded'].filter((name) => {
    try {
      handOver({ [name]: take });
      return true;
    } catch {
      return false;
    }
  });
  return handOver(Object.fromEntries(known.map((name) => [name, take])));
}

/** An event in an inbox. */
interface Stored extends StoredEvent {
  state: 'waiting' | 'done' | 'dead';
}

/** What inboxes have in common: identities are stored once, and a dead letter holds back what has its order key. */
class InboxModel {
  readonly events: Stored[] = [];
  readonly #identities = new Set<string>();
  #receipts = 0;

  // oxlint-disable-next-line typescript/require-await -- as of an inbox
  readonly receive = async (
    delivery: StoredDelivery,
  ): Promise<{ readonly status: 'stored' | 'duplicate' }> => {
    this.#receipts += 1;
    const receiptId = `receipt-${this.#receipts}`;
    const count = delivery.events.length;
    const fresh = delivery.events.flatMap((event, position) =>
      this.#isKnown(event.identity)
        ? []
        : {
            ...event,
            id: `${receiptId}/${position}`,
            receiptId,
            position,
            count,
            receivedAt: this.#receipts,
            method: delivery.method,
            target: delivery.target,
            headers: delivery.headers,
            body: delivery.body,
            state: 'waiting' as const,
          },
    );
    this.events.push(...fresh);
    return { status: fresh.length === 0 && count > 0 ? 'duplicate' : 'stored' };
  };

  #isKnown(identity: string | undefined): boolean {
    if (identity === undefined) return false;
    const isKnown = this.#identities.has(identity);
    this.#identities.add(identity);
    return isKnown;
  }

  async work(handle: ReturnType<typeof createDispatcher>): Promise<void> {
    for (let at = 0; at < this.events.length; at += 1) {
      const event = this.events[at] as Stored;
      const isHeldBack = this.events
        .slice(0, at)
        .some(
          ({ orderKey, state }) =>
            orderKey !== undefined && orderKey === event.orderKey && state !== 'done',
        );
      if (event.state !== 'waiting' || isHeldBack) continue;
      try {
        const result = await handle(event, attemptOf(1));
        event.state = 'done';
        if ('replaceBy' in result)
          this.events.push(
            ...result.replaceBy.events.flatMap(({ position, ...found }) =>
              this.#isKnown(found.identity)
                ? []
                : {
                    ...event,
                    kind: undefined,
                    ...found,
                    id: `${event.receiptId}/${position}`,
                    position,
                    count: result.replaceBy.count,
                    identified: true,
                    state: 'waiting' as const,
                  },
            ),
          );
      } catch {
        event.state = 'dead';
      }
    }
  }
}

/** Returns the signed members of an event, as a handler reads them. */
export function signedMembersOf(combination: Combination, { data }: Handled): readonly unknown[] {
  const { inside } = partsOf(combination);
  const order = (
    inside === undefined ? data : (data as Record<string, unknown> | undefined)?.[inside]
  ) as Readonly<Record<string, unknown>> | undefined;
  return signedNames
    .filter((name) => name !== 'type' || combination.recognizing === 'a signed member')
    .map((name) => (order !== undefined && Object.hasOwn(order, name) ? order[name] : undefined));
}

/** Returns the signed members of the orders of a genuine delivery, as a handler must get them. */
export function expectedMembers(
  combination: Combination,
  { orders }: Genuine,
  { numbers }: Setting,
): readonly (readonly unknown[])[] {
  const { amount, recognizing, signing, absent } = combination;
  const nothing = absent && absentValues[absent].literal;
  // A signature of the whole body tells an empty text from a missing member. One of members does not.
  const isAbsent = (literal: string | undefined): boolean =>
    literal === undefined || literal === nothing || (literal === '""' && signing !== 'header');
  return orders.map(({ id, amount: literal, done, ref, type }) => [
    JSON.parse(id) as unknown,
    amount === 'text'
      ? (JSON.parse(literal) as unknown)
      : toAmount(literal.replaceAll('"', ''), numbers),
    done === undefined ? undefined : (JSON.parse(done) as unknown),
    isAbsent(ref) ? undefined : (JSON.parse(ref as string) as unknown),
    ...(recognizing === 'a signed member' ? [JSON.parse(type) as unknown] : []),
  ]);
}

function toAmount(digits: string, numbers: Setting['numbers']): unknown {
  const isExact = digits !== '9007199254740993';
  return isExact || numbers === 'not strict' ? Number(digits) : digits;
}
