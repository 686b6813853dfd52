import { isObject, memberOf, textOf } from '../sending/json-object.ts';
import { samplesOf } from '../deliveries/payload.ts';
import { leavesOf, mergeJson, valueAt, withValueAt } from '../sending/json-path.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification, Service } from '../service.ts';
import { findUnmet } from './criteria.ts';
import { parseExpression } from './expression.ts';
import { originOf, type StepPlan, type WorkflowPlan } from './plan.ts';
import { replaceIn } from './request-payload.ts';
import { expressionsIn, resolveValue } from './resolve-value.ts';
import type { Exchange, Scope } from './scope.ts';

/** A notification that a step delivers. */
export interface MadePayload {
  readonly kind: string;
  readonly payload: Json;
}

/** What a payload is made of. */
export interface PayloadSources {
  readonly description: Service;
  readonly plan: WorkflowPlan;
  readonly scope: Scope;
  /** The values of earlier calls of the run, by the names of their members. */
  readonly carried: ReadonlyMap<string, Json>;
  readonly random: Random;
}

/**
 * Makes the payload that a step delivers. It is the first example of one of the step's notifications that meets the
 * step's criteria after these changes: identifiers that other steps read are made unique, values that earlier calls
 * carried and the correlation id are inserted, and members of the step's `requestBody` are replaced.
 */
export function makePayload(step: StepPlan, sources: PayloadSources): MadePayload | undefined {
  const { description, scope } = sources;
  const made: (MadePayload & { readonly rank: number })[] = [];
  for (const kind of step.names) {
    const notification = description.notifications.find((candidate) => candidate.name === kind);
    if (notification === undefined) continue;
    const examples = notification.examples.map(({ value }) => value);
    for (const example of examples.length > 0 ? examples : samplesOf(description, kind)) {
      const { payload, isCorrelated, isValid } = fill(step, notification, example, sources);
      const unmet = findUnmet(step.definition['successCriteria'], {
        ...scope,
        exchange: toMessage(payload),
      });
      // The first of those with the highest rank is delivered: even an invalid one shows the reader what is wrong.
      const rank = Number(isValid) * 4 + Number(isCorrelated) * 2 + Number(unmet === undefined);
      made.push({ kind, payload, rank });
    }
  }
  const best = Math.max(...made.map(({ rank }) => rank));
  return made.find(({ rank }) => rank === best);
}

/** Returns a payload as expressions about the message read it. */
export function toMessage(body: Json, header: Readonly<Record<string, string>> = {}): Exchange {
  return { parts: { message: { header, body } } };
}

function fill(
  step: StepPlan,
  notification: ServedNotification,
  example: Json,
  { description, plan, scope, carried, random }: PayloadSources,
): { readonly payload: Json; readonly isCorrelated: boolean; readonly isValid: boolean } {
  const check = description.checks.get(notification.wire);
  const isValid = (value: Json): boolean => check?.accepts(value) ?? true;
  let payload = example;
  const change = (by: (value: Json) => Json): void => {
    const changed = by(payload);
    // An inferred value is not worth an invalid payload.
    if (isValid(changed) || !isValid(payload)) payload = changed;
  };

  const expression = textOf(step.definition, 'correlationId');
  const place =
    expression === undefined
      ? undefined
      : correlationPlace(step, plan, notification.name, expression, example);
  for (const path of identifiersReadBy(step, plan)) {
    const value = valueAt(example, path);
    if (typeof value === 'string') change((base) => withValueAt(base, path, vary(value, random)));
  }
  for (const { path, value } of leavesOf(example)) {
    const carriedValue = carried.get(path.at(-1) ?? '');
    if (carriedValue !== undefined && typeof carriedValue === typeof value)
      change((base) => withValueAt(base, path, carriedValue));
  }
  const id = expression === undefined ? undefined : resolveValue(expression, scope);
  if (place !== undefined && id !== undefined) payload = withValueAt(payload, place, id);

  const body = step.definition['requestBody'];
  const stated = resolveValue(memberOf(body, 'payload'), scope);
  if (stated !== undefined) payload = mergeJson(payload, stated);
  payload = replaceIn(payload, memberOf(body, 'replacements'), scope) ?? payload;
  return {
    payload,
    isCorrelated: expression === undefined || (place !== undefined && id !== undefined),
    isValid: isValid(payload),
  };
}

/**
 * Returns where a payload has the correlation id: where the AsyncAPI document states it, where the message has it that
 * the id comes from, or the only member of that name.
 */
export function correlationPlace(
  step: StepPlan,
  plan: WorkflowPlan,
  kind: string,
  expression: string,
  example: Json,
): readonly string[] | undefined {
  const stated = step.correlation?.[kind];
  const origin = originOf(plan.steps, expression);
  const paths = [stated, origin].flatMap((candidate) => {
    const parsed = candidate === undefined ? undefined : parseExpression(candidate);
    return parsed?.kind === 'body' && parsed.path.length > 0 ? [parsed.path] : [];
  });
  const idPath = paths.find((path) => isScalar(valueAt(example, path)));
  if (idPath !== undefined) return idPath;
  const parsed = parseExpression(expression);
  const names = new Set([
    ...paths.flatMap((path) => path.at(-1) ?? []),
    ...('name' in parsed ? [parsed.name] : []),
  ]);
  const named = leavesOf(example).filter(({ path }) => names.has(path.at(-1) ?? ''));
  return named.length === 1 ? named[0]?.path : undefined;
}

function isScalar(value: Json | undefined): boolean {
  return value !== undefined && !Array.isArray(value) && !isObject(value);
}

/** Returns the places of a payload whose values other steps read, other than its correlation id. */
function identifiersReadBy(step: StepPlan, plan: WorkflowPlan): readonly (readonly string[])[] {
  const outputs = step.definition['outputs'];
  if (!isObject(outputs)) return [];
  const read = new Set(
    plan.steps
      .filter(({ id }) => id !== step.id)
      .flatMap(({ definition }) =>
        ['correlationId', 'parameters', 'requestBody'].map((memberName) => definition[memberName]),
      )
      .flatMap(expressionsIn),
  );
  return Object.entries(outputs).flatMap(([name, origin]) => {
    const isRead = [...read].some((expression) =>
      expression.startsWith(`$steps.${step.id}.outputs.${name}`),
    );
    if (!isRead || typeof origin !== 'string') return [];
    const parsed = parseExpression(origin);
    return parsed.kind === 'body' ? [parsed.path] : [];
  });
}

/** Makes a similar identifier: a UUID, or the text with other digits; with few digits, with other letters too. */
function vary(text: string, random: Random): string {
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu.test(text))
    return random.uuid();
  const isNumbered = text.replaceAll(/\D/gu, '').length >= 6;
  const alphabets = isNumbered ? [digits] : [digits, letters, letters.toUpperCase()];
  return text.replace(/.{1,10}$/su, (end) =>
    Array.from(end, (character) => {
      const alphabet = alphabets.find((candidate) => candidate.includes(character));
      return alphabet === undefined ? character : random.pick(Array.from(alphabet));
    }).join(''),
  );
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
