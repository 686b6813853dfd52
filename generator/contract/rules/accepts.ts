import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { JsonSchema } from '../contract.ts';
import { findFormat } from '../formats.ts';

/** What schemas are read with. */
export interface Reading {
  /** The schema of a name; only assertions stand in it, and a reference is a name. */
  schemaOf(name: string): JsonSchema | undefined;
  matches(pattern: string, text: string): boolean;
}

/**
 * Whether a schema accepts a value; `undefined` where only the compiler can tell. Most examples are looked at once and
 * are valid: reading their schemas takes a hundredth of compiling them. What it says is what Ajv says, as tests see.
 */
export function accepts(schema: JsonSchema, value: Json, reading: Reading): boolean | undefined {
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
  readonly #reading: Reading;
  #levels = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  accepts(schema: JsonSchema | undefined, value: Json): boolean {
    if (typeof schema === 'boolean') return schema;
    if (schema === undefined || ++this.#levels > mostLevels) throw new Unsure();
    const accepted = Object.entries(schema).every(([keyword, operand]) => {
      const check = keywords.get(keyword);
      if (check === undefined || operand === undefined) throw new Unsure();
      return check(operand, value, schema, this);
    });
    this.#levels -= 1;
    return accepted;
  }

  named(name: string): JsonSchema | undefined {
    return this.#reading.schemaOf(name);
  }

  matches(pattern: string, text: string): boolean {
    return this.#reading.matches(pattern, text);
  }
}

type Check = (operand: Json, value: Json, schema: JsonObject, reader: Reader) => boolean;

/** Keywords that another of the same schema looks at. */
const beside: Check = () => true;

const keywords: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['$ref', (name, value, _, reader) => reader.accepts(reader.named(toText(name)), value)],
  ['type', (types, value) => toList(types, true).some((type) => isOfType(toText(type), value))],
  ['enum', (values, value) => toList(values).some((member) => isEqual(member, value))],
  ['const', (constant, value) => isEqual(constant, value)],
  ['allOf', (all, value, _, reader) => toSchemas(all).every((one) => reader.accepts(one, value))],
  ['anyOf', (any, value, _, reader) => toSchemas(any).some((one) => reader.accepts(one, value))],
  [
    'oneOf',
    (any, value, _, reader) =>
      toSchemas(any).filter((one) => reader.accepts(one, value)).length === 1,
  ],
  ['not', (not, value, _, reader) => !reader.accepts(toSchema(not), value)],
  [
    'if',
    (condition, value, schema, reader) => {
      const branch = schema[reader.accepts(toSchema(condition), value) ? 'then' : 'else'];
      return branch === undefined || reader.accepts(toSchema(branch), value);
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
  ['pattern', ofTexts((text, pattern, _, reader) => reader.matches(toText(pattern), text))],
  ['format', (name, value) => hasFormat(toText(name), value)],
  ['minItems', ofLists((list, least) => list.length >= toNumber(least))],
  ['maxItems', ofLists((list, most) => list.length <= toNumber(most))],
  ['uniqueItems', ofLists((list, unique) => unique !== true || areUnique(list))],
  [
    'prefixItems',
    ofLists((list, first, _, reader) =>
      toSchemas(first).every(
        (schema, index) => index >= list.length || reader.accepts(schema, list[index] ?? null),
      ),
    ),
  ],
  [
    'items',
    ofLists((list, items, schema, reader) => {
      const first = toList(schema['prefixItems'] ?? []).length;
      return list.slice(first).every((item) => reader.accepts(toSchema(items), item));
    }),
  ],
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
    ofObjects((object, properties, _, reader) =>
      Object.entries(toObject(properties)).every(
        ([name, schema]) =>
          !Object.hasOwn(object, name) || reader.accepts(toSchema(schema), object[name] ?? null),
      ),
    ),
  ],
  [
    'patternProperties',
    ofObjects((object, patterns, _, reader) =>
      Object.entries(toObject(patterns)).every(([pattern, schema]) =>
        Object.entries(object).every(
          ([name, member]) =>
            !reader.matches(pattern, name) || reader.accepts(toSchema(schema), member ?? null),
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
          patterns.some((pattern) => reader.matches(pattern, name)) ||
          reader.accepts(toSchema(others), member ?? null),
      );
    }),
  ],
  [
    'propertyNames',
    ofObjects((object, names, _, reader) =>
      Object.keys(object).every((name) => reader.accepts(toSchema(names), name)),
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

function hasFormat(name: string, value: Json): boolean {
  const format = findFormat(name);
  // What an expression makes of a text of somebody else's is for the compiler's limits.
  if (format === undefined) throw new Unsure();
  if (format.type === 'string') return typeof value !== 'string' || format.expression.test(value);
  if (typeof value !== 'number') return true;
  const limit = 2 ** (format.bits - 1);
  return Number.isInteger(value) && value >= -limit && value < limit;
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

function toSchema(value: Json | undefined): JsonSchema {
  if (typeof value === 'boolean' || isJsonObject(value)) return value;
  throw new Unsure();
}

function toSchemas(value: Json): readonly JsonSchema[] {
  return toList(value).map(toSchema);
}
