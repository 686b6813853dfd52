import type { Check } from '@countersign/runtime/webhooks';
import { openStored, type OpenedDelivery } from '@countersign/runtime/webhooks/stored-events';
import { toReference } from 'countersign/companion/contract';
import { describeSteps, describeUnion, type Read } from 'countersign/companion/deliveries';
import { type ExampleCheck, JudgeError } from 'countersign/companion/validators';
import { childOf } from 'countersign/companion/values';
import type { Contract, Json } from 'countersign/kit';
import type { SignedRequest } from '../sending/sign-request.ts';
import { createCatalogue } from './receiver-catalogue.ts';

/** A handler that a receiver of the contract calls for an authentic delivery, and why. */
export interface ChosenHandler {
  /** As an application writes it: `on.paid`, `otherwise` or `onInvalid`. */
  readonly handler: string;
  /** How many events of the delivery it gets. */
  readonly events: number;
  /** A sentence. */
  readonly why: string;
}

type Opened = OpenedDelivery['opened'];
type Identified = Opened['identification']['events'][number];
type Refusal = Extract<Opened, { readonly text: string }>['refusal'];

/**
 * Returns the handlers that a receiver with its default options calls for a request, by the code of the receiver itself.
 * Returns none if a value cannot be judged in time.
 */
export async function chooseHandlers(
  contract: Contract,
  request: Pick<SignedRequest, 'url' | 'method' | 'headers' | 'body'>,
  check: ExampleCheck,
): Promise<readonly ChosenHandler[]> {
  const verdicts = new Verdicts(check);
  const catalogue = createCatalogue(contract, (schema) => verdicts.checkOf(schema));
  const open = (routes = catalogue.routes): OpenedDelivery =>
    openStored({ ...catalogue, routes }, toStored(request), rules);
  try {
    const delivery = await verdicts.settle(open);
    const unlabelled = await verdicts.settle(() => open([]));
    return describeChoice(contract, delivery, unlabelled);
  } catch (error) {
    if (error instanceof JudgeError) return [];
    throw error;
  }
}

/** The defaults of a receiver. */
const rules = { strict: true, maxDepth: 64, numbers: 'refuse', mounted: undefined } as const;

function toStored({
  url,
  method,
  headers,
  body,
}: Parameters<typeof chooseHandlers>[1]): Parameters<typeof openStored>[1] {
  return {
    id: '',
    receiptId: '',
    position: 0,
    count: 1,
    receivedAt: 0,
    method,
    target: url.pathname + url.search,
    // Names and values in turn.
    headers: headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
    ),
    body,
  };
}

/** The verdicts of schemas about values: a receiver asks for them at once, and they take their time here. */
class Verdicts {
  readonly #check: ExampleCheck;
  readonly #known = new Map<string, ReturnType<Check['violations']>>();
  readonly #asked = new Map<string, readonly [schema: string, value: Json]>();

  constructor(check: ExampleCheck) {
    this.#check = check;
  }

  /** Returns the check of a schema. What is not known yet is asked for, and counts as valid until then. */
  checkOf(schema: string): Check {
    const violations = (value: unknown): ReturnType<Check['violations']> => {
      const key = `${schema} ${JSON.stringify(value)}`;
      const known = this.#known.get(key);
      if (known === undefined) this.#asked.set(key, [schema, value as Json]);
      return known ?? [];
    };
    return { violations, accepts: (value) => violations(value).length === 0 };
  }

  /**
   * Returns the result of a function once it asks for nothing unknown.
   * @throws JudgeError
   */
  async settle<T>(decide: () => T): Promise<T> {
    for (;;) {
      const result = decide();
      if (this.#asked.size === 0) return result;
      for (const [key, [schema, value]] of this.#asked) {
        const found = await this.#check(toReference(schema), value);
        this.#known.set(
          key,
          found.map(({ at, keyword, words }) => ({ pointer: at, keyword, message: words })),
        );
      }
      this.#asked.clear();
    }
  }
}

function describeChoice(
  contract: Contract,
  delivery: OpenedDelivery,
  unlabelled: OpenedDelivery,
): readonly ChosenHandler[] {
  const { refusal, identification } = delivery.opened;
  const { events, count } = identification;
  if (refusal !== undefined) {
    const valid = events.length === 0 ? '' : ` Valid events: ${events.length} of ${count}.`;
    const why = `${describeRefusal(refusal, identification.invalid?.violations)}${valid}`;
    return [{ handler: 'onInvalid', events: count, why }];
  }
  const without = new Map(unlabelled.opened.identification.events.map((it) => [it.index, it]));
  return Array.from(
    Map.groupBy(events, ({ name }) => name),
    ([name, [event, ...more]]) => ({
      handler: name === null ? 'otherwise' : `on.${name}`,
      events: 1 + more.length,
      why:
        event === undefined
          ? ''
          : describeEvent(contract, delivery, event, without.get(event.index)?.name !== name),
    }),
  );
}

/** @param isLabelled whether the path decides */
function describeEvent(
  { notifications, recognition }: Contract,
  { delivery, opened }: OpenedDelivery,
  { kinds, bySchema, data }: Identified,
  isLabelled: boolean,
): string {
  if (kinds.length > 1) return describeUnion(recognition, kinds);
  const { form } = opened.identification;
  const notification = notifications.find(({ name }) => name === kinds[0]);
  const path = notification?.label?.path;
  const valueIn = (read: Read): Json | undefined => valueOf(read, delivery, data);
  const steps = describeSteps(recognition, valueIn, notification?.identifiedBy);
  const reasons = [
    ...steps.slice(0, maxSteps),
    ...(isLabelled && path !== undefined ? [`the path ends with the label ${quote(path)}`] : []),
    ...(form === 'canonical' ? [] : [`the body has the wire variant ${quote(form)}`]),
    ...(bySchema === true ? ['of the possible kinds, its schema alone accepts the body'] : []),
  ];
  if (kinds.length === 0) {
    const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
    return `It is of no kind of the contract${why}.`;
  }
  if (reasons.length > 0) return toSentence(reasons);
  return notifications.length === 1
    ? 'The contract has no other kind.'
    : 'No other kind is written in this format.';
}

/** The most values that a reason names. */
const maxSteps = 3;

function valueOf(
  read: Read,
  delivery: OpenedDelivery['delivery'],
  body: unknown,
): Json | undefined {
  if (read === 'method') return delivery.method;
  if (read === 'path') return delivery.path;
  if (read === 'raw') return undefined;
  if ('header' in read) return delivery.headers(read.header)[0];
  if ('query' in read) return new URLSearchParams(delivery.query).get(read.query) ?? undefined;
  if ('parameter' in read) return delivery.parameters[read.parameter];
  return read.body.reduce<Json | undefined>(childOf, body as Json);
}

/** Returns in a sentence why a receiver refuses a delivery. It contains no value of the delivery. */
function describeRefusal(
  { reason, detail, kinds = [] }: Refusal,
  [first]: readonly { readonly message: string }[] = [],
): string {
  const named = kinds.join(' or ');
  if (reason !== 'invalid') return refusals[reason];
  switch (detail) {
    case 'schema':
      return `The body violates the schema of ${named}.`;
    case 'other-kind':
      return `The path ends with the label of ${named}, but the body ${first?.message}.`;
    case 'no-kind':
      return `The label or the wire variant is that of ${named}, but the body is of none of them.`;
    case 'contradiction':
      return `The body resembles ${named}, but contradicts the contract about it.`;
    case 'number':
      return 'The body has a number that no double represents exactly.';
    default:
      return `The body ${first?.message ?? 'violates the contract'}.`;
  }
}

const refusals = {
  'encoded-body': 'The body is compressed.',
  'malformed-body': 'The body cannot be read: it is not JSON, or has a member twice.',
  'malformed-path': 'Different servers could resolve its path differently.',
} as const satisfies Readonly<Record<Exclude<Refusal['reason'], 'invalid'>, string>>;

function quote(text: string): string {
  return JSON.stringify(text);
}

function toSentence(parts: readonly string[]): string {
  const text = parts.join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
