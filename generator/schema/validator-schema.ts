import { memoize } from '../execution/memoize.ts';
import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { isAssertion } from '../specification/schema-keywords.ts';
import { findFormat } from './formats.ts';
import type { JsonSchema } from './model.ts';
import { mapReferences } from './references.ts';
import { SchemaNode } from './node.ts';
import { mapSchema } from './visit.ts';

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
  return mapSchema(named, (sub) => unwrap(moveProtoMember(withAssertionsOnly(sub))));
});

function withAssertionsOnly(schema: JsonObject): JsonObject {
  const decides = ([keyword, value]: readonly [string, Json | undefined]): boolean =>
    isAssertion(keyword) &&
    (keyword !== 'format' || (typeof value === 'string' && findFormat(value) !== undefined));
  const entries = Object.entries(schema);
  return entries.every(decides) ? schema : Object.fromEntries(entries.filter(decides));
}

/** Moves a member `__proto__` of `properties` to `patternProperties`, because Ajv ignores it in `properties`. */
function moveProtoMember(schema: JsonObject): JsonObject {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
  const others = Object.entries(properties).filter(([name]) => name !== '__proto__');
  const proto = Object.entries(properties).find(([name]) => name === '__proto__')?.[1];
  return {
    ...schema,
    properties: Object.fromEntries(others),
    patternProperties: {
      ...(isJsonObject(patternProperties) ? patternProperties : {}),
      '^__proto__$': proto,
    },
  };
}

/** Replaces a schema that is only a union or `allOf` of one schema by that schema, which saves a function call. */
function unwrap(schema: JsonObject): JsonSchema {
  const [keyword, ...others] = Object.keys(schema);
  if (keyword === undefined) return true;
  if (others.length > 0) return schema;
  const { allOf, anyOf, oneOf } = new SchemaNode(schema);
  const [only, ...more] = [...allOf, ...anyOf, ...oneOf];
  return only === undefined || more.length > 0 ? schema : only;
}
