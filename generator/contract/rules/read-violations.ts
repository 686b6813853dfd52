import type { ErrorObject } from 'ajv';
import { accepts, type Reading } from '../../accepts.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { escapeMember } from '../../pointer.ts';
import { toViolations, type Violation } from './violations.ts';

/**
 * Everything that a value breaks of a schema, in the order and the words in which the compiled schema says it;
 * `undefined` where only that can tell, or a schema leads to others in too many ways. To compile a schema takes a
 * thousand times as long, and most of what examples break is a type or a list of values.
 */
export function readViolations(
  schema: Json,
  value: Json,
  reading: Reading,
): readonly Violation[] | undefined {
  const reader = new ViolationReader(reading);
  try {
    // Of a schema that is `true` or `false`, the compiler gets another form.
    reader.read(reader.schemaFor(schema), value, '');
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
  return toViolations(reader.errors);
}

class Unsure extends Error {
  override readonly name = 'Unsure';
}

/** Schemas that are read before the compiler is asked instead, and how deep in one another. */
const mostSchemas = 2000;
const mostLevels = 100;

class ViolationReader {
  errors: ErrorObject[] = [];
  readonly #reading: Reading;
  #left = mostSchemas;
  #levels = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  schemaFor(schema: Json | undefined): JsonObject {
    if (!isJsonObject(schema)) throw new Unsure();
    return schema;
  }

  /** Whether the value fits; what it breaks is added to the errors. */
  read(schema: Json | undefined, value: Json, at: string): boolean {
    if (schema === true) return true;
    const before = this.errors.length;
    if (schema === false) {
      this.#add('false schema', {}, { schema: {} }, at);
      return false;
    }
    this.#left -= 1;
    this.#levels += 1;
    if (!isJsonObject(schema) || this.#left < 0 || this.#levels > mostLevels) throw new Unsure();
    if (!Object.keys(schema).every((keyword) => known.has(keyword))) throw new Unsure();
    this.#readGroups(schema, value, at);
    this.#levels -= 1;
    return this.errors.length === before;
  }

  #readGroups(schema: JsonObject, value: Json, at: string): void {
    const { type } = schema;
    const single = Array.isArray(type) && type.length === 1 ? (type as readonly Json[])[0] : type;
    const own = groups.find((group) => group.type !== undefined && group.type === single);
    // Ajv asks for the only type where it looks at the keywords of that type, and for any other type ahead of all.
    const late = own?.keywords.some((keyword) => schema[keyword] !== undefined) === true;
    const isWrong = type !== undefined && !this.#accepts({ type }, value);
    if (isWrong && !late) this.#add('type', {}, schema, at);
    for (const group of groups) {
      if (group.type === undefined || this.#accepts({ type: group.type }, value)) {
        for (const keyword of group.keywords) {
          if (schema[keyword] !== undefined) this.#readKeyword(keyword, schema, value, at);
        }
      } else if (late && group === own) this.#add('type', {}, schema, at);
    }
  }

  #readKeyword(keyword: string, schema: JsonObject, value: Json, at: string): void {
    const operand = schema[keyword] ?? null;
    switch (keyword) {
      case '$ref': {
        const target = typeof operand === 'string' ? this.#reading.schemaOf(operand) : undefined;
        this.read(this.schemaFor(target), value, at);
        return;
      }
      case 'allOf':
        for (const part of toList(operand)) this.read(part, value, at);
        return;
      case 'anyOf':
      case 'oneOf':
        this.#readUnion(keyword, schema, value, at);
        return;
      case 'items':
        if (Array.isArray(value)) {
          const list = value as readonly Json[];
          for (const [index, item] of list.entries()) this.read(operand, item, `${at}/${index}`);
        }
        return;
      case 'required':
      case 'additionalProperties':
      case 'properties':
        if (isJsonObject(value)) this.#readMembers(keyword, schema, value, at);
        return;
      default:
        if (this.#accepts({ [keyword]: operand }, value)) return;
        this.#add(keyword, {}, schema, at, messageOf(keyword, operand));
    }
  }

  #readUnion(keyword: 'anyOf' | 'oneOf', schema: JsonObject, value: Json, at: string): void {
    const before = this.errors.length;
    const passing: number[] = [];
    for (const [index, part] of toList(schema[keyword]).entries()) {
      if (this.read(part, value, at)) passing.push(index);
      if (keyword === 'oneOf' && passing.length === 2) break;
    }
    if (passing.length === 1 || (keyword === 'anyOf' && passing.length > 1)) {
      this.errors.length = before;
    } else {
      const params = keyword === 'anyOf' || passing.length === 0 ? {} : { passingSchemas: passing };
      this.#add(keyword, params, schema, at);
    }
  }

  #readMembers(keyword: string, schema: JsonObject, value: JsonObject, at: string): void {
    const { properties = {} } = schema;
    if (!isJsonObject(properties) || Object.hasOwn(value, '__proto__')) throw new Unsure();
    if (keyword === 'required') {
      for (const name of toList(schema['required'])) {
        if (typeof name !== 'string') throw new Unsure();
        const isThere = Object.hasOwn(value, name);
        if (!isThere) this.#add(keyword, { missingProperty: name }, schema, at);
      }
    } else if (keyword === 'properties') {
      for (const [name, member] of Object.entries(properties)) {
        if (Object.hasOwn(value, name)) {
          this.read(member, value[name] ?? null, `${at}/${escapeMember(name)}`);
        }
      }
    } else {
      const { additionalProperties: others } = schema;
      for (const [name, member] of Object.entries(value)) {
        if (Object.hasOwn(properties, name)) continue;
        if (others === false) this.#add(keyword, { additionalProperty: name }, schema, at);
        else this.read(others, member ?? null, `${at}/${escapeMember(name)}`);
      }
    }
  }

  #accepts(schema: JsonObject, value: Json): boolean {
    const answer = accepts(schema, value, this.#reading);
    if (answer === undefined) throw new Unsure();
    return answer;
  }

  #add(keyword: string, params: object, schema: JsonObject, at: string, message?: string): void {
    this.errors.push({
      keyword,
      params,
      schema: schema[keyword],
      parentSchema: schema,
      instancePath: at,
      schemaPath: '',
      ...(message === undefined ? {} : { message }),
    });
  }
}

/** The keywords that are read, as Ajv orders them: those for any value first. */
const groups: readonly { readonly type?: string; readonly keywords: readonly string[] }[] = [
  { keywords: '$ref const enum not anyOf oneOf allOf'.split(' ') },
  {
    type: 'number',
    keywords: 'maximum minimum exclusiveMaximum exclusiveMinimum multipleOf format'.split(' '),
  },
  { type: 'string', keywords: 'maxLength minLength pattern format'.split(' ') },
  { type: 'array', keywords: 'maxItems minItems items'.split(' ') },
  {
    type: 'object',
    keywords: 'maxProperties minProperties required additionalProperties properties'.split(' '),
  },
];

const known: ReadonlySet<string> = new Set(['type', ...groups.flatMap(({ keywords }) => keywords)]);

/** What Ajv says of a keyword and its operand, where no other words are put in its place. */
const messages: ReadonlyMap<string, string> = new Map([
  ['maximum', 'must be <= …'],
  ['minimum', 'must be >= …'],
  ['exclusiveMaximum', 'must be < …'],
  ['exclusiveMinimum', 'must be > …'],
  ['multipleOf', 'must be multiple of …'],
  ['maxLength', 'must NOT have more than … characters'],
  ['minLength', 'must NOT have fewer than … characters'],
  ['format', 'must match format "…"'],
  ['maxItems', 'must NOT have more than … items'],
  ['minItems', 'must NOT have fewer than … items'],
  ['maxProperties', 'must NOT have more than … properties'],
  ['minProperties', 'must NOT have fewer than … properties'],
  ['not', 'must NOT be valid'],
]);

function messageOf(keyword: string, operand: Json): string | undefined {
  const scalar = typeof operand === 'string' || typeof operand === 'number' ? operand : '';
  return messages.get(keyword)?.replace('…', () => String(scalar));
}

function toList(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Unsure();
  return value as readonly Json[];
}
