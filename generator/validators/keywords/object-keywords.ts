import type { Code, CodeKeywordDefinition, KeywordCxt, SchemaObjCxt } from 'ajv/dist/core.js';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { FunctionCode } from './function-code.ts';
import { typeKeyword } from './keyword-context.ts';
import type { TypeCode } from './type-code.ts';
import { patternCode } from './value-keywords.ts';

/**
 * Creates the keywords for members with the results of Ajv's own. They print one line for a member of a plain type or
 * with a reference, and one for all required members. An inherited member is none: Ajv asks for each member whether the
 * object has it itself, but data that was parsed from JSON inherits only what every object does.
 */
export function objectKeywords(
  code: FunctionCode,
  types: TypeCode,
): readonly CodeKeywordDefinition[] {
  return [
    requiredKeyword(code),
    propertiesKeyword(code, types),
    additionalPropertiesKeyword(code),
    patternPropertiesKeyword(code),
    dependentRequiredKeyword(code),
    dependentSchemasKeyword(code),
  ];
}

function requiredKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, stringify } = code.library.codegen;
  return {
    keyword: 'required',
    type: 'object',
    schemaType: 'array',
    code(context) {
      const { gen, data, it } = context;
      const required = context.schema as readonly string[];
      if (required.length === 0) return;
      const isMissing = code.lacksAny(data, required);
      // In `not` and `if`, the first failure is enough, and its name is not read.
      if (it.allErrors !== true) return context.fail(isMissing);
      const report = code.names.runtime('required');
      const call = _`${report}(${code.to},${code.pathOf(it)},${data},${stringify(required)})`;
      gen.code(_`if(${isMissing})${code.errors}=${call}`);
    },
  };
}

function propertiesKeyword(code: FunctionCode, types: TypeCode): CodeKeywordDefinition {
  const { library } = code;
  const { _, getProperty } = library.codegen;
  const { alwaysValidSchema, mergeEvaluated, toHash } = library.util;

  /** Returns the statement for a member whose schema is a type or a reference. */
  const statementFor = (
    it: SchemaObjCxt,
    data: Code,
    name: string,
    schema: JsonObject,
  ): Code | undefined => {
    if (it.allErrors !== true || Object.keys(schema).length > 1) return undefined;
    const member = _`${data}${getProperty(name)}`;
    const isPresent = code.has(data, name);
    const { $ref, [typeKeyword]: type } = schema;
    if (typeof $ref === 'string')
      return _`if(${isPresent})${code.call(it, $ref, member, code.pointerTo(name))}`;
    if (type === undefined) return undefined;
    const isWrong = _`${isPresent}&&${types.isWrong(library.getJSONTypes(type), member)}`;
    return _`if(${isWrong})${code.typeFailure(it, type, code.pointerTo(name))}`;
  };

  return {
    keyword: 'properties',
    type: 'object',
    schemaType: 'object',
    code(context) {
      const { gen, data, it } = context;
      const properties = context.schema as JsonObject;
      const names = Object.keys(properties);
      if (it.opts.unevaluated === true && names.length > 0 && it.props !== true)
        it.props = mergeEvaluated.props(gen, toHash(names), it.props);
      const isValid = gen.name('valid');
      for (const name of names) {
        const schema = properties[name] as boolean | JsonObject;
        if (alwaysValidSchema(it, schema) === true) continue;
        const statement = isJsonObject(schema) ? statementFor(it, data, name, schema) : undefined;
        if (statement !== undefined) gen.code(statement);
        else {
          gen.if(code.has(data, name));
          context.subschema({ keyword: 'properties', schemaProp: name, dataProp: name }, isValid);
          if (it.allErrors !== true) gen.else().var(isValid, true);
          gen.endIf();
        }
        context.ok(isValid);
      }
    },
  };
}

function additionalPropertiesKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, not, or } = code.library.codegen;
  const { alwaysValidSchema, Type } = code.library.util;
  return {
    keyword: 'additionalProperties',
    type: 'object',
    schemaType: ['boolean', 'object'],
    trackErrors: true,
    error: {
      message: '',
      params: ({ params }) => _`{additionalProperty:${params['additionalProperty']}}`,
    },
    code(context) {
      const { gen, data, it, errsCount } = context;
      const schema = context.schema as boolean | object;
      it.props = true;
      if (alwaysValidSchema(it, schema) === true) return;
      const { properties = {}, patternProperties = {} } = context.parentSchema as {
        readonly properties?: JsonObject;
        readonly patternProperties?: JsonObject;
      };
      const names = Object.keys(properties);
      const patterns = Object.keys(patternProperties);
      const isDeclared = (key: Code): Code =>
        or(
          ...(names.length > maxNames
            ? [_`${code.valueOf(names)}.includes(${key})`]
            : names.map((name) => _`${key} === ${name}`)),
          ...patterns.map((pattern) => _`${patternCode(code, pattern)}.test(${key})`),
        );
      gen.forIn('key', data, (key) => {
        const check = (): void => {
          if (schema === false) {
            context.setParams({ additionalProperty: key });
            context.error();
            if (it.allErrors !== true) gen.break();
            return;
          }
          const isValid = gen.name('valid');
          context.subschema(
            { keyword: 'additionalProperties', dataProp: key, dataPropType: Type.Str },
            isValid,
          );
          if (it.allErrors !== true) gen.if(not(isValid), () => gen.break());
        };
        if (names.length === 0 && patterns.length === 0) check();
        else gen.if(not(isDeclared(key)), check);
      });
      context.ok(_`${errsCount ?? 0} === ${code.errors}`);
    },
  };
}

/** The number of names from which a list is shorter than comparisons. */
const maxNames = 4;

function patternPropertiesKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, not, Name } = code.library.codegen;
  const { alwaysValidSchema, evaluatedPropsToName, Type } = code.library.util;
  return {
    keyword: 'patternProperties',
    type: 'object',
    schemaType: 'object',
    code(context) {
      const { gen, data, it } = context;
      const schemas = context.schema as Readonly<Record<string, boolean | object>>;
      const tracks = it.opts.unevaluated === true && it.props !== true;
      const isNeeded = (schema: boolean | object): boolean =>
        alwaysValidSchema(it, schema) !== true;
      if (!tracks && !Object.values(schemas).some(isNeeded)) return;
      if (it.props !== true && !(it.props instanceof Name))
        it.props = evaluatedPropsToName(gen, it.props);
      const isValid = gen.name('valid');
      for (const [pattern, schema] of Object.entries(schemas)) {
        if (it.allErrors !== true) gen.var(isValid, true);
        gen.forIn('key', data, (key) => {
          gen.if(_`${patternCode(code, pattern)}.test(${key})`, () => {
            if (isNeeded(schema))
              context.subschema(
                {
                  keyword: 'patternProperties',
                  schemaProp: pattern,
                  dataProp: key,
                  dataPropType: Type.Str,
                },
                isValid,
              );
            if (tracks) gen.assign(_`${it.props as Code}[${key}]`, true);
            else if (isNeeded(schema) && it.allErrors !== true)
              gen.if(not(isValid), () => gen.break());
          });
        });
        context.ok(isValid);
      }
    },
  };
}

function dependentRequiredKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, and } = code.library.codegen;
  return {
    keyword: 'dependentRequired',
    type: 'object',
    schemaType: 'object',
    error: {
      message: '',
      params: ({ params: { property, missingProperty, depsCount, deps } }) =>
        _`{property:${property},missingProperty:${missingProperty},depsCount:${depsCount},deps:${deps}}`,
    },
    code(context) {
      const { gen, data, it } = context;
      const dependencies = context.schema as Readonly<Record<string, readonly string[]>>;
      for (const [property, required] of Object.entries(dependencies)) {
        if (required.length === 0) continue;
        const isPresent = code.has(data, property);
        if (it.allErrors !== true) {
          context.fail(and(isPresent, code.lacksAny(data, required)));
          continue;
        }
        gen.if(isPresent, () => {
          for (const name of required) {
            context.setParams({
              property: _`${property}`,
              missingProperty: _`${name}`,
              depsCount: required.length,
              deps: required.join(', '),
            });
            context.fail(code.lacks(data, name));
          }
        });
      }
    },
  };
}

function dependentSchemasKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { alwaysValidSchema } = code.library.util;
  return {
    keyword: 'dependentSchemas',
    type: 'object',
    schemaType: 'object',
    code(context: KeywordCxt) {
      const { gen, data, it } = context;
      const isValid = gen.name('valid');
      for (const [name, schema] of Object.entries(context.schema as Record<string, Json>)) {
        if (alwaysValidSchema(it, schema as boolean | object) === true) continue;
        gen.if(
          code.has(data, name),
          () => {
            const sub = context.subschema(
              { keyword: 'dependentSchemas', schemaProp: name },
              isValid,
            );
            context.mergeValidEvaluated(sub, isValid);
          },
          () => gen.var(isValid, true),
        );
        context.ok(isValid);
      }
    },
  };
}
