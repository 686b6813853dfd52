import type { Cursor } from '../json/cursor.ts';
import { memoize } from '../execution/memoize.ts';
import { type Json, type JsonObject, isJsonObject, optional } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Condition, Conditions, JsonSchema } from '../schema/model.ts';
import { isSchema } from '../schema/visit.ts';

/**
 * Reads `x-identified-by`: a list means OR, a map means AND. A key without `$` names a condition of `x-conditions` in
 * the document's components: `true` means that one of its alternatives holds, `false` that none does. Returns
 * `undefined` where the named conditions multiply to more than 1,000 alternatives.
 */
export function readIdentification(
  at: Cursor,
  reading: ConditionReading = {},
): readonly Conditions[] | undefined {
  const declared = declaredConditions(at);
  const alternatives: Conditions[] = [];
  for (const alternative of at.listed()) {
    const parts: (readonly Conditions[])[] = [];
    for (const [key, member] of alternative.entries()) {
      const named = declared.items(key).map((conditions) => readConditions(conditions, reading));
      if (!isConditionName(key)) parts.push([[toCondition(key, member, reading)]]);
      else if (member.value === true) parts.push(named);
      else for (const conditions of named) parts.push(negate(conditions));
    }
    const combined = conjunction(parts);
    if (combined === undefined || alternatives.length + combined.length > maxAlternatives)
      return undefined;
    alternatives.push(...combined);
  }
  return alternatives;
}

/** How conditions are read. */
export interface ConditionReading {
  /** Returns the id of the ledger entry whose settled answer wrote a place. */
  readonly writerOf?: (pointer: Pointer) => string | undefined;
  /** Returns a schema with the patterns that code matches. */
  readonly normalize?: (schema: JsonObject) => JsonObject;
  /** Returns a text that a pattern matches, if one is found. */
  readonly sampleOf?: ((pattern: string) => string | undefined) | undefined;
}

/**
 * Creates the function that returns the schema of a condition with the patterns that code matches. A pattern that code
 * does not match becomes `null`, which makes the condition undecidable; a rule reports it. A pattern without a type
 * decides about texts, and a rule reports where a valid value can be anything else: otherwise a value of another type
 * would satisfy the patterns of all kinds.
 */
export function createConditionNormalizer(
  patternOf: (pattern: string) => string | undefined,
): (schema: JsonObject) => JsonObject {
  // Memoized, because YAML aliases can repeat a part exponentially often.
  const normalizeSchema = memoize((schema: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (keyword === 'pattern' && typeof value === 'string')
          return [keyword, patternOf(value) ?? null];
        if (keyword === 'not') return [keyword, normalize(value)];
        return applicators.has(keyword) && Array.isArray(value)
          ? [keyword, (value as readonly Json[]).map((item) => normalize(item) ?? null)]
          : [keyword, value];
      }),
    ),
  );
  const normalize = (value: Json | undefined): Json | undefined =>
    isJsonObject(value) ? normalizeSchema(value) : value;
  return (schema) => {
    const normalized = normalizeSchema(schema);
    return schema['type'] === undefined && hasBarePattern(schema)
      ? { type: 'string', ...normalized }
      : normalized;
  };
}

/** Returns whether a schema has a pattern without a type beside it, at any depth. */
const hasBarePattern = memoize((schema: JsonObject): boolean => {
  if (schema['pattern'] !== undefined && schema['type'] === undefined) return true;
  const inner = [schema['not'], ...[...applicators].flatMap((keyword) => schema[keyword] ?? [])];
  return inner.some((part) => isJsonObject(part) && hasBarePattern(part));
});

const applicators: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

/** Returns the places of the named conditions that `x-identified-by` refers to. */
export function conditionPlaces(at: Cursor): readonly Pointer[] {
  const names = at
    .listed()
    .flatMap((alternative) => alternative.entries())
    .map(([key]) => key)
    .filter(isConditionName);
  return [...new Set(names)].map((name) => declaredConditions(at).child(name).pointer);
}

function declaredConditions(at: Cursor): Cursor {
  return at.document.child('components', conditionsKey);
}

/** The maximum number of alternatives of `x-identified-by`, because named conditions multiply them. */
const maxAlternatives = 1000;

/** The key of the components with named conditions. */
export const conditionsKey = 'x-conditions';

/** Returns whether a key of `x-identified-by` names a condition, and is not an expression. */
export function isConditionName(key: string): boolean {
  return /^[A-Za-z]/.test(key);
}

/** Returns the alternatives of "all of these hold", where each of them has alternatives itself, if they are few. */
function conjunction(all: readonly (readonly Conditions[])[]): readonly Conditions[] | undefined {
  if (all.some((options) => options.length === 0)) return [];
  let combinations: Condition[][] = [[]];
  for (const options of all) {
    if (combinations.length * options.length > maxAlternatives) return undefined;
    const [only = []] = options;
    if (options.length === 1)
      for (const before of combinations) for (const condition of only) before.push(condition);
    else
      combinations = combinations.flatMap((before) =>
        options.map((option) => [...before, ...option]),
      );
  }
  return combinations;
}

/** Returns the alternatives of "not all of these hold". An absent value violates every schema but `false`. */
function negate(conditions: Conditions): readonly Conditions[] {
  return conditions.flatMap(({ expression, schema }): readonly Conditions[] => {
    if (schema === false) return [[{ expression, schema: {} }]];
    const absent = [{ expression, schema: false }];
    const isAnything = schema === true || Object.keys(schema).length === 0;
    return isAnything ? [absent] : [absent, [{ expression, schema: complementOf(schema) }]];
  });
}

/** Returns the schema that accepts what another one refuses. */
function complementOf(schema: JsonObject): JsonSchema {
  const { not, ...rest } = schema;
  return isSchema(not) && Object.keys(rest).length === 0 ? not : { not: schema };
}

/** Reads a map from expression to JSON Schema (`false`: absent), in the author's order. */
export function readConditions(at: Cursor, reading: ConditionReading = {}): Conditions {
  return at.entries().map(([expression, schema]) => toCondition(expression, schema, reading));
}

function toCondition(
  expression: string,
  { value, pointer }: Cursor,
  { writerOf, normalize, sampleOf }: ConditionReading,
): Condition {
  const declaredSchema = isJsonObject(value) || typeof value === 'boolean' ? value : {};
  const schema =
    isJsonObject(declaredSchema) && normalize ? normalize(declaredSchema) : declaredSchema;
  const pattern = isJsonObject(schema) ? schema['pattern'] : undefined;
  return {
    expression,
    schema,
    ...optional('settledBy', writerOf?.(pointer)),
    ...optional('sample', typeof pattern === 'string' ? sampleOf?.(pattern) : undefined),
  };
}
