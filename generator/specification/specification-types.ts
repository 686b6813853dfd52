import type { NodeType } from '@redocly/openapi-core';
import { isJsonObject } from '../json/json.ts';
import type { DocumentName } from '../json/pointer.ts';

type PropertyType = NodeType['properties'][string];

/**
 * Redocly's description of a specification, mended where it forbids or overlooks what the specification allows. With
 * `ours`, the keys of our vocabulary that hold schemas or examples are described too, so that a `$ref` in them is bundled.
 */
export function toContractTypes(
  types: Readonly<Record<string, NodeType>>,
  document: DocumentName,
  ours: boolean,
): Record<string, NodeType> {
  const mended: Record<string, NodeType> = {
    ContractOtherSchema: { properties: { schemaFormat: { type: 'string' }, schema: data } },
    ...(ours ? vocabularyTypes : {}),
  };
  for (const [name, type] of Object.entries(types)) {
    const properties: Record<string, PropertyType> = {};
    for (const [key, property] of Object.entries(type.properties)) {
      // An extension holds whatever its author wants; this one alone is more than that.
      if (key.startsWith('x-') && key !== 'x-webhooks') continue;
      properties[key] = isExample(property) ? data : property;
    }
    if (name === 'Schema') Object.assign(properties, mendedKeywords(properties, document));
    if (document === 'asyncapi' && name === 'Channel') properties.address = address;
    if (document === 'asyncapi' && (name === 'Message' || name === 'MessageTrait')) {
      if ('payload' in properties) properties.payload = schemaOfAnyFormat;
      properties.headers = schemaOfAnyFormat;
    }
    if (ours && type.extensionsPrefix !== undefined) Object.assign(properties, vocabularyKeys);
    mended[name] = { ...type, properties };
  }
  return mended;
}

/** What stands in an example is data: a `$ref` in it is not followed. */
const data: PropertyType = { resolvable: false };

/** A boolean is a schema as well, in draft-07 and in 2020-12. */
const schemaOrBoolean = (value: unknown): 'Schema' | { readonly type: 'boolean' } =>
  typeof value === 'boolean' ? { type: 'boolean' } : 'Schema';

const schemaOfAnyFormat: PropertyType = (value: unknown) => {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (!isJsonObject(value) || !('schema' in value)) return 'Schema';
  const { schemaFormat } = value;
  return typeof schemaFormat === 'string' && !isJsonSchemaFormat(schemaFormat)
    ? 'ContractOtherSchema'
    : 'MultiFormatSchema';
};

/** Tells a schema format that is JSON Schema, in one of its dialects, from Avro, RAML, Protocol Buffers and the like. */
export function isJsonSchemaFormat(schemaFormat: string): boolean {
  return /^application\/(?:vnd\.aai\.asyncapi|vnd\.oai\.openapi|schema)(?:[+;]|$)/u.test(
    schemaFormat,
  );
}

/** `null` is an address that is not known, the same as none; Redocly takes text alone. */
const address: PropertyType = (value: unknown) => (value === null ? null : { type: 'string' });

const subschemas: readonly string[] =
  'not if then else items contains propertyNames contentSchema additionalItems unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );

function mendedKeywords(
  properties: Readonly<Record<string, PropertyType>>,
  document: DocumentName,
): Record<string, PropertyType> {
  const keywords: Record<string, PropertyType> = {};
  for (const key of subschemas) {
    const property = properties[key];
    // `items` of draft-07 can be a tuple and is told apart by Redocly; a boolean it takes for neither.
    if (property !== undefined) {
      keywords[key] = (value: unknown, name: string) =>
        typeof property === 'function' && typeof value !== 'boolean'
          ? property(value, name)
          : schemaOrBoolean(value);
    }
  }
  if (document === 'asyncapi') {
    // Redocly does not look into these two, and a discriminator of AsyncAPI is a name, not OpenAPI's object.
    keywords.patternProperties = 'SchemaProperties';
    keywords.definitions = 'SchemaProperties';
    keywords.discriminator = { type: 'string' };
  }
  return keywords;
}

function isExample(property: PropertyType): boolean {
  return typeof property === 'object' && property !== null && 'isExample' in property;
}

const vocabularyKeys: Readonly<Record<string, PropertyType>> = {
  'x-invalid-examples': (value: unknown) =>
    Array.isArray(value) ? 'ContractInvalidExamples' : undefined,
  'x-identified-by': (value: unknown) =>
    Array.isArray(value)
      ? 'ContractConditionsList'
      : isJsonObject(value)
        ? 'ContractConditions'
        : undefined,
  'x-variants': (value: unknown) => (isJsonObject(value) ? 'ContractVariants' : undefined),
};

const vocabularyTypes: Readonly<Record<string, NodeType>> = {
  ContractInvalidExamples: { properties: {}, items: 'ContractInvalidExample' },
  ContractInvalidExample: { properties: { payload: data }, additionalProperties: data },
  ContractConditionsList: { properties: {}, items: 'ContractConditions' },
  ContractConditions: { properties: {}, additionalProperties: schemaOrBoolean },
  ContractVariants: { properties: {}, additionalProperties: () => 'ContractVariant' },
  ContractVariant: { properties: { when: 'ContractConditions' }, additionalProperties: data },
};
