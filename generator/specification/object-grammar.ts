import type { Json, JsonObject } from '../json/json.ts';

type GeneralKind =
  | 'document'
  | 'info'
  | 'contact'
  | 'license'
  | 'tag'
  | 'external-docs'
  | 'components';
type ServerKind = 'server' | 'server-variable';
type SecurityKind = 'security-scheme' | 'oauth-flows' | 'oauth-flow';
type SchemaKind = 'schema' | 'discriminator' | 'xml' | 'multi-format-schema';
type PathKind = 'paths' | 'path-item' | 'operation' | 'callback' | 'link';
type RequestKind = 'parameter' | 'header' | 'request-body' | 'responses' | 'response';
type ContentKind = 'media-type' | 'encoding' | 'example';
type ChannelKind = 'channel' | 'reply' | 'reply-address' | 'bindings' | 'binding';
type MessageKind = 'message' | 'message-example' | 'correlation-id';
type VocabularyKind = 'invalid-example' | 'variant';

/**
 * The kind of an object: its name in the specification, or `reference` for a Reference Object that no other object can
 * replace. Objects with the same name in OpenAPI and AsyncAPI share a kind, such as `schema` and `operation`.
 */
export type ObjectKind =
  | GeneralKind
  | ServerKind
  | SecurityKind
  | SchemaKind
  | PathKind
  | RequestKind
  | ContentKind
  | ChannelKind
  | MessageKind
  | VocabularyKind
  | 'reference';

type TraitName = 'message-trait' | 'operation-trait';
type BindingName = 'operation-bindings' | 'http-operation-binding';

/** The name of an object's grammar: its kind, except where objects of one kind have different members. */
export type ObjectName = ObjectKind | TraitName | BindingName | 'other-format-schema';

/** The versions of the specifications whose documents `validateDocument` accepts. */
export type GrammarDialect = 'openapi 3.0' | 'openapi 3.1' | 'asyncapi';

/** The document that is validated, for rules that need more than a value. */
export interface ValidatedDocument {
  readonly root: JsonObject;
  readonly dialect: GrammarDialect;
  /** Returns the target of a local reference, or `undefined` if it has none. */
  target(reference: string): Json | undefined;
}

/** A condition beyond the types of members. It is checked when the members are valid. */
export type GrammarRule<T extends Json = Json> = (value: T, document: ValidatedDocument) => boolean;

/** The grammar of a value that holds no object of the specification. */
export interface ScalarGrammar {
  readonly type: 'scalar';
  readonly rule: GrammarRule;
  /** The kind of the object that the value refers to. */
  readonly refersTo?: ObjectKind;
}

/**
 * The grammar of a value. A string is the name of an object, and a function chooses the name. The options of `any-of`
 * have different JSON types or dialects, so that a value matches at most one.
 */
export type ValueGrammar =
  | ObjectName
  | ((value: Json) => ObjectName)
  | ScalarGrammar
  | { readonly type: 'data' }
  | { readonly type: 'reference'; readonly refersTo: ObjectKind }
  | {
      readonly type: 'list';
      readonly items: ValueGrammar;
      readonly min?: number;
      readonly rule?: GrammarRule<readonly Json[]>;
    }
  | {
      readonly type: 'map';
      readonly values: ValueGrammar;
      /** The names that all tools accept; any name by default. */
      readonly names?: RegExp;
      /** The kind of the objects that the keys refer to. */
      readonly refersTo?: ObjectKind;
    }
  | { readonly type: 'any-of'; readonly options: readonly ValueGrammar[] }
  | {
      readonly type: 'only';
      readonly dialects: readonly GrammarDialect[];
      readonly value: ValueGrammar;
    };

/** The grammar of an object that the specification names. */
export interface ObjectGrammar {
  readonly members: ReadonlyMap<string, ValueGrammar>;
  /** The members that hold objects, directly or in lists and maps, without scalar options and dialects. */
  readonly holders: ReadonlyMap<string, ValueGrammar>;
  /** The grammar of all other members except extensions, and the names that all tools accept for them. */
  readonly otherMembers?: { readonly names: RegExp; readonly value: ValueGrammar };
  readonly required?: readonly string[];
  /** Whether the object can have extensions; true by default. */
  readonly isExtensible?: boolean;
  /** Whether a reference can replace the object, alone or with other members beside `$ref`. */
  readonly reference?: 'alone' | 'with-siblings';
  readonly rule?: GrammarRule<JsonObject>;
  /** Its kind if it differs from its name. */
  readonly kind?: ObjectKind;
}

/** The grammar of a specification. */
export interface Grammar {
  readonly objects: Readonly<Partial<Record<ObjectName, ObjectGrammar>>>;
  /** The names of extensions that all tools accept. */
  readonly extensionNames: RegExp;
}

export function defineObject(
  members: Readonly<Record<string, ValueGrammar>>,
  more: Omit<ObjectGrammar, 'members' | 'holders'> = {},
): ObjectGrammar {
  const all = Object.entries(members);
  const holders = all.flatMap(([name, value]) => {
    const holder = objectsIn(value);
    return holder === undefined ? [] : [[name, holder] as const];
  });
  return { members: new Map(all), holders: new Map(holders), ...more };
}

/** Returns the part of a grammar that concerns objects; `undefined` for values that hold none. */
function objectsIn(value: ValueGrammar): ValueGrammar | undefined {
  if (typeof value !== 'object' || value.type === 'reference') return value;
  if (value.type === 'only') return objectsIn(value.value);
  if (value.type === 'any-of') {
    const options = value.options.flatMap((option) => objectsIn(option) ?? []);
    return options.length > 1 ? anyOf(...options) : options[0];
  }
  const inner =
    value.type === 'list' ? value.items : value.type === 'map' ? value.values : undefined;
  const held = inner === undefined ? undefined : objectsIn(inner);
  if (held === undefined) return undefined;
  return value.type === 'list' ? list(held) : map(held);
}

/** Any value. A `$ref` in it is data. */
export const data: ValueGrammar = { type: 'data' };
export const text: ScalarGrammar = scalar((value) => typeof value === 'string');
export const truth: ScalarGrammar = scalar((value) => typeof value === 'boolean');
export const number: ScalarGrammar = scalar((value) => typeof value === 'number');
export const count: ScalarGrammar = scalar(
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
export const nothing: ScalarGrammar = scalar((value) => value === null);

export function scalar(rule: GrammarRule, refersTo?: ObjectKind): ScalarGrammar {
  return refersTo === undefined ? { type: 'scalar', rule } : { type: 'scalar', rule, refersTo };
}

/** Returns several members, given by their names with spaces between them, with the same grammar. */
export function each(names: string, value: ValueGrammar): Readonly<Record<string, ValueGrammar>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

export function oneOf(...values: readonly string[]): ScalarGrammar {
  return scalar((value) => typeof value === 'string' && values.includes(value));
}

/** A reference to an object, which the object itself cannot replace. */
export function reference(refersTo: ObjectKind): ValueGrammar {
  return { type: 'reference', refersTo };
}

export function list(
  items: ValueGrammar,
  more: { readonly min?: number; readonly rule?: GrammarRule<readonly Json[]> } = {},
): ValueGrammar {
  return { type: 'list', items, ...more };
}

/** An object whose member names the author chooses. */
export function map(
  values: ValueGrammar,
  more: { readonly names?: RegExp; readonly refersTo?: ObjectKind } = {},
): ValueGrammar {
  return { type: 'map', values, ...more };
}

/** A section of the components. */
export function components(values: ValueGrammar): ValueGrammar {
  return map(values, { names: /^[\w.-]+$/u });
}

export function anyOf(...options: readonly ValueGrammar[]): ValueGrammar {
  return { type: 'any-of', options };
}

/** A value that validation accepts only in some dialects. Other uses of the grammar ignore the dialect. */
export function only(dialects: readonly GrammarDialect[], value: ValueGrammar): ValueGrammar {
  return { type: 'only', dialects, value };
}

/** A value that documents can have, but that the tools of the specification have to validate. */
export function leftToTools(value: ValueGrammar): ValueGrammar {
  return only([], value);
}
