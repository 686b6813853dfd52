import { expect, test } from 'vitest';
import { toDelivery } from '../../../generator/contract/delivery.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { JsonObject } from '../../../generator/json/json.ts';
import { dataFormats } from '../../../generator/recognition/data-format.ts';
import { readOpenapi } from '../../targets/client/emit-client.ts';

const schema = { type: 'object' };

/** Reads a document with one webhook whose body has the given media types, and whose answer has another. */
async function read(types: readonly string[], answer = 'text/plain'): Promise<Contract> {
  const content: JsonObject = Object.fromEntries(types.map((type) => [type, { schema }]));
  const state = { schema: { type: 'string', const: 'taken' } };
  return await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Prints', version: '1.0.0' },
    webhooks: {
      printed: {
        post: {
          requestBody: { content },
          responses: { 200: { description: 'Taken.', content: { [answer]: state } } },
        },
      },
    },
  });
}

test.each([
  // JSON, and not what begins with its name.
  [['application/json-seq', 'application/vnd.a+json'], 'application/vnd.a+json', 'json'],
  [['application/json-patch', 'text/json; charset=utf-8'], 'text/json; charset=utf-8', 'json'],
  [['application/json-seq'], 'application/json-seq', 'any'],
  [['application/xml-dtd'], 'application/xml-dtd', 'any'],
  [['image/svg+xml'], 'image/svg+xml', 'xml'],
  [
    ['application/x-www-form-urlencoded-v2', 'APPLICATION/X-WWW-FORM-URLENCODED'],
    'APPLICATION/X-WWW-FORM-URLENCODED',
    'form',
  ],
  [['application/x-www-form-urlencoded-v2'], 'application/x-www-form-urlencoded-v2', 'any'],
  // A range without JSON is no value of the schema.
  [['image/*', '*/*'], '*/*', 'json'],
  [['image/*'], 'image/*', 'any'],
  [['text/plain; note="*"', 'application/*'], 'application/*', 'json'],
])('of %j, receivers read %s as %s', async (types, contentType, format) => {
  const { notifications } = await read(types);
  expect(notifications.map((it) => [it.contentType, dataFormats(it)[0]])).toEqual([
    [contentType, format],
  ]);
});

test.each([
  ['*/*', 'application/json'],
  ['TEXT/*', 'text/json'],
  ['application/json; profile="*"', 'application/json; profile="*"'],
])('%s is sent as %s', async (stated, sent) => {
  const { notifications } = await read([stated]);
  expect(notifications.map((it) => toDelivery(it).headers)).toEqual([{ 'content-type': sent }]);
});

test.each([
  ['text/plain; charset=utf-8', ['text/plain; charset=utf-8']],
  ['text/json', ['text/json']],
  ['application/vnd.a+json', ['application/vnd.a+json']],
  ['text/plain-old', []],
  ['application/json-seq', []],
  ['text/html', []],
])('of an answer in %s, receivers write %j', async (stated, written) => {
  const { notifications } = await read(['application/json'], stated);
  const answers = notifications.flatMap(({ successes }) => successes.flatMap((it) => it.answers));
  expect(answers.map(({ mediaType }) => mediaType)).toEqual(written);
});
