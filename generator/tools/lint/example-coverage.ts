import type { Contract } from '../../contract/contract.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import type { ExampleCheck } from '../../rules/example-check.ts';
import type { WrittenExample } from '../../rules/written-examples.ts';
import { JudgeError } from '../../validators/judge.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas } from '../../schema/references.ts';

/**
 * The values and alternatives of schemas that the examples of a contract cover. Schemas are looked up by object
 * identity in the model.
 */
export interface ExampleCoverage {
  /** Returns the values that examples have at this schema. */
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
  const covered = new Map<JsonObject, Set<JsonSchema>>();
  const matches = async (schema: JsonSchema, value: Json): Promise<boolean> => {
    try {
      return (await check(schema, value)).length === 0;
    } catch (error) {
      if (error instanceof JudgeError) return false;
      throw error;
    }
  };

  /**
   * Visits a schema with a value. `around` has the schemas already visited for this value, because references can be
   * circular.
   */
  const visit = async (
    schema: JsonSchema | undefined,
    value: Json,
    around: ReadonlySet<JsonSchema>,
  ): Promise<void> => {
    if (!isJsonObject(schema) || around.has(schema)) return;
    const seen = new Set([...around, schema]);
    const schemaValues = values.get(schema) ?? [];
    schemaValues.push(value);
    values.set(schema, schemaValues);
    const node = new SchemaNode(schema);
    const target = index.get(node.reference ?? '')?.definition;
    const condition = node.schema('if');
    await Promise.all([
      ...[target, ...node.allOf].map((part) => visit(part, value, seen)),
      ...[...node.oneOf, ...node.anyOf].map(async (part) => {
        if (!(await matches(part, value))) return;
        covered.set(schema, (covered.get(schema) ?? new Set()).add(part));
        await visit(part, value, seen);
      }),
      condition === undefined
        ? undefined
        : matches(condition, value).then((isMet) =>
            visit(node.schema(isMet ? 'then' : 'else'), value, seen),
          ),
      ...inside(node, value).map(([part, inner]) => visit(part, inner, new Set())),
    ]);
  };
  // A derived schema of the wire format has additional alternatives where a number can be a text.
  const canonicalOf = (schema: JsonSchema): JsonSchema | undefined => {
    const derived = index.get(new SchemaNode(schema).reference ?? '');
    return derived?.origin === 'wire' ? index.get(derived.variantOf ?? '')?.definition : undefined;
  };
  await Promise.all(
    examples.flatMap(({ schema, value }) =>
      [schema, canonicalOf(schema)].map((form) => visit(form, value, new Set())),
    ),
  );
  return {
    valuesAt: (schema) => values.get(schema) ?? [],
    alternativesAt: (schema) => covered.get(schema) ?? new Set(),
  };
}

/** Returns the members or items of a value, each with the subschema that describes it. */
function inside(
  node: SchemaNode,
  value: Json,
): readonly (readonly [JsonSchema | undefined, Json])[] {
  if (Array.isArray(value)) {
    const itemsSchema = node.schema('items');
    return (value as readonly Json[]).map((item, at) => [
      node.prefixItems[at] ?? itemsSchema,
      item,
    ]);
  }
  if (!isJsonObject(value)) return [];
  const additionalSchema = node.schema('additionalProperties');
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[node.property(name) ?? additionalSchema, member] as const],
  );
}
