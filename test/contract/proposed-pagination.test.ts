import { expect, test } from 'vitest';
import {
  describePagination,
  proposePagination,
} from '../../generator/contract/proposed-pagination.ts';
import { readContract, readOpenapi } from '../targets/client/emit-client.ts';

const text = { type: 'string' };
const list = { type: 'array', items: { type: 'object', properties: { id: text } } };

const documentOf = (
  query: readonly string[],
  schema: object,
  more: object = {},
  header = 'x',
): object => ({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: query.map((name) => ({ name, in: 'query', schema: {} })),
        responses: {
          200: {
            description: 'A page.',
            headers: { [header]: { schema: text } },
            content: { 'application/json': { schema } },
          },
          ...more,
        },
      },
    },
  },
});

const object = (properties: object): object => ({ type: 'object', properties });
const number = { type: 'integer' };
const flag = { type: 'boolean' };

test.each<readonly [string, Parameters<typeof documentOf>, string]>([
  [
    'a cursor beside the list',
    [['cursor'], object({ data: list, next_cursor: text })],
    '$response.body#/data, cursor: $request.query.cursor, nextCursor: $response.body#/next_cursor',
  ],
  [
    'a cursor in what is said about the page',
    [['pageToken'], object({ orders: list, meta: object({ nextPageToken: text, hasNext: flag }) })],
    '$response.body#/orders, cursor: $request.query.pageToken, nextCursor: $response.body#/meta/nextPageToken, hasMore: $response.body#/meta/hasNext',
  ],
  [
    'the id of the last item, as Stripe',
    [['starting_after', 'limit'], object({ data: list, has_more: flag })],
    '$response.body#/data, cursor: $request.query.starting_after, lastItem: /id, hasMore: $response.body#/has_more',
  ],
  [
    'the header Link, as GitHub',
    [['page', 'per_page'], list, {}, 'Link'],
    '$response.body, nextLink: $response.header.link',
  ],
  [
    'a URL in the body',
    [[], object({ value: list, '@odata.nextLink': text })],
    '$response.body#/value, nextLink: $response.body#/@odata.nextLink',
  ],
  [
    'a number of pages',
    [['page'], object({ data: list, totalPages: number })],
    '$response.body#/data, page: $request.query.page, totalPages: $response.body#/totalPages',
  ],
  [
    'an offset',
    [['offset', 'limit'], object({ data: list, total: number })],
    '$response.body#/data, offset: $request.query.offset, totalItems: $response.body#/total',
  ],
])('a statement is proposed for %s', async (_, document, statement) => {
  const contract = await readOpenapi(documentOf(...document));
  const [operation] = contract.operations;
  const proposed = operation && proposePagination(contract, operation);
  expect(proposed && describePagination(proposed)).toBe(`x-pagination: { items: ${statement} }`);
  // What is proposed is accepted as it is.
  const source = JSON.stringify(documentOf(...document)).replace(
    '"get":{',
    `"get":{"x-pagination":${JSON.stringify(proposed)},`,
  );
  const stated = await readOpenapi(JSON.parse(source) as object);
  expect(stated.operations[0]?.pagination).toEqual(proposed);
});

test.each<readonly [string, Parameters<typeof documentOf>]>([
  ['a list without parameters', [[], list]],
  ['a list with a limit alone', [['limit'], list]],
  ['a page of a book', [['page'], object({ data: list })]],
  ['two lists', [['offset', 'limit'], object({ data: list, others: list })]],
  ['a list of texts', [['offset', 'limit'], { type: 'array', items: text }]],
  ['a cursor without a next one', [['cursor'], object({ data: list })]],
  ['one order', [['cursor'], object({ id: text, next_cursor: text })]],
  ['several successes', [['offset', 'limit'], list, { 204: { description: 'None.' } }]],
])('nothing is proposed for %s', async (_, document) => {
  const contract = await readOpenapi(documentOf(...document));
  const [operation] = contract.operations;
  expect(operation && proposePagination(contract, operation)).toBe(undefined);
});

test('nothing is proposed for our own contract, and for lists that are stated', async () => {
  for (const openapi of ['spec/openapi.yaml', 'test/targets/client/lists.yaml']) {
    const contract = await readContract({ openapi });
    for (const operation of contract.operations)
      expect(proposePagination(contract, operation)).toBe(undefined);
  }
});
