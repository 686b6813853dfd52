import { createRequire } from 'node:module';
import type { _ as template, CodeKeywordDefinition } from 'ajv';
import type * as ref from 'ajv/dist/vocabularies/core/ref.js';
import type core from 'ajv/dist/core.js';
import type draft2020 from 'ajv/dist/vocabularies/draft2020.js';
import { findFormat, formatNames } from '../../../contract/formats.ts';
import { isJsonObject, type JsonObject } from '../../../json.ts';
import { firstItems } from './first-items.ts';
import { flatUnions } from './flat-unions.ts';

/** The validating function of one schema, as the compiler printed it. */
export interface CompiledSchema {
  /** The function declaration. */
  readonly text: string;
  /** What the names in it stand for that it does not declare, and its own. */
  readonly names: readonly FreeName[];
}

/** A schema, and what others call it where they refer to it. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: JsonObject;
}

type AjvCore = InstanceType<typeof core.default>;

/** What a free name of a compiled function stands for. */
export type FreeName = { readonly name: string } & (
  | { readonly kind: 'runtime'; readonly member: 'equal' | 'length' | 'isMultipleOf' }
  | { readonly kind: 'hasOwn' }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'validator'; readonly schemaName: string }
);

/**
 * Compiles every schema with Ajv, one function each, in the order given. No schema is compiled for the sake of
 * another that refers to it, so that neither long chains of references nor large circles are a deep stack.
 * Ajv's own printer of standalone code joins all functions in one text, which for a contract of a thousand schemas
 * is tens of megabytes; this hands out the functions it would join.
 * @param unevaluated whether any schema that these refer to, or that refers to these, asks what was evaluated
 */
export function* compileValidators(
  schemas: readonly NamedSchema[],
  unevaluated: boolean,
): Generator<readonly [name: string, CompiledSchema]> {
  const ajv = createCompiler(unevaluated);
  for (const { name, schema } of schemas) yield [name, compileSchema(ajv, name, schema)];
}

function compileSchema(ajv: AjvCore, name: string, schema: JsonObject): CompiledSchema {
  try {
    const { source } = ajv.compile(schema);
    if (source === undefined) throw new TypeError('Ajv printed no code.');
    const { validateName, validateCode, evaluated } = source;
    const free = Object.values(source.scopeValues).flatMap((names) => [...(names ?? [])]);
    const own: FreeName = { name: validateName.str, kind: 'validator', schemaName: name };
    const properties =
      evaluated === undefined ? '' : `\n${validateName.str}.evaluated = ${String(evaluated)};`;
    return { text: `${validateCode}${properties}`, names: [own, ...free.map(toFreeName)] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The schema "${name}" cannot be compiled: ${why}`, { cause: error });
  }
}

function createCompiler(unevaluated: boolean): AjvCore {
  // CommonJS by its own means: what `default` is in an import of it, loaders do not agree about.
  const require = createRequire(import.meta.url);
  const { default: Core, _ } = require('ajv/dist/core.js') as typeof core;
  const { default: vocabularies } =
    require('ajv/dist/vocabularies/draft2020.js') as typeof draft2020;
  // The core without its own vocabulary, so that tracking what was evaluated is paid for only where it is asked for.
  const ajv = new Core({
    code: {
      source: true,
      esm: true,
      lines: true,
      formats: _`require("formats")`,
      // Only the text is wanted; reading megabytes of it would take the engine a while.
      process: () => 'return () => true',
    },
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
  const replaced = [
    lateReference(require),
    exactMultipleOf(_),
    firstItems(require),
    ...flatUnions(require),
  ];
  for (const keyword of replaced) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  for (const name of formatNames()) {
    const format = findFormat(name);
    if (format?.type === 'string') ajv.addFormat(name, format.expression);
    if (format?.type === 'number') {
      ajv.addFormat(name, { type: 'number', validate: () => true });
    }
  }
  return ajv;
}

/** Calls the function of the schema referred to, which the linker finds by name, without compiling it first. */
function lateReference(require: NodeJS.Require): CodeKeywordDefinition {
  const { callRef } = require('ajv/dist/vocabularies/core/ref.js') as typeof ref;
  return {
    keyword: '$ref',
    schemaType: 'string',
    code(context) {
      const key = String(context.schema);
      callRef(context, context.gen.scopeValue('wrapper', { ref: key, key }));
    },
  };
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
  if (prefix === 'schema' && isJsonObject(value?.ref)) {
    return { name, kind: 'schema', schema: value.ref };
  }
  if (prefix === 'pattern') return { name, kind: 'pattern', text };
  if (prefix === 'formats') return { name, kind: 'format', format: String(value?.key) };
  if (prefix === 'wrapper') return { name, kind: 'validator', schemaName: String(value?.key) };
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

/** Whether any of the schemas asks what others have looked at, so that all have to keep account of it. */
export function usesUnevaluated(schemas: readonly NamedSchema[]): boolean {
  return schemas.some(({ schema }) =>
    /"unevaluated(?:Items|Properties)"/u.test(JSON.stringify(schema)),
  );
}
