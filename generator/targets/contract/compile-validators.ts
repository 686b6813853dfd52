import { createRequire } from 'node:module';
import type { _ as template, CodeKeywordDefinition } from 'ajv';
import type { SourceCode } from 'ajv/dist/types/index.js';
import type core from 'ajv/dist/core.js';
import type draft2020 from 'ajv/dist/vocabularies/draft2020.js';
import { findFormat, formatNames } from '../../contract/formats.ts';
import { toValidatorSchema, type SchemaIndex } from '../../contract/json-schema.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';

/** The validating function of one schema, as the compiler printed it. */
export interface CompiledSchema {
  /** The name the compiler gave the function. */
  readonly functionName: string;
  /** The function declaration; its free names are those of `values`. */
  readonly text: string;
  readonly values: readonly FreeName[];
}

type AjvCore = InstanceType<typeof core.default>;

/** What a free name of a compiled function stands for. */
export type FreeName = { readonly name: string } & (
  | { readonly kind: 'runtime'; readonly member: 'equal' | 'length' | 'isMultipleOf' }
  | { readonly kind: 'hasOwn' }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'function'; readonly functionName: string }
  | { readonly kind: 'wrapper'; readonly functionName: string }
);

/**
 * Compiles every schema with Ajv, one function each, in the order of the index.
 * Ajv's own printer of standalone code joins all functions in one text, which for a contract of a thousand schemas
 * is tens of megabytes; this hands out the functions it joins.
 */
export function compileValidators(index: SchemaIndex): ReadonlyMap<string, CompiledSchema> {
  const ids = new Map([...index.keys()].map((name, position) => [name, `schema:${position}`]));
  const toReference = (name: string): string => ids.get(name) ?? name;
  const schemas = [...index.values()].map(({ name, definition }): JsonObject => {
    const schema = toValidatorSchema(definition, toReference);
    const keywords = isJsonObject(schema) ? schema : schema ? {} : { not: {} };
    return { $id: toReference(name), ...keywords };
  });
  const ajv = createCompiler(schemas.some(usesUnevaluated));
  ajv.addSchema(schemas);
  const compiled = new Map<string, CompiledSchema>();
  for (const [name, id] of ids) {
    const source = compileSchema(ajv, name, id);
    const values = Object.values(source.scopeValues).flatMap((names) => [...(names ?? [])]);
    compiled.set(name, {
      functionName: source.validateName.str,
      text: [
        source.validateCode.replace(`/*# sourceURL="${id}" */;`, ''),
        ...(source.evaluated === undefined
          ? []
          : [`${source.validateName.str}.evaluated = ${String(source.evaluated)};`]),
      ].join('\n'),
      values: values.map(toFreeName),
    });
  }
  return compiled;
}

function compileSchema(ajv: AjvCore, name: string, id: string): SourceCode {
  try {
    const source = ajv.getSchema(id)?.source;
    if (source !== undefined) return source;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The schema "${name}" cannot be compiled: ${why}`, { cause: error });
  }
  throw new TypeError(`The schema "${name}" was not compiled.`);
}

function createCompiler(unevaluated: boolean): AjvCore {
  // CommonJS by its own means: what `default` is in an import of it, loaders do not agree about.
  const require = createRequire(import.meta.url);
  const { default: Core, _ } = require('ajv/dist/core.js') as typeof core;
  const { default: vocabularies } =
    require('ajv/dist/vocabularies/draft2020.js') as typeof draft2020;
  // The core without its own vocabulary, so that tracking what was evaluated is paid for only where it is asked for.
  const ajv = new Core({
    code: { source: true, esm: true, lines: true, formats: _`require("formats")` },
    inlineRefs: false,
    allErrors: true,
    // The generated runtime puts violations into words, from `params`.
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
  for (const vocabulary of vocabularies) ajv.addVocabulary(vocabulary);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword(exactMultipleOf(_));
  for (const name of formatNames()) {
    const format = findFormat(name);
    if (format?.type === 'string') ajv.addFormat(name, format.expression);
    if (format?.type === 'number') {
      ajv.addFormat(name, { type: 'number', validate: () => true });
    }
  }
  return ajv;
}

/** Ajv divides binary fractions, so that 19.99 is no multiple of 0.01; ours divides the decimals as written. */
function exactMultipleOf(_: typeof template): CodeKeywordDefinition {
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: '', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
    code(context) {
      const name = { ref: exactMultipleOf, code: _`require("isMultipleOf")` };
      const isMultipleOf = context.gen.scopeValue('func', name);
      context.pass(_`${isMultipleOf}(${context.data}, ${context.schemaCode})`);
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

/** Says what a name of Ajv's scope stands for; a kind it does not know stops generation. */
function toFreeName({ str: name, prefix, value }: ScopeName): FreeName {
  const text = value?.code?.toString() ?? '';
  const functionName = functionNameOf(value?.ref);
  if (prefix === 'schema' && isJsonObject(value?.ref)) {
    return { name, kind: 'schema', schema: value.ref };
  }
  if (prefix === 'pattern') return { name, kind: 'pattern', text };
  if (prefix === 'formats') return { name, kind: 'format', format: String(value?.key) };
  if (prefix === 'validate' && functionName !== undefined) {
    return { name, kind: 'function', functionName };
  }
  if ((prefix === 'wrapper' || prefix === 'root') && functionName !== undefined) {
    return { name, kind: 'wrapper', functionName };
  }
  const known = runtimeFunctions.get(text);
  if (known === undefined) throw new TypeError(`The compiled validator needs ${text || name}.`);
  return known === 'hasOwn' ? { name, kind: 'hasOwn' } : { name, kind: 'runtime', member: known };
}

const runtimeFunctions: ReadonlyMap<string, 'equal' | 'length' | 'isMultipleOf' | 'hasOwn'> =
  new Map([
    ['Object.prototype.hasOwnProperty', 'hasOwn'],
    ['require("ajv/dist/runtime/equal").default', 'equal'],
    ['require("ajv/dist/runtime/ucs2length").default', 'length'],
    ['require("isMultipleOf")', 'isMultipleOf'],
  ]);

/** A function that is compiled carries its source, one that is being compiled its name. */
function functionNameOf(reference: unknown): string | undefined {
  const holder = reference as
    | {
        readonly source?: { readonly validateName?: { readonly str: string } };
        readonly validateName?: { readonly str: string };
      }
    | null
    | undefined;
  return holder?.source?.validateName?.str ?? holder?.validateName?.str;
}

function usesUnevaluated(schema: JsonObject): boolean {
  return /"unevaluated(?:Items|Properties)"/u.test(JSON.stringify(schema));
}
