import { expect, test } from 'vitest';
import { createMatcher } from '../../generator/select/pattern.ts';

const cases: readonly {
  readonly pattern: string;
  readonly of?: 'names';
  readonly yes: readonly string[];
  readonly no: readonly string[];
}[] = [
  { pattern: '/books', yes: ['/books'], no: ['/books/', '/books/{id}', 'x/books', '/bookss'] },
  { pattern: '/books/*', yes: ['/books/{id}', '/books/'], no: ['/books', '/books/{id}/pages'] },
  { pattern: '/books/**', yes: ['/books', '/books/{id}', '/books/a/b'], no: ['/bookshelf'] },
  { pattern: '/**/pages', yes: ['/books/{id}/pages', '/a/pages'], no: ['/pages'] },
  { pattern: '**', yes: ['/', '/a/b'], no: [] },
  { pattern: '/v1/{id}.json', yes: ['/v1/{id}.json'], no: ['/v1/{id}xjson', '/v1/id.json'] },
  { pattern: '/a+(b)?[c]|d', yes: ['/a+(b)?[c]|d'], no: ['/ab', '/aa'] },
  { pattern: 'list*', of: 'names', yes: ['list', 'listBooks', 'list/a'], no: ['aList', 'alist'] },
  { pattern: '*.created', of: 'names', yes: ['a.created', 'a.b.created'], no: ['a-created'] },
  { pattern: 'a/**', of: 'names', yes: ['a/', 'a/b'], no: ['a'] },
];

test.for(cases)('$pattern matches $yes and not $no', ({ pattern, of, yes, no }) => {
  const matches = createMatcher(pattern, of !== 'names');
  expect(yes.filter((text) => !matches(text))).toEqual([]);
  expect(no.filter((text) => matches(text))).toEqual([]);
});
