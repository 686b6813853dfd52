import { isAnnotation } from '../../../specification/schema-keywords.ts';
import { type Json, type JsonObject, isJsonObject } from '../../../json/json.ts';
import type { Pair } from './pair.ts';
import { toCanonical } from '../../../json/same-json.ts';
import type { SchemaDifference } from './schema-difference.ts';
import { formatValue } from '../format-value.ts';

/**
 * Makes two schemas comparable if only one of them consists of `oneOf` or `anyOf`: wraps the rules of the other one in
 * a list with one alternative.
 */
export function asAlternatives(
  base: JsonObject,
  head: JsonObject,
): readonly [base: JsonObject, head: JsonObject] {
  if (isAlternatives(base) === isAlternatives(head)) return [base, head];
  return isAlternatives(base) ? [base, wrapped(head, base)] : [wrapped(base, head), head];
}

function isAlternatives(schema: JsonObject): boolean {
  const rules = Object.keys(schema).filter((keyword) => !isAnnotation(keyword));
  return rules.length === 1 && alternativesKeyword(schema) !== undefined;
}

function wrapped(schema: JsonObject, like: JsonObject): JsonObject {
  const entries = Object.entries(schema);
  const rules = entries.filter(([keyword]) => !isAnnotation(keyword));
  return {
    ...Object.fromEntries(entries.filter(([keyword]) => isAnnotation(keyword))),
    [alternativesKeyword(like) ?? 'oneOf']: [Object.fromEntries(rules)],
  };
}

/** Compares `allOf`, `oneOf` and `anyOf`. */
export function* compareAlternatives(pair: Pair): Generator<SchemaDifference> {
  yield* compareList(pair, 'allOf', 'allOf', {
    added: ['rule-added', 'It has to satisfy one schema more'],
    removed: ['rule-removed', 'It has to satisfy one schema less'],
  });
  const [was, is] = [alternativesKeyword(pair.base), alternativesKeyword(pair.head)];
  if (was === undefined && is === undefined) return;
  if (was === undefined || is === undefined) {
    yield was === undefined
      ? pair.say('rule-added', 'It has to have one of several forms.', is ?? 'oneOf')
      : pair.say('rule-removed', 'It need not have one of several forms.', was);
    return;
  }
  if (was !== is) {
    yield is === 'oneOf'
      ? pair.say('rule-added', 'A value that fits several forms is refused.', is)
      : pair.say('rule-removed', 'A value may fit several forms.', is);
  }
  yield* compareList(pair, was, is, {
    added: ['alternative-added', 'It can have one form more'],
    removed: ['alternative-removed', 'It can have one form less'],
  });
}

type Words = readonly [
  'rule-added' | 'rule-removed' | 'alternative-added' | 'alternative-removed',
  string,
];

function* compareList(
  pair: Pair,
  baseKeyword: string | undefined,
  headKeyword: string | undefined,
  { added, removed }: { readonly added: Words; readonly removed: Words },
): Generator<SchemaDifference> {
  const was = listIn(pair.base, baseKeyword);
  const is = listIn(pair.head, headKeyword);
  if (was.length === 0 && is.length === 0) return;
  const { pairs, come, gone } = pairUp(was, is);
  for (const [one, other] of pairs) {
    const steps = { base: stepsTo(baseKeyword, one), head: stepsTo(headKeyword, other) };
    yield* pair.into(was[one], is[other], steps);
  }
  for (const index of come)
    yield pair.say(added[0], `${added[1]}: ${summary(is[index])}.`, ...stepsTo(headKeyword, index));
  for (const index of gone)
    yield pair.say(
      removed[0],
      `${removed[1]}: ${summary(was[index])}.`,
      ...stepsTo(baseKeyword, index),
    );
}

interface Pairing {
  readonly pairs: readonly (readonly [base: number, head: number])[];
  readonly come: readonly number[];
  readonly gone: readonly number[];
}

/**
 * Pairs the subschemas of two lists: first equal ones, then those with the same `$ref`, title or constants. The rest is
 * paired by position if both lists have the same number left.
 */
function pairUp(base: readonly Json[], head: readonly Json[]): Pairing {
  const pairs: [number, number][] = [];
  const gone = new Set(base.keys());
  const come = new Set(head.keys());
  const match = (keyOf: (schema: Json) => string | undefined): void => {
    for (const other of come) {
      const key = keyOf(head[other] ?? null);
      const one =
        key === undefined
          ? undefined
          : [...gone].find((index) => keyOf(base[index] ?? null) === key);
      if (one === undefined) continue;
      pairs.push([one, other]);
      gone.delete(one);
      come.delete(other);
    }
  };
  match((schema) => toCanonical(schema));
  match((schema) => (isJsonObject(schema) ? textOf(schema['$ref']) : undefined));
  match((schema) => (isJsonObject(schema) ? textOf(schema['title']) : undefined));
  match((schema) => (isJsonObject(schema) ? constantsOf(schema) : undefined));
  if (gone.size === come.size) {
    const rest = [...gone];
    for (const [index, other] of [...come].entries()) pairs.push([rest[index] ?? 0, other]);
    return { pairs, come: [], gone: [] };
  }
  return { pairs, come: [...come], gone: [...gone] };
}

/** Returns the `const` members of an object schema, which usually distinguish the alternatives of a union. */
function constantsOf(schema: JsonObject): string | undefined {
  const members = schema['properties'];
  if (!isJsonObject(members)) return undefined;
  const constants = Object.entries(members).flatMap(([name, member]) =>
    isJsonObject(member) && member['const'] !== undefined ? [[name, member['const']]] : [],
  );
  return constants.length === 0 ? undefined : toCanonical(constants);
}

function alternativesKeyword(schema: JsonObject): 'oneOf' | 'anyOf' | undefined {
  if (Array.isArray(schema['oneOf'])) return 'oneOf';
  return Array.isArray(schema['anyOf']) ? 'anyOf' : undefined;
}

function listIn(schema: JsonObject, keyword: string | undefined): readonly Json[] {
  const list = keyword === undefined ? undefined : schema[keyword];
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

function stepsTo(keyword: string | undefined, index: number): readonly (string | number)[] {
  return keyword === undefined ? [] : [keyword, index];
}

function summary(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return formatValue(schema);
  return formatValue(
    textOf(schema['$ref'])?.replace('#/$defs/', '') ?? textOf(schema['title']) ?? schema,
  );
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
