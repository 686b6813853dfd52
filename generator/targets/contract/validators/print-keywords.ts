import { findFormat } from '../../../contract/formats.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';
import { escapeMember } from '../../../pointer.ts';
import { literal } from '../../escape.ts';
import { formatMember } from '../format-modules.ts';
import type { KeywordType } from './print-types.ts';
import {
  either,
  joinPath,
  memberOf,
  quote,
  Unprintable,
  type ValidatorWriter,
  type Value,
  valuesOf,
} from './validator-writer.ts';

/** Ajv reads as many members, and more, in a loop. */
export const manyMembers = 200;

/** Ajv looks up more members than these in the schema. */
const manyProperties = 8;

/** What a keyword is printed from and to. */
export interface KeywordContext {
  readonly schema: JsonObject;
  readonly value: Value;
  readonly path: string;
  readonly writer: ValidatorWriter;
  /** Prints what a schema asks of a value inside of this one. */
  readonly inner: (schema: Json | undefined, text: string, path: string) => void;
}

/** Prints a keyword; answers whether Ajv makes any code of it, be it that it takes it out again. */
type PrintKeyword = (context: KeywordContext, keyword: string) => boolean;

/** The keywords about values of a type, in the order in which Ajv asks them. */
export const keywordsAbout: Readonly<Record<KeywordType, ReadonlyMap<string, PrintKeyword>>> = {
  number: new Map<string, PrintKeyword>([
    ['maximum', printRange('<=', '>')],
    ['minimum', printRange('>=', '<')],
    ['exclusiveMaximum', printRange('<', '>=')],
    ['exclusiveMinimum', printRange('>', '<=')],
    ['format', (context) => printFormat(context, 'number')],
    ['multipleOf', printMultipleOf],
  ]),
  string: new Map<string, PrintKeyword>([
    ['maxLength', printLength('>')],
    ['minLength', printLength('<')],
    ['pattern', printPattern],
    ['format', (context) => printFormat(context, 'string')],
  ]),
  array: new Map<string, PrintKeyword>([
    ['maxItems', printCount('>', (value) => `${value}.length`)],
    ['minItems', printCount('<', (value) => `${value}.length`)],
    ['items', printItems],
  ]),
  object: new Map<string, PrintKeyword>([
    ['maxProperties', printCount('>', (value) => `Object.keys(${value}).length`)],
    ['minProperties', printCount('<', (value) => `Object.keys(${value}).length`)],
    ['required', printRequired],
    ['additionalProperties', printAdditionalProperties],
    ['properties', printProperties],
  ]),
};

/** A schema that asks nothing. */
export function isAlwaysValid(schema: Json | undefined): boolean {
  return schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
}

/** A scalar as JavaScript. */
export function toScalar(value: Json): string {
  if (typeof value === 'object' && value !== null) throw new Unprintable();
  return literal(value).text;
}

function printRange(holds: string, breaks: string): PrintKeyword {
  return ({ schema, value, path, writer }, keyword) => {
    const limit = toNumber(schema[keyword]);
    writer.write(`if(${value.used(1)} ${breaks} ${limit} || isNaN(${value.used(1)})){\n`);
    writer.fail(path, keyword, `comparison: "${holds}", limit: ${limit}`);
    writer.write('}\n');
    return true;
  };
}

function printMultipleOf({ schema, value, path, writer }: KeywordContext): boolean {
  const factor = toNumber(schema['multipleOf']);
  writer.write(`if(!(${writer.runtime('isMultipleOf')}(${value.used(1)}, ${factor}))){\n`);
  writer.fail(path, 'multipleOf', `multipleOf: ${factor}`);
  writer.write('}\n');
  return true;
}

function printLength(breaks: string): PrintKeyword {
  return ({ schema, value, path, writer }, keyword) => {
    const limit = toNumber(schema[keyword]);
    writer.write(`if(${writer.runtime('length')}(${value.used(1)}) ${breaks} ${limit}){\n`);
    writer.fail(path, keyword, `limit: ${limit}`);
    writer.write('}\n');
    return true;
  };
}

function printCount(breaks: string, count: (value: string) => string): PrintKeyword {
  return ({ schema, value, path, writer }, keyword) => {
    const limit = toNumber(schema[keyword]);
    writer.write(`if(${count(value.used(1))} ${breaks} ${limit}){\n`);
    writer.fail(path, keyword, `limit: ${limit}`);
    writer.write('}\n');
    return true;
  };
}

function printPattern({ schema, value, path, writer }: KeywordContext): boolean {
  const { pattern } = schema;
  if (typeof pattern !== 'string' || !isPattern(pattern)) throw new Unprintable();
  const text = `new RegExp(${quote(pattern)}, "u")`;
  writer.write('if(!', { prefix: 'pattern', text }, `.test(${value.used(1)})){\n`);
  writer.fail(path, 'pattern', `pattern: ${quote(pattern)}`);
  writer.write('}\n');
  return true;
}

/** Formats of the other type, and those that nothing is known of, ask nothing. */
function printFormat(
  { schema, value, path, writer }: KeywordContext,
  type: 'number' | 'string',
): boolean {
  const { format } = schema;
  if (typeof format !== 'string') throw new Unprintable();
  if (findFormat(format)?.type !== type) return false;
  const test = `${writer.format(formatMember(format))}.${type === 'string' ? 'test' : 'validate'}`;
  writer.write(`if(!(${test}(${value.used(1)}))){\n`);
  writer.fail(path, 'format', `format: ${quote(format)}`);
  writer.write('}\n');
  return true;
}

function printItems({ schema, value, path, writer, inner }: KeywordContext): boolean {
  const { items } = schema;
  if (isAlwaysValid(items)) return false;
  writer.name('valid');
  writer.name('valid');
  const length = writer.name('len');
  const index = writer.name('i');
  const begin = writer.mark();
  const data = value.used(2);
  writer.write(
    `const ${length} = ${data}.length;\nfor(let ${index}=0; ${index}<${length}; ${index}++){\n`,
  );
  const opened = writer.mark();
  inner(items, `${data}[${index}]`, joinPath(path, `"/" + ${index}`));
  if (writer.hasWritten(opened)) {
    writer.write('}\n');
  } else {
    writer.takeBack(begin);
    value.unused(2);
  }
  return true;
}

function printRequired({ schema, value, path, writer }: KeywordContext): boolean {
  const { required } = schema;
  if (!Array.isArray(required) || required.length >= manyMembers) throw new Unprintable();
  for (const name of required as readonly Json[]) {
    if (typeof name !== 'string') throw new Unprintable();
    // Twice: Ajv asks for an own member of each name, and `relink` takes that out where it is needless.
    const data = value.used(2);
    const isOwn = isInherited(name) ? ` || (!(Object.hasOwn(${data}, ${quote(name)})))` : '';
    writer.write(`if((${memberOf(data, name)} === undefined)${isOwn}){\n`);
    writer.fail(path, 'required', `missingProperty: ${quote(name)}`);
    writer.write('}\n');
  }
  return required.length > 0;
}

function printAdditionalProperties(context: KeywordContext): boolean {
  const { schema, value, path, writer, inner } = context;
  const { additionalProperties: additional, properties = {} } = schema;
  writer.name('_errs');
  if (isAlwaysValid(additional)) return true;
  if (!isJsonObject(properties) || Object.hasOwn(properties, '__proto__')) throw new Unprintable();
  const begin = writer.mark();
  const key = writer.name('key');
  const data = value.used(1);
  writer.write(`for(const ${key} of Object.keys(${data})){\n`);
  const names = Object.keys(properties);
  if (names.length > manyProperties) {
    writer.write('if(!(Object.hasOwn(', valuesOf(properties), `, ${key}))){\n`);
  } else if (names.length > 0) {
    writer.write(`if(!(${either(names.map((name) => `${key} === ${quote(name)}`))})){\n`);
  }
  const opened = writer.mark();
  if (additional === false) {
    writer.fail(path, 'additionalProperties', `additionalProperty: ${key}`);
  } else {
    writer.name('valid');
    const step = `"/" + ${key}.replace(/~/g, "~0").replace(/\\//g, "~1")`;
    value.used(1);
    inner(additional, `${data}[${key}]`, joinPath(path, step));
  }
  if (writer.hasWritten(opened)) {
    writer.write(names.length > 0 ? '}\n}\n' : '}\n');
  } else {
    writer.takeBack(begin);
    value.unused(additional === false ? 1 : 2);
  }
  return true;
}

function printProperties({ schema, value, path, writer, inner }: KeywordContext): boolean {
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.hasOwn(properties, '__proto__')) throw new Unprintable();
  const members = Object.entries(properties).filter(([, member]) => !isAlwaysValid(member));
  if (members.length === 0) return false;
  writer.name('valid');
  for (const [name, member] of members) {
    // Ajv refuses it, and says why.
    if (!name.isWellFormed()) throw new Unprintable();
    const begin = writer.mark();
    const data = value.used(3);
    const text = memberOf(data, name);
    const isOwn = isInherited(name) ? ` && Object.hasOwn(${data}, ${quote(name)})` : '';
    writer.write(`if(${text} !== undefined${isOwn}){\n`);
    const opened = writer.mark();
    inner(member, text, joinPath(path, quote(`/${escapeMember(name)}`)));
    if (writer.hasWritten(opened)) {
      writer.write('}\n');
    } else {
      writer.takeBack(begin);
      value.unused(3);
    }
  }
  return true;
}

/** Whether every object has a member of this name, so that it has to be asked whether it is its own. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function isPattern(pattern: string): boolean {
  try {
    void new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

function toNumber(value: Json | undefined): number {
  if (typeof value !== 'number') throw new Unprintable();
  return value;
}
