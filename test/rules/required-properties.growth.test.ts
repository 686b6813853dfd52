import { expectLinear } from '../counted-work.ts';
import { test } from 'vitest';
import { requiredProperties } from '../../generator/rules/required-properties.ts';
import { loadFiles } from './rule-case.ts';

/** Nests schemas in `allOf`, each of which requires what the one around it declares. */
function nested(levels: number): string {
  let schema: object = { properties: { a: {} } };
  for (let level = 0; level < levels; level += 1)
    schema = {
      allOf: [schema],
      required: [`p${level + 1}`],
      properties: { [`p${level}`]: {} },
    };
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {},
    components: { schemas: { A: schema } },
  });
}

test('twice the levels of schemas with required names cost at most 2.5 times the work', async () => {
  const sizes = [4, 40, 80];
  const documents = new Map(
    await Promise.all(
      sizes.map(async (size) => [size, await loadFiles({ 'openapi.yaml': nested(size) })] as const),
    ),
  );
  await expectLinear(
    async (size) => {
      const loaded = documents.get(size);
      if (loaded !== undefined) Array.from(await requiredProperties.check({ documents: loaded }));
    },
    40,
    /\/generator\/[\w/-]+\.ts$/u,
  );
});
