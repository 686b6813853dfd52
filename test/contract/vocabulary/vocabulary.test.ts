import { expect, test } from 'vitest';
import {
  type ExtensionPlace,
  resolveVocabulary,
  vocabulary,
} from '../../../generator/contract/vocabulary/vocabulary.ts';
import type { Vocabulary } from '../../../generator/contract/vocabulary/types.ts';
import { referenceOf } from '../../../generator/json/descend.ts';
import { type Json, toObject } from '../../../generator/json/json.ts';
import { checkVocabulary } from '../../../generator/rules/vocabulary-check.ts';

const open = { unstated: 'open-question' };

/** A value of each key in which every member is written, by the generated types. */
const complete: Required<Vocabulary> = {
  'x-countersign': 1,
  'x-source-document': 'Manual',
  'x-source': ['1.1', '1.2'],
  'x-note': ['A remark.', { text: 'It is open.', about: ['zone', 'words'] }],
  'x-unstated': {
    zone: {
      source: '1',
      question: 'Which?',
      remark: 'Background.',
      choices: {
        utc: 'UTC.',
        local: {
          value: { offset: 1 },
          meaning: 'Local time.',
          requires: { 'other-question': 'yes' },
          actions: [
            { target: '$.info', document: 'openapi', description: 'Changes it.', update: { a: 1 } },
            { target: '$.tags', remove: true },
          ],
        },
      },
      assumed: 'utc',
      settled: 'utc',
    },
    words: {
      source: '2',
      question: 'Why?',
      documentation: true,
      risk: { loses: 'money', because: 'It is booked twice.', rank: 2 },
    },
  },
  'x-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'secret', description: 'The key.', encoding: open, prefix: 'whsec_' },
    over: ['$timestamp', { text: '.' }, open, '$request.body'],
    encoding: 'hex',
    value: 't={timestamp},v1={signature}',
    separator: ' ',
    timestamp: { header: 'x-timestamp', format: 'unix-seconds', tolerance: 300 },
    'x-source': '1',
    'x-note': ['A remark.'],
  },
  'x-body-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'secret', encoding: 'hex', prefix: 'whsec_' },
    each: '/items',
    over: ['/id', { member: '/reference', mayContainSeparator: true }],
    separator: ':',
    encoding: 'base64',
    signature: '/signature',
    'x-source': '1',
    'x-note': 'A remark.',
  },
  'x-access-token': {
    operation: 'createToken',
    token: '$response.body#/token',
    lifetime: '$response.body#/expires_in',
    value: 'Bearer {token}',
    'x-source': '1',
    'x-note': 'A remark.',
  },
  'x-in-path': true,
  'x-every-request': { value: 'uuid', retry: open },
  'x-repeatable': { keeps: '$request.header.x-request-id' },
  'x-pagination': {
    items: '$response.body#/data',
    cursor: '$request.query.after',
    nextCursor: '$response.body#/next',
    lastItem: '/id',
    page: '$request.query.page',
    firstPage: 0,
    totalPages: '$response.header.x-total',
    offset: '$request.body#/offset',
    totalItems: '$response.body#/total',
    nextLink: '$response.header.link',
    hasMore: '$response.body#/has_more',
    'x-source': '1',
    'x-note': 'A remark.',
  },
  'x-variants': {
    list: {
      'x-source': '1',
      'x-note': 'A remark.',
      when: { '$request.body#/items': { type: 'array' }, '$request.body#/item': false },
      each: '/items',
      as: '/item',
      rename: { id: 'itemId' },
    },
    empty: { 'x-source': '1', 'x-note': 'A remark.', schema: { enum: ['', null] }, as: 'absent' },
  },
  'x-identified-by': [{ '$request.body#/id': {}, isCharge: true, isRefund: false }],
  'x-identified-by-schema': true,
  'x-dedupe-by': ['$request.body#/id'],
  'x-ordered-by': open,
  'x-echoes': '$request.body#/challenge',
  'x-invalid-examples': [
    {
      name: 'no-id',
      summary: 'Has no id.',
      'x-source': '1',
      'x-note': 'A remark.',
      payload: {},
      violates: { at: '', keyword: 'required' },
    },
  ],
  'x-conditions': { isCharge: [{ '$request.body#/charge': {} }] },
  'x-presumes': { '*': { zone: 'utc' } },
  'x-enum-varnames': ['One'],
  'x-enum-descriptions': ['The first.'],
  'x-extensible-enum': ['a', 1],
};

const keys = Object.keys(vocabulary);

test('there is a complete value of every key', () => {
  expect(Object.keys(complete)).toEqual(keys);
});

test.each(keys)('the schema of %s accepts what its type accepts, and no other member', (key) => {
  const reference = vocabulary[key]?.reference ?? '';
  const value = Reflect.get(complete, key) as Json;
  expect(checkVocabulary(reference, value)).toEqual([]);
  expect(checkVocabulary(reference, { 'no member': value })).not.toEqual([]);
});

test.each(keys)('%s has a description, which editors show, and places', (key) => {
  const places: Readonly<Record<ExtensionPlace, true>> = {
    document: true,
    info: true,
    components: true,
    anywhere: true,
    'security-scheme': true,
    parameter: true,
    operation: true,
    schema: true,
    message: true,
  };
  const { reference = '', places: allowed = [] } = vocabulary[key] ?? {};
  const schema = resolveVocabulary(reference);
  const { description } = toObject(resolveVocabulary(referenceOf(schema) ?? reference));
  expect(description).toMatch(/\.$/u);
  expect(allowed.length).toBeGreaterThan(0);
  expect(Object.keys(places)).toEqual(expect.arrayContaining([...allowed]));
});
