import { createRequire } from 'node:module';
import type { CodeKeywordDefinition, Options, ValidateFunction } from 'ajv';
import { formats } from './formats.ts';
import { type JsonObject, isJsonObject } from '../json/json.ts';
import type { OwnSchema, SchemaDraft } from './own-schema.ts';
import { prefixItemsKeyword } from './prefix-items-keyword.ts';
import type { AjvOutput, FreeName } from './rewrite-ajv-output.ts';
import { uniqueItemsKeyword } from './unique-items-keyword.ts';
import { unionKeywords } from './union-keywords.ts';
import type { RuntimeFunction } from './validator-code.ts';
import type { AjvLibrary } from './ajv-library.ts';
import type draft7 from 'ajv/dist/ajv.js';
import type draft2020 from 'ajv/dist/2020.js';
import type standalone from 'ajv/dist/standalone/index.js';

// Ajv is CommonJS. Loaders differ in the `default` that an import of it has; `require` works the same everywhere.
const require = createRequire(import.meta.url);

function loadAjv(): AjvLibrary {
  const load = <T>(file: string): T => require(`ajv/dist/${file}.js`) as T;
  const loadDefault = <T>(file: string): T => load<{ readonly default: T }>(file).default;
  const { usePattern } = load<Pick<AjvLibrary, 'usePattern'>>('vocabularies/code');
  const { callRef } = load<Pick<AjvLibrary, 'callRef'>>('vocabularies/core/ref');
  return {
    Core: loadDefault('core'),
    vocabularies: loadDefault('vocabularies/draft2020'),
    codegen: load('compile/codegen/index'),
    util: load('compile/util'),
    usePattern,
    length: loadDefault('runtime/ucs2length'),
    callRef,
    anyOf: loadDefault('vocabularies/applicator/anyOf'),
    oneOf: loadDefault('vocabularies/applicator/oneOf'),
    prefixItems: loadDefault('vocabularies/applicator/prefixItems'),
  };
}

/** Returns the installed version of Ajv without loading it. */
export function ajvVersion(): string {
  return (require('ajv/package.json') as { readonly version: string }).version;
}

/**
 * Creates the compiler of a contract's schemas. It returns the function that Ajv prints for one schema. A `$ref` is the
 * name of another schema, whose function is called and not compiled, so chains and cycles of references need no stack.
 * Ajv's own printer of standalone code joins all functions in one text: tens of megabytes for a thousand schemas.
 * @param unevaluated whether functions report which members and items they have evaluated
 */
export function createAjvPrinter(unevaluated: boolean): (schema: JsonObject) => AjvOutput {
  const library = loadAjv();
  const { Core, vocabularies: groups, codegen: templates } = library;
  // Ajv's core without a vocabulary: `Ajv2020` would track evaluated members in every contract.
  const ajv = new Core({
    code: {
      source: true,
      esm: true,
      lines: true,
      formats: templates._`require("formats")`,
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
  for (const vocabulary of groups) ajv.addVocabulary(vocabulary);
  const replaced = [
    referenceKeyword(library),
    multipleOfKeyword(library),
    patternKeyword(library),
    // Ajv adds it before `uniqueItems`, and it must precede `unevaluatedItems`. So `uniqueItems` still has to be at its place.
    prefixItemsKeyword(library),
    uniqueKeyword(library),
    ...unionKeywords(library),
  ];
  for (const keyword of replaced) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  for (const [name, format] of formats) {
    if (format.type === 'string') ajv.addFormat(name, format.expression);
    else ajv.addFormat(name, { type: 'number', validate: () => true });
  }
  return (schema) => {
    const { source } = ajv.compile(schema);
    if (source === undefined) throw new TypeError('Ajv returned no code for a schema.');
    const { validateName, validateCode, evaluated } = source;
    const functionName = validateName.str;
    const free = Object.values(source.scopeValues).flatMap((names) => [...(names ?? [])]);
    return {
      text: `${validateCode}${evaluated === undefined ? '' : `\n${functionName}.evaluated = ${String(evaluated)};`}`,
      names: [{ name: functionName, kind: 'own' }, ...free.map(toFreeName)],
    };
  };
}

/** Creates a `$ref` keyword that calls the function of the referenced schema. */
function referenceKeyword({ callRef }: AjvLibrary): CodeKeywordDefinition {
  return {
    keyword: '$ref',
    schemaType: 'string',
    code(context) {
      const key = String(context.schema);
      callRef(context, context.gen.scopeValue('wrapper', { ref: key, key }));
    },
  };
}

/**
 * Creates a `multipleOf` keyword that divides decimal numbers. Ajv divides binary fractions, so that 19.99 is not a
 * multiple of 0.01.
 */
function multipleOfKeyword({ codegen: { _ } }: AjvLibrary): CodeKeywordDefinition {
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: '', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
    code(context) {
      const name = { ref: multipleOfKeyword, code: _`require("isMultipleOf")` };
      const isMultipleOf = context.gen.scopeValue('func', name);
      context.pass(_`${isMultipleOf}(${context.data}, ${context.schemaCode})`);
    },
  };
}

/**
 * Creates a `pattern` keyword that does not match a text that `maxLength` of the same schema refuses. Ajv matches every
 * text, which takes too long for long texts and some patterns.
 */
function patternKeyword({
  codegen: { _ },
  util: { useFunc },
  usePattern,
  length: lengthOf,
}: AjvLibrary): CodeKeywordDefinition {
  return {
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: '', params: ({ schemaCode }) => _`{pattern: ${schemaCode}}` },
    code(context) {
      const { gen, data, parentSchema } = context;
      const limit: unknown = parentSchema['maxLength'];
      const expression = usePattern(context, String(context.schema));
      const fails = _`!${expression}.test(${data})`;
      if (typeof limit !== 'number') context.fail(fails);
      else {
        const count = _`${useFunc(gen, lengthOf)}(${data})`;
        // A text has at most as many characters as UTF-16 code units, so that most texts are not counted.
        context.fail(_`(${data}.length <= ${limit} || ${count} <= ${limit}) && ${fails}`);
      }
    },
  };
}

/**
 * Creates a `uniqueItems` keyword that compares a text of each item. Ajv compares each item with all others, which takes
 * quadratic time.
 */
function uniqueKeyword({ codegen: { _ } }: AjvLibrary): CodeKeywordDefinition {
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: '', params: ({ params: { equal } }) => _`{i: ${equal}[0], j: ${equal}[1]}` },
    code(context) {
      if (context.schema !== true) return;
      const { gen, data } = context;
      const name = { ref: uniqueKeyword, code: _`require("equalItems")` };
      const find = gen.scopeValue('func', name);
      const equal = gen.const('equal', _`${find}(${data})`);
      context.setParams({ equal });
      context.fail(_`${equal} !== undefined`);
    },
  };
}

interface ScopeName {
  readonly str: string;
  readonly prefix: string;
  readonly value?: {
    readonly ref: unknown;
    readonly key?: unknown;
    readonly code?: { toString(): string };
  };
}

/**
 * Returns the meaning of a name that compiled code uses without declaring it.
 * @throws TypeError for a name that would remain in the code as `require(…)`
 */
function toFreeName({ str: name, prefix, value }: ScopeName): FreeName {
  const text = value?.code?.toString() ?? '';
  if (prefix === 'schema' && isJsonObject(value?.ref)) {
    return { name, kind: 'schema', schema: value.ref };
  }
  if (prefix === 'pattern') return { name, kind: 'pattern', text };
  if (prefix === 'formats') return { name, kind: 'format', format: String(value?.key) };
  if (prefix === 'wrapper') return { name, kind: 'reference', schemaName: String(value?.key) };
  if (text === 'Object.prototype.hasOwnProperty') return { name, kind: 'hasOwn' };
  const member = runtimeFunctions.get(text);
  if (member === undefined) throw new TypeError(`The compiled validator needs ${text || name}.`);
  return { name, kind: 'runtime', member };
}

const runtimeFunctions: ReadonlyMap<string, RuntimeFunction> = new Map([
  ['require("ajv/dist/runtime/equal").default', 'equal'],
  ['require("ajv/dist/runtime/ucs2length").default', 'length'],
  ['require("isMultipleOf")', 'isMultipleOf'],
  ['require("equalItems")', 'equalItems'],
]);

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
