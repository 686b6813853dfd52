import { expect, test } from 'vitest';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { emitFiles } from '../../targets/emit-project.ts';
import { lowerFiles } from './lower-files.ts';

/** A document that does not declare the vocabulary, in which values of other tools can be. */
function contractWith(key: string, value: unknown): string {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', ...(key === 'x-echoes' && { [key]: value }) } },
  };
  const content = { 'application/json': { schema } };
  return JSON.stringify({
    openapi: '3.1.2',
    info: {
      title: 'Shop',
      version: '1.0.0',
      'x-unstated': { same: { choices: { a: { meaning: 'A.', value: ['$request.body#/id'] } } } },
    },
    webhooks: {
      paid: {
        post: {
          ...(key !== 'x-echoes' && { [key]: value }),
          requestBody: { content },
          responses: { 200: { description: 'Done.', content } },
        },
      },
    },
  });
}

const values = [
  { a: 1 },
  [1],
  [{}],
  [],
  ['id'],
  1,
  null,
  '$request.body#/id',
  { unstated: 'same' },
];

test.each(
  ['x-dedupe-by', 'x-ordered-by'].flatMap((key) => values.map((value) => [key, value] as const)),
)('an invalid %s is not read where the vocabulary is not declared: %j', async (key, value) => {
  const { contract } = await lowerFiles({ 'openapi.yaml': contractWith(key, value) });
  const [paid] = contract.notifications;
  expect(paid).not.toHaveProperty(key === 'x-dedupe-by' ? 'dedupeBy' : 'orderedBy');
  expect((await emitFiles(webhooksTarget, contract)).size).toBeGreaterThan(5);
});

test.each([{ a: 1 }, ['$method'], 'id', '', 1, null])(
  'an invalid x-echoes is not read where the vocabulary is not declared: %j',
  async (value) => {
    const { contract } = await lowerFiles({ 'openapi.yaml': contractWith('x-echoes', value) });
    const successes = contract.notifications.flatMap((notification) => notification.successes);
    expect(successes.flatMap(({ answers }) => answers)).toEqual([]);
    expect((await emitFiles(webhooksTarget, contract)).size).toBeGreaterThan(5);
  },
);
