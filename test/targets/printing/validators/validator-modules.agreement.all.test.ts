import { expect, it } from 'vitest';
import { compareRandomly, type Extent } from './agreement.ts';

const extents: readonly Extent[] = ['what types can say', 'all of JSON Schema'];
const batches = 12;

it.each(extents)(
  'validators, Ajv at run time and types agree about many random schemas of %s',
  async (extent) => {
    const first = Date.now() % 2 ** 30;
    console.log(`seeds from ${first}`);
    for (let batch = 0; batch < batches; batch += 1) {
      const size = { schemas: 60, values: 120 };
      const { accepted, refused } = await compareRandomly(extent, size, first + batch * 1000);
      expect(Math.min(accepted, refused)).toBeGreaterThan(50);
    }
  },
  600_000,
);
