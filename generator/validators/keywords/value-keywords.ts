import type { CodeKeywordDefinition, Name } from 'ajv/dist/core.js';
import { jsonLiteral } from '../../json/json-literal.ts';
import type { Json } from '../../json/json.ts';
import { formats } from '../formats.ts';
import type { FunctionCode } from './function-code.ts';

/** Creates the keywords for scalar values and arrays whose code differs from that of Ajv. */
export function valueKeywords(code: FunctionCode): readonly CodeKeywordDefinition[] {
  return [
    enumKeyword(code),
    constKeyword(code),
    lengthKeyword(code),
    patternKeyword(code),
    formatKeyword(code),
    multipleOfKeyword(code),
    uniqueItemsKeyword(code),
  ];
}

/**
 * The keyword for the schema `false` in the schemas that are compiled. Ajv itself reports a value of `false`, which no
 * definition of a keyword can change.
 */
export const never = 'never';

/** Creates the keyword `never`. */
export function neverKeyword(code: FunctionCode): CodeKeywordDefinition {
  return {
    keyword: never,
    schemaType: 'boolean',
    code: ({ gen, it }) => gen.code(code.failure(it, 'false schema')),
  };
}

function enumKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, or } = code.library.codegen;
  return {
    keyword: 'enum',
    schemaType: 'array',
    error: { message: '', params: ({ schema }) => _`{allowedValues:${code.valueOf(schema)}}` },
    code(context) {
      const { data } = context;
      const values = context.schema as readonly Json[];
      if (values.length === 0) throw new TypeError('enum must have non-empty array');
      const isAnyScalar = values.every((value) => value === null || typeof value !== 'object');
      const list = code.valueOf(values);
      if (!isAnyScalar) {
        const equal = code.names.runtime('equal');
        context.pass(_`${list}.some(value=>${equal}(value,${data}))`);
      } else if (values.length > maxValues) context.pass(_`${list}.includes(${data})`);
      else context.pass(or(...values.map((value) => _`${data} === ${code.valueOf(value)}`)));
    },
  };
}

/** The number of values from which a search of the list is shorter than comparisons. */
const maxValues = 2;

function constKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _ } = code.library.codegen;
  return {
    keyword: 'const',
    error: { message: '', params: ({ schema }) => _`{allowedValue:${code.valueOf(schema)}}` },
    code(context) {
      const { data } = context;
      const value = context.schema as Json;
      if (value === null || typeof value !== 'object') context.pass(_`${data} === ${value}`);
      else context.pass(_`${code.names.runtime('equal')}(${data},${code.valueOf(value)})`);
    },
  };
}

function lengthKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _ } = code.library.codegen;
  return {
    keyword: ['maxLength', 'minLength'],
    type: 'string',
    schemaType: 'number',
    error: { message: '', params: ({ schemaCode }) => _`{limit:${schemaCode}}` },
    code(context) {
      const { keyword, data, schemaCode } = context;
      const length = _`${code.names.runtime('length')}(${data})`;
      context.pass(
        keyword === 'maxLength' ? _`${length} <= ${schemaCode}` : _`${length} >= ${schemaCode}`,
      );
    },
  };
}

/**
 * Returns the constant of a regular expression.
 * @throws SyntaxError for a text that is no regular expression
 */
export function patternCode(code: FunctionCode, pattern: string): Name {
  void new RegExp(pattern, 'u');
  return code.names.constant('pattern', `/*@__PURE__*/ new RegExp(${jsonLiteral(pattern)}, "u")`);
}

/**
 * Creates a `pattern` keyword that does not match a text that `maxLength` of the same schema refuses. Ajv matches every
 * text, which takes too long for long texts and some patterns.
 */
function patternKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, stringify } = code.library.codegen;
  return {
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: '', params: ({ schema }) => _`{pattern:${stringify(schema)}}` },
    code(context) {
      const { data, parentSchema } = context;
      const limit: unknown = parentSchema['maxLength'];
      const fails = _`!${patternCode(code, context.schema as string)}.test(${data})`;
      if (typeof limit !== 'number') return context.fail(fails);
      const length = _`${code.names.runtime('length')}(${data})`;
      // A text has at most as many characters as UTF-16 code units, so that most texts are not counted.
      context.fail(_`(${data}.length <= ${limit} || ${length} <= ${limit}) && ${fails}`);
    },
  };
}

function formatKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, stringify } = code.library.codegen;
  return {
    keyword: 'format',
    type: ['number', 'string'],
    schemaType: 'string',
    error: { message: '', params: ({ schema }) => _`{format:${stringify(schema)}}` },
    code(context, type) {
      const { data } = context;
      const name = context.schema as string;
      const format = formats.get(name);
      if (format?.type !== type) return;
      const check = code.names.format(name);
      context.pass(type === 'string' ? _`${check}.test(${data})` : _`${check}.validate(${data})`);
    },
  };
}

/**
 * Creates a `multipleOf` keyword that divides decimal numbers. Ajv divides binary fractions, so that 19.99 is not a
 * multiple of 0.01.
 */
function multipleOfKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _ } = code.library.codegen;
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: '', params: ({ schemaCode }) => _`{multipleOf:${schemaCode}}` },
    code(context) {
      const { data, schemaCode } = context;
      context.pass(_`${code.names.runtime('isMultipleOf')}(${data},${schemaCode})`);
    },
  };
}

/**
 * Creates a `uniqueItems` keyword that compares a text of each item. Ajv compares each item with all others, which takes
 * quadratic time.
 */
function uniqueItemsKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _ } = code.library.codegen;
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: '', params: ({ params: { equal } }) => _`{i:${equal}[0],j:${equal}[1]}` },
    code(context) {
      if (context.schema !== true) return;
      const { gen, data } = context;
      const equal = gen.const('equal', _`${code.names.runtime('equalItems')}(${data})`);
      context.setParams({ equal });
      context.fail(_`${equal} !== undefined`);
    },
  };
}
