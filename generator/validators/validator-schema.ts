import { memoize } from '../execution/memoize.ts';
import { type Json, type JsonObject, isJsonObject, toObject } from '../json/json.ts';
import { isAssertion } from '../specification/schema-keywords.ts';
import { formats } from './formats.ts';
import type { JsonSchema } from '../schema/model.ts';
import { mapReferences } from '../schema/references.ts';
import { SchemaNode } from '../schema/node.ts';
import { mapSchema } from '../schema/visit.ts';

/**
 * Returns the schema that the validator compiler reads: only the keywords that decide whether a value is valid, so that
 * no annotation of the contract can affect the compiler. A `$ref` is the bare name of the referenced schema. The result
 * is an object, because Ajv requires one at the root.
 */
export function toValidatorSchema(definition: JsonSchema): JsonObject {
  return new SchemaNode(isJsonObject(definition) ? reduce(definition) : definition).keywords;
}

/** Memoized, because the same schemas validate examples before validators are emitted. */
const reduce = memoize((definition: JsonObject): JsonSchema => {
  const named = mapReferences(definition, ($ref, beside) => ({ $ref, ...beside }));
  return mapSchema(named, (sub) => {
    const reduced = withAssertionsOnly(sub);
    return discriminate(reduced, sub) ?? unwrap(moveProtoMember(reduced));
  });
});

/**
 * Returns a union whose alternatives the value of one property selects, for `unionKeywords`: `discriminator` is the name
 * of the property, and a part of `allOf` reports other values. Alternatives for null are put beside the union. Returns
 * `undefined` if the contract names no such property, or if its value does not select exactly one alternative.
 */
function discriminate(schema: JsonObject, { discriminator }: JsonObject): JsonObject | undefined {
  const property = isJsonObject(discriminator) ? discriminator['propertyName'] : undefined;
  const { union, allOf } = new SchemaNode(schema);
  if (typeof property !== 'string' || property === '__proto__' || union === undefined)
    return undefined;
  const { keyword, schemas } = union;
  if (keyword === 'oneOf' && schema['anyOf'] !== undefined) return undefined;
  const isNull = (part: JsonSchema): boolean => new SchemaNode(part).text('type') === 'null';
  const alternatives = schemas.filter((part) => !isNull(part));
  const all = alternatives.flatMap((part) => selectingValues(part, property) ?? []);
  const defaults = alternatives.filter((part) => isDefault(part, property));
  const otherAlternatives = alternatives.filter((part) => !defaults.includes(part));
  const isUnclear = otherAlternatives.some((part) => selectingValues(part, property) === undefined);
  if (alternatives.length < 2 || defaults.length > 1 || isUnclear) return undefined;
  if (new Set(all).size < all.length) return undefined;
  const valueKeywords = {
    required: [property],
    properties: Object.fromEntries([[property, { enum: all }]]),
  };
  const propertySchema = { type: 'object', ...(defaults.length > 0 ? {} : valueKeywords) };
  const selected = { [keyword]: alternatives, discriminator: property, allOf: [propertySchema] };
  if (alternatives.length < schemas.length)
    return { ...schema, [keyword]: [selected, ...schemas.filter(isNull)] };
  return moveProtoMember({ ...schema, ...selected, allOf: [...allOf, propertySchema] });
}

/** Returns whether an alternative has all values of the discriminating property that select no other one. */
export function isDefault(alternative: JsonSchema, property: string): boolean {
  const { keywords } = new SchemaNode(new SchemaNode(alternative).property(property) ?? true);
  return isJsonObject(keywords['not']) && Array.isArray(keywords['not']['enum']);
}

/** Returns the values that an alternative requires of the discriminating property; `undefined` for any other schema. */
export function selectingValues(
  alternative: JsonSchema,
  property: string,
): readonly string[] | undefined {
  const node = new SchemaNode(alternative);
  const values = new SchemaNode(node.property(property) ?? true).values ?? [];
  const texts = values.filter((value) => typeof value === 'string');
  const isSelected = node.required.includes(property) && texts.length > 0;
  return isSelected && texts.length === values.length ? texts : undefined;
}

function withAssertionsOnly(schema: JsonObject): JsonObject {
  const decides = ([keyword, value]: readonly [string, Json | undefined]): boolean =>
    isAssertion(keyword) &&
    (keyword !== 'format' || (typeof value === 'string' && formats.has(value)));
  const entries = Object.entries(schema);
  return entries.every(decides) ? schema : Object.fromEntries(entries.filter(decides));
}

/** Moves a member `__proto__` of `properties` to `patternProperties`, because Ajv ignores it in `properties`. */
function moveProtoMember(schema: JsonObject): JsonObject {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
  const otherProperties = Object.entries(properties).filter(([name]) => name !== '__proto__');
  const proto = Object.entries(properties).find(([name]) => name === '__proto__')?.[1];
  return {
    ...schema,
    properties: Object.fromEntries(otherProperties),
    patternProperties: {
      ...toObject(patternProperties),
      '^__proto__$': proto,
    },
  };
}

/** Replaces a schema that is only a union or `allOf` of one schema by that schema, which saves a function call. */
function unwrap(schema: JsonObject): JsonSchema {
  const [keyword, ...otherKeywords] = Object.keys(schema);
  if (keyword === undefined) return true;
  if (otherKeywords.length > 0) return schema;
  const { allOf, anyOf, oneOf } = new SchemaNode(schema);
  const [only, ...more] = [...allOf, ...anyOf, ...oneOf];
  return only === undefined || more.length > 0 ? schema : only;
}
