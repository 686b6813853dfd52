import { isJsonObject, type Json, type JsonObject, notesIn, textsIn } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import { referenceOf, type SchemaIndex } from './references.ts';
import { isSchema } from './visit.ts';

/** The types of JSON Schema. */
export type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/**
 * A typed view of one schema. A value is valid if every keyword accepts it, so a schema can have several parts: a
 * reference, listed values, types with their members, and lists of subschemas. Subschemas are schemas again; a visitor
 * creates their nodes when it needs them.
 */
export class SchemaNode {
  /** The schema as an object: `{}` for `true`, `{ not: {} }` for `false`. */
  readonly keywords: JsonObject;
  readonly #schema: JsonSchema;

  constructor(schema: JsonSchema) {
    this.#schema = schema;
    this.keywords = isJsonObject(schema) ? schema : schema ? {} : { not: {} };
  }

  /** Whether it is the schema `false`, which no value satisfies. */
  get isNever(): boolean {
    return this.#schema === false;
  }

  /** Whether it is the schema `true`, which every value satisfies. */
  get isAnything(): boolean {
    return this.#schema === true;
  }

  /** Returns whether it has at least one of several keywords. */
  has(...keywords: readonly string[]): boolean {
    return keywords.some((keyword) => Object.hasOwn(this.keywords, keyword));
  }

  /** The name of the schema that it refers to. */
  get reference(): string | undefined {
    return referenceOf(this.keywords);
  }

  /** Returns the schema that it refers to. */
  target(index: SchemaIndex): JsonSchema | undefined {
    const { reference } = this;
    return reference === undefined ? undefined : index.get(reference)?.definition;
  }

  /** The types that it names; `undefined` without `type`. */
  get types(): readonly JsonType[] | undefined {
    const { type } = this.keywords;
    if (type === undefined) return undefined;
    return (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter(isJsonType);
  }

  /** The only values that it accepts, by `const` or `enum`. */
  get values(): readonly Json[] | undefined {
    if (Object.hasOwn(this.keywords, 'const')) return [this.keywords['const'] ?? null];
    return this.list('enum');
  }

  /** The only value that it accepts, by `const` or an `enum` with one value. */
  get constant(): Json | undefined {
    const { values } = this;
    return values?.length === 1 ? values[0] : undefined;
  }

  /** Returns the items of a keyword whose value is a list; `undefined` where it has none. */
  list(keyword: string): readonly Json[] | undefined {
    const value = this.keywords[keyword];
    return Array.isArray(value) ? (value as readonly Json[]) : undefined;
  }

  get allOf(): readonly JsonSchema[] {
    return this.#schemas('allOf');
  }

  get anyOf(): readonly JsonSchema[] {
    return this.#schemas('anyOf');
  }

  get oneOf(): readonly JsonSchema[] {
    return this.#schemas('oneOf');
  }

  /** Its alternatives, by `oneOf` or else by `anyOf`. */
  get union():
    | { readonly keyword: 'oneOf' | 'anyOf'; readonly schemas: readonly JsonSchema[] }
    | undefined {
    const keyword = (['oneOf', 'anyOf'] as const).find((name) => this.list(name) !== undefined);
    return keyword && { keyword, schemas: this[keyword] };
  }

  get prefixItems(): readonly JsonSchema[] {
    return this.#schemas('prefixItems');
  }

  /** Returns the value of a keyword that holds one schema. */
  schema(keyword: string): JsonSchema | undefined {
    const value = this.keywords[keyword];
    return isSchema(value) ? value : undefined;
  }

  /** The declared properties, in the author's order. */
  get properties(): readonly (readonly [name: string, schema: JsonSchema])[] {
    return this.#map('properties');
  }

  /** The schemas of members by the pattern of their names. */
  get patternProperties(): readonly (readonly [pattern: string, schema: JsonSchema])[] {
    return this.#map('patternProperties');
  }

  /** Returns the schema of a declared property. */
  property(name: string): JsonSchema | undefined {
    const { properties } = this.keywords;
    if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined;
    const schema = properties[name];
    return isSchema(schema) ? schema : undefined;
  }

  /** The names of the members that a value must have, in the author's order. */
  get required(): readonly string[] {
    return textsIn(this.keywords['required']);
  }

  /** The sections of the source document that it cites with `x-source`. */
  get source(): readonly string[] {
    return textsIn(this.keywords['x-source']);
  }

  /** The remarks of the contract's authors (`x-note`). */
  get notes(): readonly string[] {
    return notesIn(this.keywords['x-note']);
  }

  /** Returns the value of a keyword that is a string. */
  text(keyword: string): string | undefined {
    const value = this.keywords[keyword];
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns the value of a keyword that is a number. */
  number(keyword: string): number | undefined {
    const value = this.keywords[keyword];
    return typeof value === 'number' ? value : undefined;
  }

  #schemas(keyword: string): readonly JsonSchema[] {
    return this.list(keyword)?.filter(isSchema) ?? [];
  }

  #map(keyword: string): readonly (readonly [string, JsonSchema])[] {
    const map = this.keywords[keyword];
    if (!isJsonObject(map)) return [];
    const schemas: (readonly [string, JsonSchema])[] = [];
    for (const name of Object.keys(map)) {
      const schema = map[name];
      if (isSchema(schema)) schemas.push([name, schema]);
    }
    return schemas;
  }
}

/** Returns whether a value has a type of JSON Schema. An integer is a number, too. */
export function hasType(value: Json, type: JsonType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

/** Returns the type of a value: `number` for every number. */
export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'boolean' | 'number' | 'object' | 'string';
}

/** Returns whether a value is the name of a type. */
export function isJsonType(value: Json): value is JsonType {
  return typeof value === 'string' && jsonTypes.has(value);
}

const jsonTypes: ReadonlySet<string> = new Set(
  'array boolean integer null number object string'.split(' '),
);
