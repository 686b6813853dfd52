import { expect, it } from 'vitest';
import { compareRandomly, type Extent } from './agreement.ts';

it.each<[Extent]>([['what types can say'], ['all of JSON Schema']])(
  'validators, Ajv at run time and types agree about random schemas of %s',
  async (extent) => {
    const { accepted, refused } = await compareRandomly(extent, { schemas: 40, values: 80 }, 7);
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  },
);
