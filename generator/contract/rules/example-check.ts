import type { Json } from '../../json.ts';
import type { Contract, JsonSchema } from '../contract.ts';
import { findFormat, isInteger } from '../formats.ts';
import { indexSchemas, toValidatorSchema, type SchemaIndex } from '../json-schema.ts';
import { accepts, type Reading } from '../../accepts.ts';
import { createCompiledCheck } from './compiled-check.ts';
import { createPatternEngine } from './pattern-engine.ts';
import { readViolations } from './read-violations.ts';
import type { Violation } from './violations.ts';

/** Validates values of a contract as its generated validators do. Throws what a schema that cannot be compiled throws. */
export type ExampleCheck = (schema: JsonSchema, value: Json) => readonly Violation[];

/**
 * Makes a check for the schemas of a contract. They are read; only what reading them cannot answer is compiled, with
 * what it refers to.
 */
export function createExampleCheck(contract: Contract): ExampleCheck {
  const index = indexSchemas(contract);
  const reading = createReading(index);
  let compiled: ExampleCheck | undefined;
  return (schema, value) => {
    const definition = toValidatorSchema(schema);
    const answer = accepts(definition, value, reading);
    if (answer === true) return [];
    const violations = answer === false ? readViolations(definition, value, reading) : undefined;
    if (violations !== undefined && violations.length > 0) return violations;
    compiled ??= createCompiledCheck(index);
    return compiled(schema, value);
  };
}

/** What the schemas of a contract are read with. */
export function createReading(index: SchemaIndex): Reading {
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
