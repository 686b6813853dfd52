import { expect, test } from 'vitest';
import { loadFiles } from '../../rules/rule-case.ts';

test('a member beside a reference is not replaced by itself', async () => {
  const { diagnostics } = await loadFiles({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    post:
      requestBody: { $ref: '#/components/requestBodies/Order', required: true }
      responses: { '204': { description: Done. } }
components:
  requestBodies: { Order: { content: { application/json: { schema: { type: string } } } } }
`,
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Property `required` is not expected here. It is beside a `$ref`, and the object that this refers to has its own members (swagger-parser).',
  ]);
});
