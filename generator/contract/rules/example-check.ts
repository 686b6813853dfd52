import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { Contract, JsonSchema } from '../contract.ts';
import { findFormat, formatNames } from '../formats.ts';
import {
  indexSchemas,
  reachableFrom,
  toValidatorSchema,
  type SchemaIndex,
} from '../json-schema.ts';
import { mapSchemas, referencesOf } from '../normalise-schema.ts';
import { accepts, type Reading } from '../../accepts.ts';
import { createTimeLimit } from '../../time-limit.ts';
import { createPatternEngine } from './pattern-engine.ts';
import { toViolations, type Violation } from './violations.ts';

/** Validates values of a contract as its generated validators do. Throws what a schema that cannot be compiled throws. */
export type ExampleCheck = (schema: JsonSchema, value: Json) => readonly Violation[];

/** Makes a check for the schemas of a contract; what is referred to is compiled when it is first needed. */
export async function createExampleCheck(contract: Contract): Promise<ExampleCheck> {
  const index = indexSchemas(contract);
  const ids = new Map([...index.keys()].map((name, position) => [name, `schema:${position}`]));
  const reading = createReading(index);
  // A schema that leads to another in two ways, and so on, can have it checked for ever.
  const limit = createTimeLimit();
  const ajv = await createAjv();
  const addReachable = (name: string): void => {
    for (const reached of reachableFrom(index, name)) {
      const id = ids.get(reached) ?? reached;
      const definition = index.get(reached)?.definition ?? true;
      if (ajv.schemas[id] === undefined) {
        ajv.addSchema(toAjvSchema(definition, ids), id);
      }
    }
  };
  const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();
  return (schema, value) => {
    if (accepts(toValidatorSchema(schema), value, reading) === true) return [];
    // Hundreds of parameters can have an example and the same few schemas.
    const ours = toAjvSchema(schema, ids);
    const key = JSON.stringify(ours);
    let validate = compiled.get(key);
    if (validate === undefined) {
      for (const name of referencesOf(schema)) addReachable(name);
      validate = ajv.compile(ours);
      compiled.set(key, validate);
    }
    const check = validate;
    return limit.run(() => check(value)) ? [] : toViolations(check.errors);
  };
}

function createReading(index: SchemaIndex): Reading {
  const schemas = new Map<string, JsonSchema>();
  const expressions = new Map<string, { test(text: string): boolean }>();
  const engine = createPatternEngine();
  return {
    schemaOf(name) {
      const known = schemas.get(name);
      const definition = index.get(name)?.definition;
      if (known !== undefined || definition === undefined) return known;
      const schema = toValidatorSchema(definition);
      schemas.set(name, schema);
      return schema;
    },
    matches(pattern, text) {
      const expression = expressions.get(pattern) ?? engine(pattern, 'u');
      expressions.set(pattern, expression);
      return expression.test(text);
    },
    hasFormat(name, value) {
      const format = findFormat(name);
      if (format?.type === 'string')
        return typeof value !== 'string' || format.expression.test(value);
      if (format === undefined || typeof value !== 'number') return format && true;
      return isInteger(value, format.bits);
    },
    // A contract's schemas are reduced to what decides.
    isAnnotation: () => false,
  };
}

async function createAjv(): Promise<Ajv2020> {
  const ajv2020 = await import('ajv/dist/2020.js');
  const ajv = new ajv2020.Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    inlineRefs: false,
    strict: false,
    strictNumbers: true,
    multipleOfPrecision: 9,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: createPatternEngine(), optimize: false },
  });
  for (const name of formatNames()) {
    const format = findFormat(name);
    if (format?.type === 'string') ajv.addFormat(name, format.expression);
    if (format?.type === 'number') {
      ajv.addFormat(name, {
        type: 'number',
        validate: (value: number) => isInteger(value, format.bits),
      });
    }
  }
  return ajv;
}

function isInteger(value: number, bits: number): boolean {
  const limit = 2 ** (bits - 1);
  return Number.isInteger(value) && value >= -limit && value < limit;
}

/** Names of schemas may be anything; as identifiers Ajv gets harmless ones. */
function toAjvSchema(definition: JsonSchema, ids: ReadonlyMap<string, string>): JsonObject {
  const schema = mapSchemas(toValidatorSchema(definition), (sub) => {
    const name = sub['$ref'];
    return typeof name === 'string' ? { ...sub, $ref: ids.get(name) ?? name } : sub;
  });
  return isJsonObject(schema) ? schema : schema ? {} : { not: {} };
}
