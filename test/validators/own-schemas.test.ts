import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { checkVocabulary, ownVocabulary } from '../../generator/rules/vocabulary-check.ts';
import { vocabulary } from '../../generator/contract/vocabulary/vocabulary.ts';
import type { Json } from '../../generator/json/json.ts';
import { overlaySchema } from '../../generator/load/overlays/overlay.ts';
import { asyncapiSchemas } from '../../generator/load/validate/check-asyncapi.ts';
import { printOwnSchema } from '../../generator/validators/ajv.ts';
import type { OwnSchema } from '../../generator/validators/own-schema.ts';
import { createOwnCheck } from '../../generator/validators/own-schemas.ts';
import type { SchemaError } from '../../generator/validators/schema-error.ts';
import { hasUniqueItems } from '../../generator/validators/unique-items-keyword.ts';

interface Validate {
  (value: Json): boolean;
  errors?: readonly SchemaError[] | null;
}

/** Loads the module that the built toolkit has. */
function loadPrepared(ownSchema: OwnSchema): Readonly<Record<string, Validate>> {
  const exports: Record<string, Validate> = {};
  const text = `(function (exports, require) {${printOwnSchema(ownSchema)}\n})`;
  const run = runInThisContext(text) as (to: object, require: (name: string) => unknown) => void;
  const library = createRequire(join(import.meta.dirname, '../../generator/validators/ajv.ts'));
  run(exports, (name) =>
    name === '../unique-items-keyword.js' ? { hasUniqueItems } : (library(name) as unknown),
  );
  return exports;
}

const values: readonly Json[] = [
  null,
  'text',
  7,
  [],
  {},
  { unstated: 'question' },
  { unstated: 'No id' },
  { '$request.body#/a': { type: 'text' }, b: false },
  { algorithm: 'md5', over: [{ text: '' }], encoding: 'hex' },
  { asyncapi: '3.0.0', info: { title: 'Trade', version: 1 } },
  { overlay: '1.0.0', info: {}, actions: [{ target: 'x' }] },
];

describe.each([ownVocabulary, overlaySchema, ...asyncapiSchemas])('$name', (ownSchema) => {
  test('reports compiled at build what it reports compiled in the run', () => {
    const prepared = loadPrepared(ownSchema);
    const check = createOwnCheck(ownSchema);
    const withoutPaths = (errors: readonly SchemaError[]): readonly unknown[] =>
      errors.map(({ instancePath, keyword, params, message }) => ({
        instancePath,
        keyword,
        params,
        message,
      }));
    let failed = 0;
    for (const part of ownSchema.parts) {
      const validate = prepared[part];
      if (validate === undefined) throw new Error(`${part} was not compiled.`);
      for (const value of values) {
        const errors = validate(value) ? [] : (validate.errors ?? []);
        expect(withoutPaths(errors)).toEqual(withoutPaths(check(part, value)));
        failed += errors.length;
      }
    }
    expect(failed).toBeGreaterThan(5);
  });
});

test('a schema is checked by the parts that it has, and by no other', () => {
  expect(Object.values(vocabulary)).not.toEqual([]);
  for (const { reference } of Object.values(vocabulary))
    expect(() => checkVocabulary(reference, null)).not.toThrow();
  expect(() => checkVocabulary('#/$defs/Missing', null)).toThrow(
    new TypeError('"vocabulary" has no part "#/$defs/Missing".'),
  );
});

test('no file of the toolkit but one loads Ajv', () => {
  const folder = join(import.meta.dirname, '../../generator');
  const loading = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /^(?!dist|node_modules).*\.ts$/u.test(file) &&
      /^import (?!type).*'ajv|(?:import|require)\(\s*[`']ajv/mu.test(
        readFileSync(join(folder, file), 'utf8'),
      ),
  );
  expect(loading).toEqual([join('validators', 'ajv.ts')]);
});
