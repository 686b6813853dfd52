import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** What schemas are read with. */
export interface Reading {
  /** The schema that a reference leads to. */
  schemaOf(reference: string): Json | undefined;
  matches(pattern: string, text: string): boolean;
  /** Whether a value has a format; `undefined` where that is not for the reader to say. */
  hasFormat(format: string, value: Json): boolean | undefined;
  /** Whether a keyword says nothing about what is valid. */
  isAnnotation(keyword: string): boolean;
}

/**
 * Whether a schema accepts a value; `undefined` where only the compiler can tell. Most examples are looked at once and
 * are valid: to read their schemas takes far less time than to compile them. What it says is what Ajv says, as tests see.
 */
export function accepts(schema: Json, value: Json, reading: Reading): boolean | undefined {
  try {
    return new Reader(reading).accepts(schema, value);
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
}

class Unsure extends Error {
  override readonly name = 'Unsure';
}

/** Schemas within schemas, references included, that are read before the compiler is asked instead. */
const mostLevels = 500;

class Reader {
  readonly reading: Reading;
  /** By reference and value: a schema that leads to another in two ways, and so on, asks it once all the same. */
  readonly #answers = new Map<string, Map<Json, boolean>>();
  #levels = 0;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  accepts(schema: Json | undefined, value: Json): boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isJsonObject(schema) || ++this.#levels > mostLevels) throw new Unsure();
    let accepted = true;
    for (const keyword of Object.keys(schema)) {
      if (this.reading.isAnnotation(keyword)) continue;
      const check = keywords.get(keyword);
      const operand = schema[keyword];
      if (check === undefined || operand === undefined) throw new Unsure();
      accepted = check(operand, value, schema, this);
      if (!accepted) break;
    }
    this.#levels -= 1;
    return accepted;
  }

  /** The same for the schema that a reference leads to. */
  follows(reference: string, value: Json): boolean {
    let answers = this.#answers.get(reference);
    if (answers === undefined) this.#answers.set(reference, (answers = new Map()));
    const known = answers.get(value);
    if (known !== undefined) return known;
    const answer = this.accepts(this.reading.schemaOf(reference), value);
    answers.set(value, answer);
    return answer;
  }
}

type Check = (operand: Json, value: Json, schema: JsonObject, reader: Reader) => boolean;

/** Keywords that another of the same schema looks at. */
const beside: Check = () => true;

const keywords: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['$ref', (name, value, _, reader) => reader.follows(toText(name), value)],
  ['type', (types, value) => toList(types, true).some((type) => isOfType(toText(type), value))],
  ['enum', (values, value) => toList(values).some((member) => isEqual(member, value))],
  ['const', (constant, value) => isEqual(constant, value)],
  ['allOf', (all, value, _, reader) => toList(all).every((one) => reader.accepts(one, value))],
  ['anyOf', (any, value, _, reader) => toList(any).some((one) => reader.accepts(one, value))],
  [
    'oneOf',
    (any, value, _, reader) => toList(any).filter((one) => reader.accepts(one, value)).length === 1,
  ],
  ['not', (not, value, _, reader) => !reader.accepts(not, value)],
  [
    'if',
    (condition, value, schema, reader) => {
      const branch = schema[reader.accepts(condition, value) ? 'then' : 'else'];
      return branch === undefined || reader.accepts(branch, value);
    },
  ],
  ['then', beside],
  ['else', beside],
  ['minimum', ofNumbers((number, limit) => number >= limit)],
  ['maximum', ofNumbers((number, limit) => number <= limit)],
  ['exclusiveMinimum', ofNumbers((number, limit) => number > limit)],
  ['exclusiveMaximum', ofNumbers((number, limit) => number < limit)],
  [
    'multipleOf',
    ofNumbers((number, divisor) => {
      // Whether 19.99 is a multiple of 0.01 is a question of its own.
      if (!Number.isSafeInteger(number) || !Number.isSafeInteger(divisor)) throw new Unsure();
      return number % divisor === 0;
    }),
  ],
  ['minLength', ofTexts((text, least) => Array.from(text).length >= toNumber(least))],
  ['maxLength', ofTexts((text, most) => Array.from(text).length <= toNumber(most))],
  ['pattern', ofTexts((text, pattern, _, reader) => reader.reading.matches(toText(pattern), text))],
  [
    'format',
    (name, value, _, { reading }) => {
      const has = reading.hasFormat(toText(name), value);
      if (has === undefined) throw new Unsure();
      return has;
    },
  ],
  ['minItems', ofLists((list, least) => list.length >= toNumber(least))],
  ['maxItems', ofLists((list, most) => list.length <= toNumber(most))],
  ['uniqueItems', ofLists((list, unique) => unique !== true || areUnique(list))],
  [
    'prefixItems',
    ofLists((list, first, _, reader) =>
      toList(first).every(
        (schema, index) => index >= list.length || reader.accepts(schema, list[index] ?? null),
      ),
    ),
  ],
  [
    'items',
    ofLists((list, items, schema, reader) => {
      const first = toList(schema['prefixItems'] ?? []).length;
      return list.every((item, index) => index < first || reader.accepts(items, item));
    }),
  ],
  // Of drafts before 2020-12, where it says nothing but beside a list of `items`, which is not read.
  ['additionalItems', beside],
  ['minProperties', ofObjects((object, least) => Object.keys(object).length >= toNumber(least))],
  ['maxProperties', ofObjects((object, most) => Object.keys(object).length <= toNumber(most))],
  [
    'required',
    ofObjects((object, names) =>
      toList(names).every((name) => Object.hasOwn(object, toText(name))),
    ),
  ],
  [
    'properties',
    ofObjects((object, properties, _, reader) => {
      const schemas = toObject(properties);
      return Object.keys(schemas).every(
        (name) =>
          !Object.hasOwn(object, name) || reader.accepts(schemas[name], object[name] ?? null),
      );
    }),
  ],
  [
    'patternProperties',
    ofObjects((object, patterns, _, reader) =>
      Object.entries(toObject(patterns)).every(([pattern, schema]) =>
        Object.entries(object).every(
          ([name, member]) =>
            !reader.reading.matches(pattern, name) || reader.accepts(schema, member ?? null),
        ),
      ),
    ),
  ],
  [
    'additionalProperties',
    ofObjects((object, others, { properties = {}, patternProperties = {} }, reader) => {
      const patterns = Object.keys(toObject(patternProperties));
      return Object.entries(object).every(
        ([name, member]) =>
          Object.hasOwn(toObject(properties), name) ||
          patterns.some((pattern) => reader.reading.matches(pattern, name)) ||
          reader.accepts(others, member ?? null),
      );
    }),
  ],
  [
    'propertyNames',
    ofObjects((object, names, _, reader) =>
      Object.keys(object).every((name) => reader.accepts(names, name)),
    ),
  ],
]);

function ofNumbers(check: (number: number, operand: number) => boolean): Check {
  return (operand, value) => typeof value !== 'number' || check(value, toNumber(operand));
}

function ofTexts(
  check: (text: string, operand: Json, schema: JsonObject, reader: Reader) => boolean,
): Check {
  return (operand, value, schema, reader) =>
    typeof value !== 'string' || check(value, operand, schema, reader);
}

function ofLists(
  check: (list: readonly Json[], operand: Json, schema: JsonObject, reader: Reader) => boolean,
): Check {
  return (operand, value, schema, reader) =>
    !Array.isArray(value) || check(value as readonly Json[], operand, schema, reader);
}

function ofObjects(
  check: (object: JsonObject, operand: Json, schema: JsonObject, reader: Reader) => boolean,
): Check {
  return (operand, value, schema, reader) =>
    !isJsonObject(value) || check(value, operand, schema, reader);
}

function isOfType(type: string, value: Json): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      throw new Unsure();
  }
}

/** Lists of scalars; of anything else, the compiler knows. */
function areUnique(list: readonly Json[]): boolean {
  if (list.length > 1 && list.some((item) => typeof item === 'object' && item !== null))
    throw new Unsure();
  return new Set(list).size === list.length;
}

function isEqual(one: Json, other: Json): boolean {
  if (Array.isArray(one) || Array.isArray(other) || isJsonObject(one) || isJsonObject(other)) {
    if (typeof one !== typeof other || one === null || other === null) return false;
    throw new Unsure();
  }
  return one === other;
}

function toText(value: Json): string {
  if (typeof value !== 'string') throw new Unsure();
  return value;
}

function toNumber(value: Json): number {
  if (typeof value !== 'number') throw new Unsure();
  return value;
}

function toList(value: Json, orOne = false): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  if (orOne) return [value];
  throw new Unsure();
}

function toObject(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new Unsure();
  return value;
}
