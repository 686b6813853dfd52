import type { NodeType } from '@redocly/openapi-core';
import { isJsonObject, type Json } from '../json/json.ts';
import type { DocumentName } from '../json/pointer.ts';
import { grammars } from './grammars.ts';
import {
  data,
  nothing,
  text,
  truth,
  type ObjectGrammar,
  type ObjectName,
  type ValueGrammar,
} from './object-grammar.ts';
import { schema, vocabularyMembers } from './schema-grammar.ts';

type PropertyType = NodeType['properties'][string];

/**
 * Corrects Redocly's description of a specification by our grammar, where Redocly forbids or overlooks what the
 * specification allows. Redocly's description of all other members is kept, because it explains mistakes in detail.
 * @param usesVocabulary whether to describe the vocabulary's keys that hold schemas or examples, so that a `$ref` in
 * them is bundled
 */
export function toRedoclyTypes(
  types: Readonly<Record<string, NodeType>>,
  document: DocumentName,
  usesVocabulary: boolean,
): Record<string, NodeType> {
  const { objects } = grammars[document];
  const added: readonly ObjectName[] = usesVocabulary
    ? ['other-format-schema', 'invalid-example', 'variant']
    : ['other-format-schema'];
  const corrected: Record<string, NodeType> = Object.fromEntries(
    added.map((name) => [typeName(name), toNodeType(objects[name])]),
  );
  const vocabulary = usesVocabulary ? toProperties(vocabularyMembers) : {};
  const grammarOf = new Map(
    Object.entries(objects).map(([name, grammar]) => [typeName(name), grammar]),
  );
  for (const [name, type] of Object.entries(types)) {
    const members = grammarOf.get(name)?.members;
    const properties: Record<string, PropertyType> = {};
    for (const [key, property] of Object.entries(type.properties)) {
      const grammar = members?.get(key);
      // The value of an extension is arbitrary, except for `x-webhooks`.
      if (key.startsWith('x-') && grammar === undefined) continue;
      properties[key] = grammar === undefined ? property : correct(property, grammar);
    }
    Object.assign(properties, type.extensionsPrefix === undefined ? {} : vocabulary);
    corrected[name] = { ...type, properties };
  }
  return corrected;
}

/** The value is data: a `$ref` in it is not followed. */
const unresolved: PropertyType = { resolvable: false };

function correct(property: PropertyType, grammar: ValueGrammar): PropertyType {
  const options = optionsOf(grammar);
  const [single] = options.length === 1 ? options : [];
  if (single === data) return unresolved;
  // A discriminator of AsyncAPI is the name of a property, and not an object as in OpenAPI.
  if (single === text && typeof property === 'string') return { type: 'string' };
  // A schema of an AsyncAPI message has one of several types.
  if (typeof single === 'function') return toProperty(single);
  if (typeof single === 'object' && single.type === 'map') {
    // Redocly does not traverse all maps of schemas, and forbids booleans in some. Components keep their own types.
    return single.values === schema && single.names === undefined ? 'SchemaProperties' : property;
  }
  if (single !== undefined) return property;
  const acceptsBoolean = options.includes(truth) && options.includes('schema');
  return (value: unknown, name: string) => {
    if (value === null && options.includes(nothing)) return null;
    if (typeof value === 'boolean' && acceptsBoolean) return { type: 'boolean' };
    return typeof property === 'function' ? property(value, name) : property;
  };
}

function toNodeType(grammar: ObjectGrammar | undefined): NodeType {
  return {
    properties: toProperties(grammar?.members ?? new Map()),
    ...(grammar?.otherMembers === undefined
      ? {}
      : { additionalProperties: toProperty(grammar.otherMembers.value) }),
  };
}

function toProperties(members: ReadonlyMap<string, ValueGrammar>): NodeType['properties'] {
  return Object.fromEntries(Array.from(members, ([key, value]) => [key, toProperty(value)]));
}

/** Describes a value to Redocly. A value of another JSON type than the grammar has no type: nothing in it is checked. */
function toProperty(grammar: ValueGrammar): PropertyType {
  const options = optionsOf(grammar);
  const [single] = options.length === 1 ? options : [];
  if (single === data) return unresolved;
  if (single === text) return { type: 'string' };
  return (value: unknown) => {
    if (typeof value === 'boolean') return { type: 'boolean' };
    const isList = Array.isArray(value);
    for (const option of options) {
      if (typeof option !== 'object') {
        if (!isList) return typeName(typeof option === 'string' ? option : option(value as Json));
      } else if (option.type === 'list' && isList) {
        return { name: 'List', properties: {}, items: toProperty(option.items) };
      } else if (option.type === 'map' && isJsonObject(value)) {
        return { name: 'Map', properties: {}, additionalProperties: toProperty(option.values) };
      }
    }
    return undefined;
  };
}

function optionsOf(grammar: ValueGrammar): readonly ValueGrammar[] {
  if (typeof grammar !== 'object') return [grammar];
  if (grammar.type === 'only') return optionsOf(grammar.value);
  return grammar.type === 'any-of' ? grammar.options.flatMap(optionsOf) : [grammar];
}

/** Returns Redocly's name for an object. */
function typeName(name: string): string {
  if (name === 'document') return 'Root';
  return name.replaceAll(/(?:^|-)(.)/gu, (_, letter: string) => letter.toUpperCase());
}

/**
 * Corrects Redocly's description of OpenAPI 3.2: a parameter can have the style `cookie`, a response needs no description,
 * and a component in `mediaTypes` is one media type.
 * @see https://spec.openapis.org/oas/v3.2.0#style-values
 */
export function toOpenapi32Types(
  types: Readonly<Record<string, NodeType>>,
): Record<string, NodeType> {
  const { Parameter, Response, ...rest } = types;
  const style = Parameter?.properties['style'];
  const isList = typeof style === 'object' && style !== null && 'enum' in style;
  if (Parameter === undefined || Response === undefined || !isList) return { ...types };
  return {
    ...rest,
    Parameter: {
      ...Parameter,
      properties: {
        ...Parameter.properties,
        style: { ...style, enum: [...(style.enum ?? []), 'cookie'] },
      },
    },
    Response: { ...Response, required: [] },
    NamedMediaTypes: { properties: {}, additionalProperties: 'MediaType' },
  };
}
