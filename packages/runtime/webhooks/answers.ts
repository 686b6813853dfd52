import { isJsonType } from '../base/index.ts';
import {
  type Catalogue,
  type Delivery,
  type Ending,
  type Outcome,
  type Read,
  type Reason,
  type Responses,
  invalid,
  readValue,
} from './contract.ts';
import { looksLikeJson, withoutByteOrderMark } from './identify.ts';

/** The response to accepted deliveries of a kind, as the contract states it. */
export interface Answer {
  readonly status: number;
  /** The media type and the value of the body; left out where the contract states none. */
  readonly mediaType?: string;
  readonly value?: AnswerValue;
}

/** The answers of kinds for which the contract states several. */
export interface AnswerChoice {
  /** By the name of a kind or a union, as many as it has; the first is the default. */
  readonly choices: ReadonlyMap<string, readonly Answer[]>;
  /** The statuses that the application has chosen, by the same names. */
  readonly statuses: object | undefined;
  /** The names of all kinds. */
  readonly kinds: readonly string[];
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
  /** Answers accepted deliveries. Left out where the contract states nothing but 200 without a body. */
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
 * @param choice left out where no kind has several answers
 * @throws WebhookError `invalid-option` for a status that the contract does not state
 */
export function createAnswers(
  answers: ReadonlyMap<string, Answer>,
  common: Answer | undefined,
  responses: Responses | undefined,
  choice?: AnswerChoice,
): AnswerDelivery {
  const chosen = choice && chooseAnswers(answers, choice);
  return answerWith(
    chosen ?? answers,
    chosen === answers || chosen === undefined ? common : commonOf(chosen, choice?.kinds ?? []),
    responses,
  );
}

/** Returns the answers by name, with those of the chosen statuses; the same map where none is chosen. */
function chooseAnswers(
  answers: ReadonlyMap<string, Answer>,
  { choices, statuses = {} }: AnswerChoice,
): ReadonlyMap<string, Answer> {
  const entries = Object.entries(statuses).flatMap(([name, status]: [string, unknown]) => {
    if (status === undefined) return [];
    const possible = choices.get(name) ?? [];
    const answer = possible.find((candidate) => candidate.status === status);
    if (answer === undefined)
      throw invalid(
        `\`statuses.${name}\` must be one of ${possible.map((candidate) => candidate.status).join(', ')}`,
      );
    return [[name, answer] as const];
  });
  return entries.length === 0 ? answers : new Map([...answers, ...entries]);
}

/** Returns the answer that all kinds have, unless it echoes something. */
function commonOf(
  answers: ReadonlyMap<string, Answer>,
  kinds: readonly string[],
): Answer | undefined {
  const [answer, ...others] = new Set(kinds.map((kind) => answers.get(kind)));
  return others.length > 0 || (answer?.value && !isFixed(answer.value)) ? undefined : answer;
}

function isFixed(value: AnswerValue): boolean {
  return 'members' in value ? [...value.members.values()].every(isFixed) : 'fixed' in value;
}

function answerWith(
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
  { status, mediaType = '', value }: Answer,
  delivery: Delivery,
): Outcome | undefined {
  if (value === undefined) return { reason, status };
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
