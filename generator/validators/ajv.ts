import { createRequire } from 'node:module';
import type { KeywordDefinition, Name, Options, ValidateFunction } from 'ajv';
import type draft2020 from 'ajv/dist/2020.js';
import type draft7 from 'ajv/dist/ajv.js';
import type standalone from 'ajv/dist/standalone/index.js';
import { isPlain, jsonLiteral } from '../json/json-literal.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { JsonSchema } from '../schema/model.ts';
import { mapReferences } from '../schema/references.ts';
import { mapSubschemas } from '../schema/visit.ts';
import type { AjvLibrary } from './ajv-library.ts';
import { CodeNames } from './keywords/code-names.ts';
import { FunctionCode } from './keywords/function-code.ts';
import { typeKeyword } from './keywords/keyword-context.ts';
import { objectKeywords } from './keywords/object-keywords.ts';
import { prefixItemsKeyword } from './keywords/prefix-items-keyword.ts';
import { referenceKeyword } from './keywords/reference-keyword.ts';
import { TypeCode } from './keywords/type-code.ts';
import { unionKeywords } from './keywords/union-keywords.ts';
import { never, neverKeyword, valueKeywords } from './keywords/value-keywords.ts';
import { formats, isInteger } from './formats.ts';
import type { OwnSchema, SchemaDraft } from './own-schema.ts';
import { uniqueItemsKeyword } from './unique-items-keyword.ts';
import type { ValidatorCode } from './validator-code.ts';

// Ajv is CommonJS. Loaders differ in the `default` that an import of it has; `require` works the same everywhere.
const require = createRequire(import.meta.url);

function loadAjv(): AjvLibrary {
  const load = <T>(file: string): T => require(`ajv/dist/${file}.js`) as T;
  const loadDefault = <T>(file: string): T => load<{ readonly default: T }>(file).default;
  return {
    Core: loadDefault('core'),
    KeywordCxt: load<Pick<AjvLibrary, 'KeywordCxt'>>('core').KeywordCxt,
    vocabularies: loadDefault('vocabularies/draft2020'),
    codegen: load('compile/codegen/index'),
    Text: load<{ readonly _Code: AjvLibrary['Text'] }>('compile/codegen/code')._Code,
    util: load('compile/util'),
    getJSONTypes: load<Pick<AjvLibrary, 'getJSONTypes'>>('compile/validate/dataType').getJSONTypes,
    anyOf: loadDefault('vocabularies/applicator/anyOf'),
    oneOf: loadDefault('vocabularies/applicator/oneOf'),
    prefixItems: loadDefault('vocabularies/applicator/prefixItems'),
  };
}

/** Returns the installed version of Ajv without loading it. */
export function ajvVersion(): string {
  return (require('ajv/package.json') as { readonly version: string }).version;
}

/** What decides about the function of a schema besides the schema. */
export interface PrintedFunction {
  readonly name: string;
  /** Returns the name of the function of another schema. */
  readonly nameOf: (schemaName: string) => string;
  /** Whether the function remembers its results while the outermost of its calls runs. */
  readonly isRepeated: boolean;
}

/**
 * Creates the compiler of a contract's schemas, which prints the function of one schema. A `$ref` is the name of another
 * schema, whose function is called and not compiled, so chains and cycles of references need no stack. Ajv's own printer
 * of standalone code joins all functions in one text: tens of megabytes for a thousand schemas.
 * @param unevaluated whether functions report which members and items they have evaluated
 */
export function createAjvPrinter(
  unevaluated: boolean,
): (schema: JsonObject, printed: PrintedFunction) => ValidatorCode {
  const library = loadAjv();
  const names = new CodeNames(library);
  const code = new FunctionCode(library, names);
  const types = new TypeCode(code);
  // Ajv's core without a vocabulary: `Ajv2020` would track evaluated members in every contract.
  const ajv = new library.Core({
    code: {
      source: true,
      esm: true,
      lines: true,
      // Only the text is used. Parsing megabytes of it would take time.
      process: () => 'return () => true',
    },
    inlineRefs: false,
    allErrors: true,
    // The generated runtime and `violations.ts` create the messages from `params`.
    messages: false,
    ownProperties: true,
    strict: false,
    strictNumbers: true,
    next: true,
    unevaluated,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
  });
  const own = new Map(
    [
      referenceKeyword(code),
      ...valueKeywords(code),
      ...objectKeywords(code, types),
      prefixItemsKeyword(library),
      ...unionKeywords(library),
    ].map((definition) => [String(definition.keyword), definition]),
  );
  ajv.addKeyword(types.keyword());
  // In place of Ajv's, so that failures keep the order of Ajv's.
  const toOwn = (definition: string | KeywordDefinition): string | KeywordDefinition =>
    (typeof definition === 'string' ? undefined : own.get(String(definition.keyword))) ??
    definition;
  for (const vocabulary of library.vocabularies) ajv.addVocabulary(vocabulary.map(toOwn));
  ajv.addKeyword(neverKeyword(code));
  types.replaceGroups(ajv.RULES);
  return (schema, { name, nameOf, isRepeated }) => {
    names.start(nameOf);
    const { source } = ajv.compile(toPrintable(schema));
    if (source === undefined) throw new TypeError('Ajv returned no code for a schema.');
    const { validateCode, evaluated } = source;
    const text = printFunction(validateCode, name, isRepeated ? names.runtime('once') : undefined);
    const withEvaluated = evaluated === undefined ? {} : { evaluated: String(evaluated) };
    return { name, text: escapeStrings(text), ...withEvaluated, ...names.list() };
  };
}

/** Replaces the keyword `type` and the schema `false` by keywords whose definitions are replaceable. */
function toPrintable(schema: JsonSchema): JsonObject {
  if (schema === false) return { [never]: true };
  if (schema === true) return {};
  const { prefixItems } = schema;
  const { type, ...others } = mapSubschemas(schema, (sub, keyword) => {
    const closes = closing.test(keyword) || (keyword === 'items' && prefixItems !== undefined);
    return typeof sub === 'boolean' && (sub || closes) ? sub : toPrintable(sub);
  });
  return type === undefined ? others : { [typeKeyword]: type, ...others };
}

/** The keywords that report the members and items themselves if their schema is `false`. */
const closing = /^(?:additionalProperties|unevaluatedProperties|unevaluatedItems)$/u;

/** The first and the last statements of Ajv's functions. */
const frame =
  /^function ([\w$]+)\(data, \{.*\}=\{\}\)\{\nlet vErrors = null;\nlet errors = 0;\n(?:const (evaluated\d*) = \1\.evaluated;\n)?([^]*)\1\.errors = vErrors;\n([^]*)return errors === 0;\n\}\n$/u;

/** Ajv's function of a schema without keywords. */
const emptyFrame =
  /^function ([\w$]+)\(data, \{.*\}=\{\}\)\{\n\1\.errors = null;\nreturn true;\n\}\n$/u;

/**
 * Prints a function that adds failures to those of its caller and returns their number, instead of Ajv's function, which
 * has a list of its own.
 */
function printFunction(validateCode: string, name: string, once: Name | undefined): string {
  const [isOfAjv, , evaluated, body = '', end = ''] =
    frame.exec(validateCode) ?? emptyFrame.exec(validateCode) ?? [];
  if (isOfAjv === undefined) throw new TypeError('Ajv returned code of an unknown form.');
  const start = evaluated === undefined ? '' : `const ${evaluated} = ${name}.evaluated;\n`;
  const all = `let errors=to.count;\n${start}${body}${end}return errors;`;
  const parameters = 'data,path,to';
  if (once === undefined) return `function ${name}(${parameters}){\n${all}\n}`;
  return `function ${name}(${parameters}){\nreturn ${once.str}(${name},${parameters},to=>{\n${all}\n});\n}`;
}

/** Rewrites the strings of code with `jsonLiteral`: Ajv does not escape invisible and bidirectional characters. */
function escapeStrings(code: string): string {
  if (isPlain(code) && !/<[/!]/.test(code)) return code;
  return code.replaceAll(/"(?:[^"\\]|\\.)*"/gu, (text) => jsonLiteral(JSON.parse(text) as Json));
}

/**
 * Compiles a part of a schema of the toolkit itself, which is trusted.
 * @param part the reference to the part; `#` for the schema itself
 * @throws TypeError if the schema does not have the part
 */
export function compileOwnSchema(
  { name, draft, schema }: OwnSchema,
  part: string,
): ValidateFunction {
  const ajv = ownAjv.get(draft) ?? createOwnAjv(draft, false);
  ownAjv.set(draft, ajv);
  if (ajv.schemas[name] === undefined) ajv.addSchema({ ...schema(), $id: name }, name);
  const validate = ajv.getSchema(name + part);
  if (validate === undefined) throw new TypeError(`"${name}" has no part "${part}".`);
  return validate;
}

/**
 * Creates the function that returns whether a schema of a contract accepts a value, for comparing contracts in the
 * process itself. Schemas that it refers to are compiled when they are needed. Formats are those of generated validators.
 * The result throws for a value that cannot be judged, such as one of a recursion without an end.
 */
export function createCheck(
  schemas: ReadonlyMap<string, { readonly definition: JsonSchema }>,
): (schema: JsonSchema) => (value: unknown) => boolean {
  const ajv = newDraft2020({
    strict: false,
    ownProperties: true,
    inlineRefs: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
  });
  for (const [name, format] of formats) {
    if (format.type === 'string') ajv.addFormat(name, format.expression);
    else
      ajv.addFormat(name, {
        type: 'number',
        validate: (value: number) => isInteger(value, format.bits),
      });
  }
  const toPlain = (schema: JsonSchema): JsonSchema =>
    mapReferences(schema, (name, beside) => ({
      ...beside,
      $ref: `${id}#/$defs/${encodeURIComponent(escapeMember(name))}`,
    }));
  const definitions = Array.from(schemas, ([name, { definition }]) => [name, toPlain(definition)]);
  ajv.addSchema({ $id: id, $defs: Object.fromEntries(definitions) });
  return (schema) => ajv.compile(toPlain(schema));
}

const id = 'contract:schemas';

const ownAjv = new Map<SchemaDraft, InstanceType<AjvLibrary['Core']>>();

/** Prints the CommonJS module that exports the compiled parts of a schema of the toolkit itself. */
export function printOwnSchema({ name, draft, schema, parts }: OwnSchema): string {
  const ajv = createOwnAjv(draft, true);
  ajv.addSchema({ ...schema(), $id: name }, name);
  const { default: print } = require('ajv/dist/standalone') as typeof standalone;
  return print(ajv, Object.fromEntries(parts.map((part) => [part, name + part])));
}

function createOwnAjv(draft: SchemaDraft, source: boolean): InstanceType<AjvLibrary['Core']> {
  const options: Options = {
    allErrors: true,
    // `x-words` of the parent schema replaces the message of a keyword.
    verbose: draft === '2020-12',
    ownProperties: draft === '2020-12',
    strict: false,
    validateFormats: false,
    // A name is checked in place, because only then do its violations state it.
    inlineRefs: draft === '2020-12',
    code: { source },
  };
  const ajv = draft === 'draft-07' ? newDraft7(options) : newDraft2020(options);
  return ajv.removeKeyword('uniqueItems').addKeyword(uniqueItemsKeyword(loadAjv()));
}

function newDraft7(options: Options): InstanceType<AjvLibrary['Core']> {
  const { Ajv } = require('ajv/dist/ajv.js') as typeof draft7;
  return new Ajv(options);
}

function newDraft2020(options: Options): InstanceType<AjvLibrary['Core']> {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof draft2020;
  return new Ajv2020(options);
}
