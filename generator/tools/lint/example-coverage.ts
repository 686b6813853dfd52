import type { Contract } from '../../contract/contract.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { indexSchemas, referenceOf } from '../../schema/references.ts';
import type { ExampleCheck } from '../../rules/example-check.ts';
import type { WrittenExample } from '../../rules/written-examples.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import { orElse } from './or-else.ts';

/**
 * The values and alternatives of schemas that the examples of a contract cover. Schemas are looked up by object
 * identity in the model.
 */
export interface ExampleCoverage {
  /** Returns the values that examples have at this schema, if it is an enumeration. */
  valuesAt(schema: JsonObject): readonly Json[];
  /** Returns the alternatives of `oneOf` or `anyOf` that at least one example matches. */
  alternativesAt(schema: JsonObject): ReadonlySet<JsonSchema>;
}

/** Applies every example to the schemas that describe it and records the coverage. */
export async function coverExamples(
  contract: Contract,
  examples: readonly WrittenExample[],
  check: ExampleCheck,
): Promise<ExampleCoverage> {
  const index = indexSchemas(contract);
  const values = new Map<JsonObject, Json[]>();
  const taken = new Map<JsonObject, Set<JsonSchema>>();
  const matches = (schema: JsonSchema, value: Json): Promise<boolean> =>
    orElse(async () => (await check(schema, value)).length === 0, false);

  /**
   * Visits a schema with a value. `around` has the schemas already visited for this value, because references can be
   * circular.
   */
  const visit = async (
    schema: JsonSchema,
    value: Json,
    around: ReadonlySet<JsonSchema>,
  ): Promise<void> => {
    if (!isJsonObject(schema) || around.has(schema)) return;
    const seen = new Set([...around, schema]);
    add(values, schema, value);
    const target = index.get(referenceOf(schema) ?? '');
    const condition = schema['if'];
    await Promise.all([
      target === undefined ? undefined : visit(target.definition, value, seen),
      ...listed(schema['allOf']).map((part) => visit(part, value, seen)),
      ...alternativesOf(schema).map(async (part) => {
        if (!(await matches(part, value))) return;
        taken.set(schema, (taken.get(schema) ?? new Set()).add(part));
        await visit(part, value, seen);
      }),
      ...(isSchema(condition) ? [condition] : []).map(async (part) => {
        const branch = schema[(await matches(part, value)) ? 'then' : 'else'];
        if (isSchema(branch)) await visit(branch, value, seen);
      }),
      ...inside(schema, value).map(([part, inner]) => visit(part, inner, new Set())),
    ]);
  };
  await Promise.all(examples.map(({ schema, value }) => visit(schema, value, new Set())));
  return {
    valuesAt: (schema) => values.get(schema) ?? [],
    alternativesAt: (schema) => taken.get(schema) ?? new Set(),
  };
}

/** Returns the alternatives of a schema, `oneOf` before `anyOf`, each in the author's order. */
export function alternativesOf(schema: JsonObject): readonly JsonSchema[] {
  return [...listed(schema['oneOf']), ...listed(schema['anyOf'])];
}

/** Returns the members or items of a value, each with the subschema that describes it. */
function inside(schema: JsonObject, value: Json): readonly (readonly [JsonSchema, Json])[] {
  if (Array.isArray(value)) {
    const first = listed(schema['prefixItems']);
    const others = schema['items'];
    return (value as readonly Json[]).flatMap((item, at) => {
      const part = first[at] ?? others;
      return isSchema(part) ? [[part, item] as const] : [];
    });
  }
  if (!isJsonObject(value)) return [];
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const others = schema['additionalProperties'];
  return Object.keys(value).flatMap((name) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : others;
    const member = value[name];
    return isSchema(part) && member !== undefined ? [[part, member] as const] : [];
  });
}

function listed(value: Json | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isSchema) : [];
}

function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

function add(values: Map<JsonObject, Json[]>, schema: JsonObject, value: Json): void {
  if (!Object.hasOwn(schema, 'enum') && !Object.hasOwn(schema, 'x-extensible-enum')) return;
  const known = values.get(schema) ?? [];
  if (known.length === 0) values.set(schema, known);
  known.push(value);
}
