import { isJsonType } from '../base/index.ts';
import {
  type Catalogue,
  type Delivery,
  type Ending,
  type Outcome,
  type Read,
  type Reason,
  type Responses,
  readValue,
} from './contract.ts';
import { looksLikeJson, withoutByteOrderMark } from './identify.ts';

/** The response to accepted deliveries of a kind, whose body the contract states. */
export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly value: AnswerValue;
}

/** A value in a response: a constant, the text at a location in the delivery, or an object of such values. */
export type AnswerValue =
  | { readonly fixed: unknown }
  | { readonly echoes: Read }
  | { readonly members: ReadonlyMap<string, AnswerValue> };

/** Returns the response to a delivery; `undefined` for the default one. Never throws. */
export type AnswerDelivery = (ending: Ending, delivery: Delivery) => Outcome | undefined;

/** The contract as a receiver reads it, which can also state the bodies of responses. */
export interface AnsweringCatalogue extends Catalogue {
  /** Answers accepted deliveries. Left out where the contract states no body of a response. */
  readonly answer?: AnswerDelivery;
}

/** Reasons that tell the sender that it is not to send the delivery again. */
const accepting: ReadonlySet<Reason> = new Set<Reason>([
  'handled',
  'stored',
  'stored-malformed',
  'duplicate',
  'unidentified',
  'accepted',
]);

/**
 * Creates the function that answers accepted deliveries as the contract states. A delivery whose events have different
 * answers gets the default response.
 * @param answers by the name of a kind, or of a union of kinds with the same answer; equal answers are the same object
 * @param common the answer of every kind, for deliveries of no kind
 * @param responses the application's own responses, which take precedence
 */
export function createAnswers(
  answers: ReadonlyMap<string, Answer>,
  common: Answer | undefined,
  responses: Responses | undefined,
): AnswerDelivery {
  return ({ reason, kinds = [] }, delivery) => {
    if (!accepting.has(reason) || responses?.[reason] !== undefined) return undefined;
    const kindAnswers = new Set(
      (kinds.length === 0 ? [null] : kinds).map((kind) =>
        kind === null ? common : answers.get(kind),
      ),
    );
    const [answer] = kindAnswers;
    return answer === undefined || kindAnswers.size > 1
      ? undefined
      : toOutcome(reason, answer, delivery);
  };
}

function toOutcome(
  reason: Reason,
  { status, mediaType, value }: Answer,
  delivery: Delivery,
): Outcome | undefined {
  const bodyValue = evaluate(value, delivery, memoizeBody(delivery.body));
  if (bodyValue === undefined) return undefined;
  const isText = !isJsonType(mediaType);
  const body = isText ? bodyValue : JSON.stringify(bodyValue);
  if (typeof body !== 'string') return undefined;
  return {
    reason,
    status,
    // A browser that shows the response must not take an echo for markup.
    headers: {
      'content-type':
        isText && !/charset/iu.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType,
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}

/** Returns a value of the response; `undefined` where it echoes something that is not a text. */
function evaluate(value: AnswerValue, delivery: Delivery, body: () => unknown): unknown {
  if ('fixed' in value) return value.fixed;
  if ('echoes' in value) {
    const { echoes } = value;
    const isInBody = typeof echoes === 'object' && 'body' in echoes;
    const echoed = readValue(echoes, delivery, isInBody ? body() : undefined);
    return typeof echoed === 'string' ? echoed : undefined;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of value.members) {
    const memberValue = evaluate(member, delivery, body);
    if (memberValue === undefined) return undefined;
    members.push([name, memberValue]);
  }
  return Object.fromEntries(members);
}

/** Returns the function that parses a body at its first call, as JSON or as a form. */
function memoizeBody(raw: Uint8Array): () => unknown {
  let parsed: { readonly body: unknown } | undefined;
  return () => (parsed ??= { body: parse(raw) }).body;
}

function parse(raw: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(withoutByteOrderMark(raw));
    if (looksLikeJson(text)) return JSON.parse(text);
    const fields = new Map<string, string | undefined>();
    // A repeated field has no value.
    for (const [name, value] of new URLSearchParams(text))
      fields.set(name, fields.has(name) ? undefined : value);
    return Object.fromEntries(fields);
  } catch {
    return undefined;
  }
}
