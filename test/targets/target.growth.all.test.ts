import { workOf } from '../counted-work.ts';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import { clientTarget } from '../../generator/targets/client/target.ts';
import { contractTarget } from '../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../generator/targets/webhooks/target.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { emitFiles } from './emit-project.ts';

const toolkit = /\/generator\/[\w/.-]+\.ts$/u;

/** Schemas that refer to the next one several times, so that the ways to the last double with each level. */
const shapes: Readonly<Record<string, (next: JsonObject, level: number) => JsonObject>> = {
  'the same part twice': (next) => ({ allOf: [next, next] }),
  'a part, and a part with a member': (next, level) => ({
    allOf: [next, { allOf: [next], required: [`p${level}`] }],
  }),
  'alternatives with a constant': (next, level) => ({
    oneOf: [{ allOf: [next] }, { allOf: [next], properties: { [`p${level}`]: { const: 1 } } }],
  }),
  'two required members': (next) => ({
    type: 'object',
    required: ['a', 'b'],
    properties: { a: next, b: next },
  }),
  'two items': (next) => ({ type: 'array', minItems: 2, prefixItems: [next, next] }),
  conditions: (next) => ({ if: next, then: next, else: next }),
};

/** A contract with a call and a notification of the first of a number of schemas. */
function contractOf(
  write: (next: JsonObject, level: number) => JsonObject,
  levels: number,
): string {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/L0' } } };
  const answers = { 200: { description: 'Done.', content } };
  const schemas = Array.from({ length: levels }, (_, level) => [
    `L${level}`,
    write({ $ref: `#/components/schemas/L${level + 1}` }, level),
  ]);
  return JSON.stringify({
    openapi: '3.1.2',
    info: { title: 'Levels', version: '1.0.0' },
    paths: {
      '/a': { post: { operationId: 'send', requestBody: { content }, responses: answers } },
    },
    webhooks: { told: { post: { requestBody: { content }, responses: answers } } },
    components: {
      schemas: {
        ...Object.fromEntries(schemas),
        [`L${levels}`]: { type: 'object', properties: { end: { enum: ['x', 'y'] } } },
      },
    },
  });
}

/** The numbers of levels, which a budget limits. 2^20 visits end, and are noticed before 2^40 of them begin. */
const sizes = [10, 20, 40];

describe.each(Object.entries(shapes))('with %s at each level', (_, write) => {
  test.each([contractTarget, clientTarget, webhooksTarget])(
    'twice the levels cost $name at most 2.5 times the work',
    async (target) => {
      const emit = async (count: number): Promise<number> => {
        const { contract } = await lowerFiles({ 'openapi.yaml': contractOf(write, count) });
        return (await emitFiles(target, contract)).size;
      };
      // What runs once in a process is not counted.
      expect(await emit(4)).toBeGreaterThan(3);
      let before = Number.POSITIVE_INFINITY;
      for (const size of sizes) {
        const work = await workOf(() => emit(size), toolkit);
        expect(work).toBeGreaterThan(1000);
        expect(work / before).toBeLessThan(2.5);
        before = work;
      }
    },
  );
});
