import { resolveVocabulary, vocabulary } from '../../contract/vocabulary/vocabulary.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';

/** A member of the value of a key: its path, its values, and its meaning, as Markdown. */
export interface VocabularyMember {
  readonly path: string;
  readonly value: string;
  /** Whether `{ unstated: <id> }` can take the place of the value. */
  readonly isOpen: boolean;
  /** The default, or `required`. */
  readonly otherwise: string;
  readonly meaning: string;
}

/** The members of the values of a key. */
export interface VocabularyMembers {
  readonly members: readonly VocabularyMember[];
  /** Whether `x-source` and `x-note` may be beside the members. */
  readonly isCitable: boolean;
}

/** Returns the members of a key of the vocabulary, from its JSON Schema. */
export function vocabularyMembers(key: string): VocabularyMembers {
  const rows = [...rowsOf(key, '', { $ref: vocabulary[key]?.reference ?? '' }, '')];
  const shown = rows.filter(({ path }) => path === key || !everywhere.test(path));
  return { members: unique(shown), isCitable: rows.length > shown.length };
}

/** Returns the rows without those that alternatives have alike. */
function unique(rows: readonly VocabularyMember[]): readonly VocabularyMember[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Members that every object can have. They are keys of their own. */
const everywhere = /(?:^|\.)x-(?:source|note)$/u;

/** Resolves a reference. What is beside it takes precedence. */
function resolved(schema: JsonObject): JsonObject {
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== 'string' || !reference.startsWith('#')) return schema;
  const target = resolveVocabulary(reference);
  return isJsonObject(target) ? { ...resolved(target), ...own } : own;
}

/** What a value can be: schemas of which the type of the value selects one. */
interface Alternatives {
  readonly schemas: readonly JsonObject[];
  readonly description: string;
  /** Whether an open question can take the place of the value. */
  readonly isOpen: boolean;
}

function alternativesOf(from: JsonObject): Alternatives {
  const schema = resolved(from);
  const { if: condition, then, else: otherwise } = schema;
  const own = textOf(schema['description']);
  // Without `else`, as in a ledger entry, the condition decides about other members, and not about the type.
  if (!isJsonObject(condition) || !isJsonObject(then) || !isJsonObject(otherwise))
    return { schemas: [schema], description: own, isOpen: false };
  const [first, second] = [alternativesOf(then), alternativesOf(otherwise)];
  const isReference = then['$ref'] === '#/$defs/UnstatedReference';
  return {
    schemas: isReference ? second.schemas : [...second.schemas, ...first.schemas],
    description: own === '' ? second.description : own,
    isOpen: isReference || first.isOpen || second.isOpen,
  };
}

/** Yields the row of a value, and those of its members. An object that is the value of a key has no row of its own. */
function* rowsOf(
  path: string,
  prefix: string,
  from: JsonObject,
  otherwise: string,
): Generator<VocabularyMember> {
  const { schemas, description, isOpen } = alternativesOf(from);
  const [sentence = '', stated = ''] = /Default: (.*?)\.(?=\s|$)/u.exec(description) ?? [];
  const meaning = description
    .replace(sentence, '')
    .replace(/^`x-[a-z-]+`: /u, '')
    .trim()
    .replace(/^./u, (first) => first.toUpperCase());
  if (prefix !== '' || !schemas.every(({ properties }) => isJsonObject(properties)))
    yield {
      path,
      value: describeAll(schemas),
      isOpen,
      otherwise: otherwise === '' ? stated : otherwise,
      meaning,
    };
  for (const schema of schemas) yield* membersOf(schema, prefix);
}

/** Yields the rows of the members of an object, of the values of a map, and of the items of a list. */
function* membersOf(from: JsonObject, prefix: string): Generator<VocabularyMember> {
  const schema = resolved(from);
  const { properties = {}, required, items, propertyNames, patternProperties = {} } = schema;
  const below = (name: string): string => (prefix === '' ? name : `${prefix}.${name}`);
  for (const [name, member] of Object.entries(properties as JsonObject)) {
    if (!isJsonObject(member)) continue;
    const isRequired = Array.isArray(required) && required.includes(name);
    const path = below(name);
    if (everywhere.test(path)) yield { path, value: '', isOpen: false, otherwise: '', meaning: '' };
    else yield* rowsOf(path, path, member, isRequired ? 'required' : '');
  }
  const maps = [
    [placeholder(propertyNames), schema['additionalProperties']] as const,
    ...Object.entries(patternProperties as JsonObject).map(
      ([pattern, value]) => [pattern === '^[A-Za-z]' ? '<name>' : '<expression>', value] as const,
    ),
  ];
  for (const [name, value] of maps) if (isJsonObject(value)) yield* valuesOf(below(name), value);
  if (isJsonObject(items))
    for (const item of alternativesOf(items).schemas) yield* membersOf(item, `${prefix}[]`);
}

/** Yields the rows of the values of a map: of each member, or of the value if it has none. */
function* valuesOf(path: string, value: JsonObject): Generator<VocabularyMember> {
  const { schemas, description } = alternativesOf(value);
  const hasMembers = schemas.some(({ properties }) => isJsonObject(properties));
  if (description === '' || hasMembers)
    for (const schema of schemas) yield* membersOf(schema, path);
  else yield* rowsOf(path, path, value, '');
}

/** The name of a map's members in a path. */
function placeholder(names: Json | undefined): string {
  if (!isJsonObject(names)) return '<name>';
  return names['$ref'] === '#/$defs/LedgerId'
    ? '<id>'
    : names['$ref'] === '#/$defs/Expression'
      ? '<expression>'
      : '<name>';
}

/** Describes alternatives. A list of the other alternatives is a list of them. */
function describeAll(schemas: readonly JsonObject[]): string {
  const lists = schemas.filter(({ items }) => isJsonObject(items));
  const others = schemas.filter((schema) => !lists.includes(schema)).map(describe);
  // Words such as `{ keeps: <expression> }` describe the object, too.
  const kinds = [...new Set(others)].filter(
    (kind) => kind !== 'an object' || !others.some((other) => /\{ |an object with/u.test(other)),
  );
  const ofThem = lists.map((list) =>
    kinds.length > 0 && describeItems(list) === kinds.join(', or ')
      ? 'a list of them'
      : describe(list),
  );
  return [...kinds, ...ofThem].join(', or ');
}

function describeItems({ items }: JsonObject): string {
  return isJsonObject(items) ? describeAll(alternativesOf(items).schemas) : '';
}

/** Describes what a schema accepts, in the words of the messages if it has some. */
function describe(schema: JsonObject): string {
  const { type, enum: values, const: only, 'x-words': words } = schema;
  if (Array.isArray(values)) return values.map(code).join(', ');
  if (only !== undefined) return code(only);
  if (typeof words === 'string') {
    const what = words
      .replace(/^must be /u, '')
      .replaceAll(/\{[^}]*\}|\$[\w.#/+-]*\w|(?<=such as )\/\S+/gu, (text) => `\`${text}\``);
    return what.startsWith('must') ? `a text, which ${what}` : what;
  }
  if (schema['$ref'] !== undefined) return 'a JSON Schema';
  if (Array.isArray(type)) {
    const kinds = type.map((one) => describeType(String(one), schema));
    return kinds
      .join(', or ')
      .replace('a text, or a list; each item a text', 'a text, or a list of them');
  }
  return typeof type === 'string' ? describeType(type, schema) : 'any value';
}

function describeType(type: string, schema: JsonObject): string {
  const { minimum, maximum, exclusiveMinimum, properties } = schema;
  const bound = (word: string, value: Json | undefined): string =>
    typeof value === 'number' ? ` ${word} ${value}` : '';
  const bounds = bound('from', minimum) + bound('to', maximum) + bound('above', exclusiveMinimum);
  switch (type) {
    case 'string':
      return 'a text';
    case 'boolean':
      return '`true`, `false`';
    case 'null':
      return '`null`';
    case 'number':
      return `a number${bounds}`;
    case 'integer':
      return `a whole number${bounds}`;
    case 'array':
      return `a list; each item ${describeItems(schema)}`;
    default:
      return isJsonObject(properties) ? 'an object' : describeMap(schema);
  }
}

function describeMap({ additionalProperties: values }: JsonObject): string {
  const each = isJsonObject(values) ? describeAll(alternativesOf(values).schemas) : '';
  return each === '' || each === 'an object' ? 'a map' : `a map; each value ${each}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function code(value: Json): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
