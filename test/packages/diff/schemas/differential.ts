import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../../../generator/json/json.ts';
import { buildContract } from '../../../targets/contract/contract-builder.ts';
import { indexSchemas } from '../../../../generator/schema/references.ts';
import type { UsedDifference } from '../../../../packages/diff/src/schemas/compare-schemas.ts';
import { compareSchemas } from './compare.ts';
import {
  randomPair,
  type RandomSchema,
  randomSchema,
  randomValue,
  rewrite,
} from './random-schemas.ts';

/** What a random pair shows about the comparison. */
export interface Outcome {
  /** Values that only one side accepts, by the direction that the differences do not name. */
  readonly missed: readonly string[];
  /** Differences that claim a direction without a value, and are not marked. */
  readonly unproven: readonly string[];
  readonly undecided: number;
  readonly pair: string;
}

/** The number of values for each pair, beside those at the limits of both schemas. */
const valuesOfPair = 400;

/** Compares random pairs, and judges values by Ajv. */
export function runPairs(count: number, seed: number): readonly Outcome[] {
  const pairs = fc.sample(randomPair, { numRuns: count, seed });
  const values = fc.sample(randomValue, { numRuns: valuesOfPair, seed });
  return pairs.map(([base, head]) => compareOne(base, head, values));
}

/** The share of pairs that may have a difference which is not decided. */
const maxUndecided = 0.05;

/** Returns what is wrong in the outcomes of pairs. */
export function summarize(outcomes: readonly Outcome[]): {
  readonly missed: readonly Outcome[];
  readonly unproven: readonly Outcome[];
  readonly isMostlyDecided: boolean;
} {
  const undecided = outcomes.filter((outcome) => outcome.undecided > 0).length;
  return {
    missed: outcomes.filter(({ missed }) => missed.length > 0),
    unproven: outcomes.filter(({ unproven }) => unproven.length > 0),
    isMostlyDecided: undecided / outcomes.length <= maxUndecided,
  };
}

/**
 * Rewrites random schemas, and returns those that differ from what they were.
 * @throws Error if Ajv finds that a rewriting accepts other values
 */
export function rewritten(count: number, seed: number): readonly unknown[] {
  const values = fc.sample(randomValue, { numRuns: 60, seed });
  return fc.sample(randomSchema, { numRuns: count, seed }).flatMap((schema, index) => {
    const change = rewrite(schema.schemas, index);
    const other = { ...schema, definition: change(change(schema.definition)) };
    const [was, is] = [checkOf(schema), checkOf(other)];
    const pair = JSON.stringify([schema, other]);
    if (values.some((value) => was(value) !== is(value)))
      throw new Error(`The rewriting accepts other values: ${pair}`);
    const differences = differencesOf(schema, other);
    return differences.length === 0
      ? []
      : [{ pair, differences: differences.map(({ code, message }) => [code, message]) }];
  });
}

function differencesOf(base: RandomSchema, head: RandomSchema): readonly UsedDifference<string>[] {
  const sideOf = ({ definition, schemas }: RandomSchema) => ({
    definition,
    schemas: indexSchemas(buildContract(Object.entries(schemas))),
  });
  return compareSchemas(sideOf(base), sideOf(head));
}

function compareOne(base: RandomSchema, head: RandomSchema, values: readonly Json[]): Outcome {
  const differences = differencesOf(base, head);
  const [was, is] = [checkOf(base), checkOf(head)];
  const examples = differences.flatMap(({ example }) => example ?? []);
  const tried = [...values, ...examples, ...valuesNear(base), ...valuesNear(head)];
  const refused = tried.filter((value) => was(value) && !is(value));
  const admitted = tried.filter((value) => !was(value) && is(value));
  const claims = (direction: 'fewer' | 'more'): readonly UsedDifference<string>[] =>
    differences.filter(({ accepts }) => accepts === direction || accepts === 'other');
  const missed = [
    ...(refused.length > 0 && claims('fewer').length === 0
      ? [`fewer: ${JSON.stringify(refused[0])}`]
      : []),
    ...(admitted.length > 0 && claims('more').length === 0
      ? [`more: ${JSON.stringify(admitted[0])}`]
      : []),
  ];
  const found = { fewer: refused.length > 0, more: admitted.length > 0 };
  const unproven = (['fewer', 'more'] as const).flatMap((direction) =>
    found[direction]
      ? []
      : claims(direction)
          .filter(({ isDecided, accepts }) => isDecided && accepts === direction)
          .map(({ code, message, place }) => `${direction}: ${code} ${place.path} ${message}`),
  );
  return {
    missed,
    unproven,
    undecided: differences.filter(({ isDecided }) => !isDecided).length,
    pair: JSON.stringify([base, head]),
  };
}

function checkOf({ definition, schemas }: RandomSchema): (value: Json) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false });
  return ajv.compile({ ...definition, $defs: schemas });
}

/** Returns values that a schema accepts or nearly accepts: built from its own members and limits. */
function valuesNear({ definition, schemas }: RandomSchema): readonly Json[] {
  const checks = new WeakMap<JsonObject, (value: Json) => boolean>();
  const near = (schema: JsonObject, depth: number): readonly Json[] => {
    const check = checks.get(schema) ?? checkOf({ definition: schema, schemas });
    checks.set(schema, check);
    const all = draft(schema, depth);
    // Valid members make valid objects: they come first, and some of the others follow.
    const valid = all.filter((value) => check(value));
    return [
      ...spread(valid, 40),
      ...spread(
        all.filter((value) => !check(value)),
        40,
      ),
    ];
  };
  const draft = (schema: JsonObject, depth: number): readonly Json[] => {
    if (depth === 0) return ['x', 1];
    const { $ref, const: constant, enum: list = [], anyOf = [], allOf = [], items } = schema;
    const parts = [...(anyOf as readonly JsonObject[]), ...(allOf as readonly JsonObject[])];
    const target = $ref === undefined ? [] : near(schemas['Named'] ?? {}, depth - 1);
    const limits = [schema['minimum'], schema['maximum'], 0].flatMap((limit) =>
      typeof limit === 'number' ? [limit, limit - 1, limit + 1, limit + 0.5] : [],
    );
    const lengths = [schema['minLength'], schema['maxLength']].flatMap((length) =>
      typeof length === 'number'
        ? ['q'.repeat(length), 'q'.repeat(length + 1), 'q'.repeat(Math.max(0, length - 1))]
        : [],
    );
    const elements = items === undefined ? ['x', 1] : near(items as JsonObject, depth - 1);
    const arrays = [
      [],
      ...spread(elements, 30).flatMap((item) => [[item], [item, item], [item, item, item]]),
    ];
    return [
      ...(constant === undefined ? [] : [constant]),
      ...(list as readonly Json[]),
      ...limits,
      ...lengths,
      ...target,
      ...(schema['type'] === 'array' ? (arrays as Json[]) : []),
      ...parts.flatMap((part) => spread(near(part, depth - 1), 80)),
      ...objectsNear(schema, depth, near),
      ...mergedObjects(parts, depth, near),
      'x',
      'w',
      1,
      0.5,
      true,
      null,
      [],
      {},
    ];
  };
  return near(definition, 4);
}

/** Returns some values of a list, from all parts of it. */
function spread(list: readonly Json[], count: number): readonly Json[] {
  const step = Math.max(1, list.length / count);
  return Array.from(
    { length: Math.min(count, list.length) },
    (_, index) => list[Math.floor(index * step)] ?? null,
  );
}

type Near = (schema: JsonObject, depth: number) => readonly Json[];

function objectsNear(schema: JsonObject, depth: number, near: Near): readonly Json[] {
  const { properties, additionalProperties } = schema;
  if (properties === undefined) return [];
  const required = (schema['required'] ?? []) as readonly string[];
  const members = new Map(Object.entries(properties as Readonly<Record<string, JsonObject>>));
  const others = isJsonObject(additionalProperties) ? additionalProperties : {};
  for (const name of required) if (!members.has(name)) members.set(name, others);
  const choices = new Map(
    Array.from(members, ([name, member]) => [name, spread(near(member, depth - 1), 60)] as const),
  );
  return combine(choices, required, additionalProperties, depth, near);
}

/** Returns objects with members of several schemas that all apply. */
function mergedObjects(parts: readonly JsonObject[], depth: number, near: Near): readonly Json[] {
  const choices = new Map<string, readonly Json[]>();
  const required = new Set<string>();
  for (const part of parts) {
    for (const name of (part['required'] ?? []) as readonly string[]) required.add(name);
    for (const [name, member] of Object.entries(
      (part['properties'] ?? {}) as Record<string, JsonObject>,
    ))
      choices.set(name, [...(choices.get(name) ?? []), ...spread(near(member, depth - 1), 40)]);
  }
  const others = parts.flatMap(({ additionalProperties: rest }) =>
    isJsonObject(rest) ? near(rest, depth - 1) : [],
  );
  for (const name of required)
    if (!choices.has(name)) choices.set(name, others.length === 0 ? ['x'] : spread(others, 20));
  return choices.size === 0 ? [] : combine(choices, [...required], undefined, depth, near);
}

function combine(
  choices: ReadonlyMap<string, readonly Json[]>,
  required: readonly string[],
  rest: Json | undefined,
  depth: number,
  near: Near,
): readonly Json[] {
  const objects: Json[] = [];
  const longest = Math.max(0, ...Array.from(choices.values(), ({ length }) => length));
  for (let index = 0; index < longest; index += 1) {
    const pick = (names: Iterable<string>): Record<string, Json> =>
      Object.fromEntries(
        Array.from(names, (name, position) => {
          const list = choices.get(name) ?? ['x'];
          return [name, list[(index + position * 7) % list.length] ?? null];
        }),
      );
    objects.push(pick(choices.keys()), pick(required));
  }
  for (const base of objects.slice(0, 40) as Record<string, Json>[]) {
    for (const [name, list] of choices)
      for (const value of list) objects.push({ ...base, [name]: value });
    for (const name of Object.keys(base))
      objects.push(Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)));
  }
  const others = typeof rest === 'object' ? near(rest as JsonObject, depth - 1) : ['x', 1, null];
  return [
    ...spread(objects, 2500),
    ...spread(objects, 40).flatMap((object) =>
      spread(others, 20).map((d) => ({ ...(object as object), d })),
    ),
  ] as Json[];
}
