import { expect, test } from 'vitest';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

test.each([
  ['$defs', 'Field', 'a~b', []],
  ['$defs', 'Field', '', []],
  ['components', 'a~b', 'Field', ['invalid-openapi']],
])('names in %s: %j with %j in it', async (_, component, definition, codes) => {
  const { documents, contract } = await lowerFiles({
    'openapi.yaml': JSON.stringify({
      openapi: '3.1.2',
      info: { title: 'Shop', version: '1.0.0', 'x-countersign': 1 },
      paths: {},
      components: {
        schemas: {
          [component]: {
            $defs: { [definition]: { type: 'integer' } },
            type: 'object',
            properties: { count: { type: 'integer' } },
          },
        },
      },
    }),
  });
  expect(documents.diagnostics.map(({ code }) => code)).toEqual(codes);
  expect(contract.schemas).not.toEqual([]);
});
