import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../generator/json/json.ts';
import { buildContract } from './contract-builder.ts';
import { buildPackage, emitPackage } from './emit-package.ts';

const count = 300;
const kinds = Array.from({ length: count }, (_, index) => `kind${index}`);
const objectOf = (kind: string, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { kind: { const: kind }, [kind]: { type: 'integer' } },
  required: ['kind'],
  ...more,
});

/** Unions of many alternatives; two alternatives of the second overlap. */
const schemas: Readonly<Record<string, JsonObject>> = {
  Any: { anyOf: kinds.map((kind) => objectOf(kind)) },
  One: { oneOf: [...kinds.map((kind) => objectOf(kind)), { required: ['both'] }] },
  AnyClosed: { anyOf: kinds.map((kind) => objectOf(kind)), unevaluatedProperties: false },
  OneClosed: { oneOf: kinds.map((kind) => objectOf(kind)), unevaluatedProperties: false },
  Vague: { anyOf: [...kinds.map((kind) => objectOf(kind)), {}] },
  Never: { oneOf: [...kinds.map(() => ({})), { type: 'string' }] },
};

const values: readonly Json[] = [
  null,
  'text',
  {},
  { kind: 'kind0' },
  { kind: 'kind0', kind0: 1 },
  { kind: 'kind0', kind0: 'x' },
  { kind: 'kind0', both: 1 },
  { kind: 'kind0', kind1: 1 },
  { kind: `kind${count - 1}` },
  { kind: `kind${count - 1}`, [`kind${count - 1}`]: 1 },
  { kind: `kind${count - 1}`, both: true },
  { both: true },
  { kind: 'none', other: 1 },
];

/** Validators keep no more failures than this, and report equal ones once. */
const maxViolations = 100;

describe('a union of many alternatives', () => {
  it('is written flat, so that neither engines nor formatters run out of stack', async () => {
    const files = await emitPackage(buildContract(Object.entries(schemas)));
    const text = files.get('runtime/validators.js') ?? '';
    let depth = 0;
    let deepest = 0;
    for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '').matchAll(/[{}]/gu)) {
      depth += bracket === '{' ? 1 : -1;
      deepest = Math.max(deepest, depth);
    }
    expect(depth).toBe(0);
    expect(deepest).toBeGreaterThan(2);
    expect(deepest).toBeLessThan(30);
  });

  it('is judged as Ajv does, and what is said of a value is the same', async () => {
    await using contractPackage = await buildPackage(buildContract(Object.entries(schemas)));
    const url = pathToFileURL(join(contractPackage.folder, 'dist/index.js')).href;
    const module = (await import(url)) as Readonly<
      Record<string, (value: unknown) => readonly { pointer: string; keyword: string }[]>
    >;
    const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });
    for (const [name, schema] of Object.entries(schemas)) {
      const validate = ajv.compile(schema);
      const verdicts = new Set<boolean>();
      for (const value of values) {
        verdicts.add(validate(value));
        const expected = (validate.errors ?? []).map(
          (error) => `${error.instancePath} ${error.keyword}`,
        );
        const ours = module[`validate${name}`]?.(value) ?? [];
        const reported = ours.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
        const about = `${name} ${JSON.stringify(value)}`;
        // A union reports the first of many violations, and itself.
        if (expected.length * 2 <= maxViolations)
          expect(new Set(reported), about).toEqual(new Set(expected));
        else expect(expected, about).toEqual(expect.arrayContaining(reported));
        expect(reported, about).toEqual(
          expect.arrayContaining(expected.filter((error) => /^ (?:any|one)Of$/u.test(error))),
        );
      }
      expect(verdicts.size, name).toBe(name === 'Vague' || name === 'Never' ? 1 : 2);
    }
  });
});
