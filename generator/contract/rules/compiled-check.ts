import { createRequire } from 'node:module';
import type * as Library from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { createTimeLimit } from '../../time-limit.ts';
import type { JsonSchema } from '../contract.ts';
import { findFormat, formatNames, isInteger } from '../formats.ts';
import { reachableFrom, toValidatorSchema, type SchemaIndex } from '../json-schema.ts';
import { mapSchemas, referencesOf } from '../normalise-schema.ts';
import type { ExampleCheck } from './example-check.ts';
import { createPatternEngine } from './pattern-engine.ts';
import { toViolations } from './violations.ts';

/** Makes a check that compiles each schema, and what it refers to, when it is first needed. */
export function createCompiledCheck(index: SchemaIndex): ExampleCheck {
  const ids = new Map([...index.keys()].map((name, position) => [name, `schema:${position}`]));
  // A schema that leads to another in two ways, and so on, can have it checked for ever.
  const limit = createTimeLimit();
  const ajv = createAjv();
  const addReachable = (name: string): void => {
    for (const reached of reachableFrom(index, name)) {
      const id = ids.get(reached) ?? reached;
      const definition = index.get(reached)?.definition ?? true;
      if (ajv.schemas[id] === undefined) {
        ajv.addSchema(toAjvSchema(definition, ids), id);
      }
    }
  };
  const compiled = new Map<string, ReturnType<Library.Ajv2020['compile']>>();
  return (schema, value) => {
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

function createAjv(): Library.Ajv2020 {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Library;
  const ajv = new Ajv2020({
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

/** Names of schemas may be anything; as identifiers Ajv gets harmless ones. */
function toAjvSchema(definition: JsonSchema, ids: ReadonlyMap<string, string>): JsonObject {
  const schema = mapSchemas(toValidatorSchema(definition), (sub) => {
    const name = sub['$ref'];
    return typeof name === 'string' ? { ...sub, $ref: ids.get(name) ?? name } : sub;
  });
  return isJsonObject(schema) ? schema : schema ? {} : { not: {} };
}
