import { expectLinear } from '../counted-work.ts';
import { describe, test } from 'vitest';
import { normalizationNodesOf, requiredButAbsent } from '../../generator/contract/normalization.ts';
import { numberPlacesOf } from '../../generator/targets/webhooks/number-places.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import { conjoin } from '../../packages/simulator/src/samples/conjunction.ts';
import { indexSchemas } from '../../generator/schema/references.ts';
import { buildContract } from '../targets/contract/contract-builder.ts';

const toolkit = /\/generator\/[\w/-]+\.ts$/u;

/** Returns a schema with many parts of `allOf`, each with one required member. */
function withParts(count: number): JsonObject {
  return {
    allOf: Array.from({ length: count }, (_, part) => ({
      type: 'object',
      required: [`p${part}`],
      properties: { [`p${part}`]: { type: 'string' } },
    })),
  };
}

describe('twice the parts of a schema cost at most 2.5 times the work', () => {
  const cases: readonly (readonly [what: string, run: (schema: JsonObject) => unknown])[] = [
    ['members that can be absent', (schema) => normalizationNodesOf(schema, new Map())],
    ['required members that can be absent', (schema) => requiredButAbsent(schema, new Map())],
    [
      'places of numbers',
      (schema) => {
        const { schemas } = buildContract([['A', schema]]);
        return numberPlacesOf(schemas, indexSchemas({ schemas }), () => false);
      },
    ],
    ['samples', (schema) => conjoin([schema], new Map(), (alternatives) => alternatives)],
  ];
  test.each(cases)('%s', async (_, run) => {
    await expectLinear((count) => run(withParts(count)), 400, toolkit);
  });
});
