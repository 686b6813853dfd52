import { expect, it } from 'vitest';
import { lowerFiles } from './lower-files.ts';

it('keeps an example of a parameter that is an array', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': `
openapi: 3.1.1
info: { title: Test, version: 1.0.0 }
paths:
  /parcels:
    get:
      parameters:
        - { name: one, in: query, schema: { type: array }, example: [1, 2] }
        - { name: named, in: query, schema: { type: array }, examples: { few: { value: [3, 4] } } }
        - { name: none, in: query, schema: { type: array } }
      responses: { '204': { description: Done. } }
`,
  });
  const examples = contract.operations[0]?.parameters.map((parameter) => parameter.examples);
  expect(examples).toEqual([[[1, 2]], [[3, 4]], []]);
});
