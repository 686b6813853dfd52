import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInEditor } from '../editor.ts';
import { generateClient, readOpenapi } from './emit-client.ts';

const responses = {
  200: {
    description: 'The order.',
    content: { 'application/json': { schema: { type: 'string' } } },
  },
  404: { description: 'None.', content: { 'application/json': { schema: { type: 'object' } } } },
};

test('an editor shows a method of a client with the text of its call, and leads to it', async () => {
  await using generated = await generateClient(
    await readOpenapi({
      openapi: '3.1.1',
      info: { title: 'Shop', version: '1.0.0' },
      paths: {
        '/order': { get: { operationId: 'getOrder', summary: 'Returns an order.', responses } },
        '/failed': { get: { operationId: 'isPaymentFailure', responses } },
      },
    }),
  );
  const path = join(generated.project, 'editor.ts');
  const lines = [
    `import { createClient } from '@trade/client';`,
    `const client = createClient({ baseUrl: 'https://shop.example' });`,
    `export const order = await client.getOrder();`,
    `export const failed = await client.isPaymentFailure_();`,
    `export const other = await client.request('GET', '/other');`,
    `export const methods: 'getOrder' | 'isPaymentFailure_' | 'call' | 'request' = '' as keyof typeof client;`,
  ];
  const text = lines.join('\n');
  const { service, errors, hover } = openInEditor(path, text);
  expect(errors).toEqual([]);
  const at = text.indexOf('getOrder');
  expect(hover(at)).toContain('Returns an order.');
  expect(hover(text.indexOf('request('))).toContain('also one that the contract does not declare');
  const [definition] = service.getDefinitionAtPosition(path, at) ?? [];
  expect(definition?.fileName).toMatch(/client\/src\/operations\.ts$/u);
});
