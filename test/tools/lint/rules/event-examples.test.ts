import { expect, test } from 'vitest';
import { message } from '../../../rules/cases/documents.ts';
import { lintFiles } from '../lint-case.ts';

const hook = (method: string, more: string): string => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  sent:
    ${method}:
      ${more}
      responses: { '200': { description: Done. } }
`;

const body = 'requestBody: { content: { application/json: { schema: { type: object } } } }';
const query = 'parameters: [{ name: id, in: query, required: true, schema: { type: string } }]';

test.for([
  ['a webhook', { 'openapi.yaml': hook('post', body) }, '`example` beside the `schema`'],
  ['a webhook in the query', { 'openapi.yaml': hook('get', query) }, 'each query parameter'],
  [
    'a message',
    { 'asyncapi.yaml': message('payload: { type: object }\n') },
    '`examples` of the message',
  ],
] as const)('the help about an example that is missing fits %s', async ([, files, says]) => {
  const { diagnostics } = await lintFiles(files);
  const warnings = diagnostics.filter(({ code }) => code === 'event-without-example');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.help).toContain(says);
});
