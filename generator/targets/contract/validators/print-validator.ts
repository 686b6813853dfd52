import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';
import { manyAlternatives } from './flat-unions.ts';
import { isAlwaysValid, keywordsAbout, manyMembers, toScalar } from './print-keywords.ts';
import { printNot } from './print-not.ts';
import { isOfNoType, isOfType, keywordTypes, typesOf, type KeywordType } from './print-types.ts';
import {
  either,
  instancePath,
  type PrintedValidator,
  quote,
  Unprintable,
  ValidatorWriter,
  Value,
  valuesOf,
} from './validator-writer.ts';

/**
 * Prints the validating function of a schema as Ajv does and `relink` leaves it, to the character, without making the
 * tree of code that Ajv makes, names, counts and walks: in a tenth of the time, for the keywords that almost all
 * schemas are made of. Any other keyword or form is left to Ajv: `undefined`. No schema is meant that has to keep
 * account of what was evaluated.
 * @param nameOf what the function of a schema is called
 */
export function printValidator(
  name: string,
  schema: JsonObject,
  nameOf: (schemaName: string) => string | undefined,
): PrintedValidator | undefined {
  const writer = new ValidatorWriter();
  const own = nameOf(name) ?? '';
  writer.write(`function ${own}(data, {instancePath="", }={}){\n`);
  try {
    if (isAlwaysValid(schema)) {
      writer.write(`${own}.errors = null;\nreturn true;\n}\n`);
      return writer.finish();
    }
    writer.write('let vErrors = null;\nlet errors = 0;\n');
    new SchemaPrinter(writer, nameOf).rules(schema, { value: new Value('data'), path: '' });
  } catch (error) {
    if (error instanceof Unprintable) return undefined;
    throw error;
  }
  writer.write(`${own}.errors = vErrors;\nreturn errors === 0;\n}\n`);
  return writer.finish();
}

/** What a schema is asked about, and the expression of where that stands. */
interface Place {
  readonly value: Value;
  readonly path: string;
}

class SchemaPrinter {
  readonly #writer: ValidatorWriter;
  readonly #nameOf: (schemaName: string) => string | undefined;

  constructor(writer: ValidatorWriter, nameOf: (schemaName: string) => string | undefined) {
    this.#writer = writer;
    this.#nameOf = nameOf;
  }

  /** Everything that a schema asks, in the order of Ajv: types, then what is about any value, then type by type. */
  rules(schema: JsonObject, place: Place): void {
    const { value } = place;
    for (const keyword in schema) if (!keywords.has(keyword)) throw new Unprintable();
    if (schema['$ref'] !== undefined) {
      this.#call(schema, place);
      return;
    }
    const types = typesOf(schema['type']);
    const [type] = types;
    // With keywords about the one type, their branch tells of another type.
    const about = types.length === 1 ? keywordTypes.find((one) => one === type) : undefined;
    const isDelayed = about !== undefined && hasKeywords(schema, about);
    if (type !== undefined && !isDelayed) {
      this.#writer.write(`if(${isOfNoType(types, value)}){\n`);
      this.#failType(schema, place);
      this.#writer.write('}\n');
    }
    if (type !== undefined) this.#writer.name('_errs');
    this.#constants(schema, place);
    if (schema['not'] !== undefined) printNot(schema['not'], place, this.#writer);
    this.#combinations(schema, place);
    for (const one of keywordTypes) {
      if (hasKeywords(schema, one)) this.#branch(one, schema, place, isDelayed && one === about);
    }
  }

  #failType(schema: JsonObject, { path }: Place): void {
    const { type } = schema;
    if (typeof type === 'string') this.#writer.fail(path, 'type', `type: ${quote(type)}`);
    else this.#writer.fail(path, 'type', 'type: ', valuesOf(type ?? null));
  }

  #call(schema: JsonObject, { value, path }: Place): void {
    const { $ref } = schema;
    const name = typeof $ref === 'string' ? this.#nameOf($ref) : undefined;
    if (typeof $ref !== 'string' || name === undefined || Object.keys(schema).length > 1)
      throw new Unprintable();
    this.#writer.schema($ref);
    const append = this.#writer.runtime('append');
    this.#writer.write(
      `if(!(${name}(${value.used(1)}, {${instancePath(path)},}))){\n`,
      `vErrors = vErrors === null ? ${name}.errors : ${append}(vErrors, ${name}.errors);\n`,
      'errors = vErrors.length;\n}\n',
    );
  }

  #constants(schema: JsonObject, { value, path }: Place): void {
    const { const: only, enum: several } = schema;
    if (only !== undefined) {
      const text = toScalar(only);
      this.#writer.write(`if(${text} !== ${value.used(1)}){\n`);
      const shown = only === null ? valuesOf(only) : text;
      this.#writer.fail(path, 'const', 'allowedValue: ', shown);
      this.#writer.write('}\n');
    }
    if (several !== undefined) {
      const values = listOf(several, manyMembers);
      const tests = values.map((one) => `${value.used(1)} === ${toScalar(one)}`);
      this.#writer.write(`if(!(${either(tests)})){\n`);
      this.#writer.fail(path, 'enum', 'allowedValues: ', valuesOf(several));
      this.#writer.write('}\n');
    }
  }

  #combinations(schema: JsonObject, place: Place): void {
    const { allOf, anyOf, oneOf } = schema;
    if (allOf !== undefined) {
      this.#writer.name('valid');
      for (const one of listOf(allOf)) if (!isAlwaysValid(one)) this.#subschema(one, place);
    }
    if (anyOf !== undefined) this.#anyOf(listOf(anyOf, manyAlternatives), place);
    if (oneOf !== undefined) this.#oneOf(listOf(oneOf, manyAlternatives), place);
  }

  #anyOf(schemas: readonly Json[], place: Place): void {
    const errors = this.#writer.name('_errs');
    if (schemas.some(isAlwaysValid)) return;
    const valid = this.#writer.name('valid');
    const isOne = this.#writer.name('_valid');
    this.#writer.write(`const ${errors} = errors;\nlet ${valid} = false;\n`);
    for (const [index, schema] of schemas.entries()) {
      if (index > 0) this.#writer.write(`if(!${valid}){\n`);
      this.#subschema(schema, place, isOne);
      this.#writer.write(`${valid} = ${valid} || ${isOne};\n`);
    }
    this.#writer.write('}\n'.repeat(schemas.length - 1));
    this.#decide(valid, errors, place, 'anyOf', '');
  }

  #oneOf(schemas: readonly Json[], place: Place): void {
    const errors = this.#writer.name('_errs');
    const valid = this.#writer.name('valid');
    const passing = this.#writer.name('passing');
    const isOne = this.#writer.name('_valid');
    this.#writer.write(
      `const ${errors} = errors;\nlet ${valid} = false;\nlet ${passing} = null;\n`,
    );
    for (const [index, schema] of schemas.entries()) {
      if (isAlwaysValid(schema)) this.#writer.write(`var ${isOne} = true;\n`);
      else this.#subschema(schema, place, isOne);
      if (index > 0) {
        this.#writer.write(
          `if(${isOne} && ${valid}){\n${valid} = false;\n${passing} = [${passing}, ${index}];\n}\nelse {\n`,
        );
      }
      this.#writer.write(`if(${isOne}){\n${valid} = true;\n${passing} = ${index};\n}\n`);
    }
    this.#writer.write('}\n'.repeat(schemas.length - 1));
    this.#decide(valid, errors, place, 'oneOf', `passingSchemas: ${passing}`);
  }

  /** One failure where no alternative holds; otherwise those of the others are forgotten. */
  #decide(valid: string, errors: string, { path }: Place, keyword: string, params: string): void {
    this.#writer.write(`if(!${valid}){\n`);
    this.#writer.fail(path, keyword, params);
    this.#writer.forgetElse(errors);
  }

  /** A schema about the same value; with `valid`, a variable that says whether it holds. */
  #subschema(schema: Json | undefined, place: Place, valid?: string): void {
    if (schema === false) {
      if (valid !== undefined) this.#writer.write(`var ${valid} = false;\n`);
      this.#writer.fail(place.path, 'false schema', '');
      return;
    }
    if (!isJsonObject(schema)) throw new Unprintable();
    const errors = this.#writer.name('_errs');
    if (valid !== undefined) this.#writer.write(`const ${errors} = errors;\n`);
    this.rules(schema, place);
    if (valid !== undefined) this.#writer.write(`var ${valid} = ${errors} === errors;\n`);
  }

  /** A schema about a value inside of another. What is used once is not given a name. */
  #inner(schema: Json | undefined, text: string, path: string): void {
    const value = new Value(this.#writer.name('data'));
    const begin = this.#writer.mark();
    this.#subschema(schema, { value, path });
    if (value.uses > 1) {
      this.#writer.insert(begin, `let ${value.text} = ${text};\n`);
    } else if (value.uses === 1) {
      // Ajv counts again while it takes code out; which use it sees last is not followed here.
      if (value.isUncertain) throw new Unprintable();
      this.#writer.beginAgain(begin);
      this.#subschema(schema, { value: new Value(text), path });
    }
  }

  /** The keywords about values of one type. */
  #branch(type: KeywordType, schema: JsonObject, place: Place, tellsType: boolean): void {
    const { value } = place;
    const before = value.uses;
    const begin = this.#writer.mark();
    const condition = isOfType(type, value);
    this.#writer.write(`if(${condition}){\n`);
    const opened = this.#writer.mark();
    const hasCode = this.#keywords(type, schema, place);
    const isEmpty = !this.#writer.hasWritten(opened);
    if (!tellsType && isEmpty) {
      this.#writer.takeBack(begin);
      // What never became code was never counted.
      if (hasCode) value.unused(value.uses - before);
      else value.uses = before;
      return;
    }
    if (isEmpty && !hasCode) {
      this.#writer.takeBack(begin);
      this.#writer.write(`if(!(${condition})){\n`);
    } else if (tellsType) {
      this.#writer.write('}\nelse {\n');
    }
    if (tellsType) this.#failType(schema, place);
    this.#writer.write('}\n');
  }

  /** Whether Ajv makes any code of them, be it that it takes it out again. */
  #keywords(type: KeywordType, schema: JsonObject, { value, path }: Place): boolean {
    const inner = this.#inner.bind(this);
    const context = { schema, value, path, writer: this.#writer, inner };
    let hasCode = false;
    for (const [keyword, print] of keywordsAbout[type]) {
      if (schema[keyword] !== undefined) hasCode = print(context, keyword) || hasCode;
    }
    return hasCode;
  }
}

function hasKeywords(schema: JsonObject, type: KeywordType): boolean {
  for (const keyword of keywordsAbout[type].keys()) if (schema[keyword] !== undefined) return true;
  return false;
}

function listOf(value: Json, many = Infinity): readonly Json[] {
  if (!Array.isArray(value) || value.length === 0 || value.length >= many) throw new Unprintable();
  return value as readonly Json[];
}

/** The keywords that are printed here; with any other, a schema is Ajv's. */
const keywords: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'const',
  'enum',
  'not',
  'allOf',
  'anyOf',
  'oneOf',
  ...keywordTypes.flatMap((type) => [...keywordsAbout[type].keys()]),
]);
