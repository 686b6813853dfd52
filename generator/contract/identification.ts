import { isJsonObject } from '../json.ts';
import type { Condition, Conditions, JsonSchema, Parameter } from './contract.ts';
import { child, entries, follow, items, text, type Cursor } from './cursor.ts';

/** `x-identified-by`: a list is OR, a map is AND. */
export function readIdentification(at: Cursor): readonly Conditions[] {
  const alternatives = Array.isArray(at.value) ? items(at) : [at];
  return alternatives.map(readConditions);
}

/** A map from expression to JSON Schema (`false`: absent), in the author's order. */
export function readConditions(at: Cursor): Conditions {
  return entries(at).map(([expression, schema]): Condition => {
    const value = schema.value;
    return { expression, schema: isJsonObject(value) || typeof value === 'boolean' ? value : {} };
  });
}

/**
 * What a payload's required constants and a notification's required constant headers tell about it.
 * Empty where the contract has none; nothing is concluded from a member that may be absent.
 */
export function deriveIdentification(
  payload: Cursor,
  headers: readonly Parameter[],
): readonly Conditions[] {
  const found: Condition[] = [];
  for (const { name, required, schema } of headers) {
    const constant = required ? constantOf(schema) : undefined;
    if (constant !== undefined)
      found.push({ expression: `$request.header.${name}`, schema: constant });
  }
  collectConstants(payload, '', found, 0);
  return found.length > 0 ? [found] : [];
}

/** Deeper members are rarely what tells kinds apart, and recursive schemas have no deepest one. */
const deepest = 4;

function collectConstants(written: Cursor, path: string, found: Condition[], depth: number): void {
  const schema = follow(written);
  const required = items(child(schema, 'required')).map(text);
  for (const [name, property] of entries(child(schema, 'properties'))) {
    if (!required.includes(name)) continue;
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const constant = constantOf(follow(property).value);
    if (constant !== undefined) found.push({ expression: `$request.body#${at}`, schema: constant });
    else if (depth < deepest) collectConstants(property, at, found, depth + 1);
  }
  for (const part of items(child(schema, 'allOf'))) {
    if (depth < deepest) collectConstants(part, path, found, depth + 1);
  }
}

function constantOf(schema: unknown): JsonSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  const constant = schema['const'];
  if (constant !== undefined) return { const: constant };
  const values = schema['enum'];
  return Array.isArray(values) && values.length === 1 ? { const: values[0] } : undefined;
}
