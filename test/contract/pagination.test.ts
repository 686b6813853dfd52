import { expect, test } from 'vitest';
import { readPagination } from '../../generator/contract/pagination.ts';

const items = '$response.body#/data';
const page = '$request.query.page';

test.each([
  { items, page, firstPage: 0, 'x-note': ['A remark.'] },
  { items, cursor: page, lastItem: '' },
  { items: '$response.body', nextLink: '$response.header.link', hasMore: '$response.body#/more' },
])('a statement is read: %o', (statement) => {
  expect(readPagination(statement)).toEqual(statement);
});

test.each([
  { style: 'offset', items: 'data', page: 1 },
  { items: 'data', page },
  { items, page: 'page' },
  { items, page, offset: page },
  { items, page, lastItem: '/id' },
  { items, cursor: page },
  { items, cursor: page, nextCursor: 'meta.next' },
  { items, cursor: page, lastItem: 'id' },
  { items, page, hasMore: true },
  { items, page, firstPage: '0' },
  { items },
  'cursor',
  null,
])('what another tool states is not read: %o', (statement) => {
  expect(readPagination(statement)).toBe(undefined);
});
