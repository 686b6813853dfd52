import { describe, expect, test } from 'vitest';
import {
  isMediaType,
  isRange,
  isRangeOfText,
  isStreamed,
  isXml,
  kindOf,
  parametersOf,
  typeOf,
} from '../../generator/specification/media-type.ts';
import { readSchemaFormat } from '../../generator/specification/schema-format.ts';

test.each([
  ['application/json', 'json'],
  [' Application/JSON ; charset=utf-8', 'json'],
  ['text/json', 'json'],
  ['application/problem+json;profile="a/xml"', 'json'],
  ['model/gltf+json', 'json'],
  // Each of these begins or ends like a media type that it is not.
  ['application/json-seq', 'binary'],
  ['application/json-patch', 'binary'],
  ['application/geo+json-seq', 'binary'],
  ['application/jsonp', 'binary'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/x-www-form-urlencoded; charset=utf-8', 'form'],
  ['application/x-www-form-urlencoded-v2', 'binary'],
  ['multipart/form-data', 'multipart'],
  ['multipart/mixed', 'binary'],
  ['text/event-stream', 'events'],
  ['application/x-ndjson', 'lines'],
  ['application/jsonl', 'lines'],
  ['application/soap+xml', 'text'],
  ['image/svg+xml', 'text'],
  ['application/xml-dtd', 'binary'],
  ['text/plain', 'text'],
  ['application/vnd.text/plain', 'binary'],
  ['*/*', 'binary'],
])('%j is %s', (mediaType, kind) => {
  expect(kindOf(mediaType)).toBe(kind);
});

test('a media type has its type and its parameters apart', () => {
  const stated = String.raw`Multipart/Related; Type="a;b=\"c\""; charset = utf-8`;
  expect(typeOf(stated)).toBe('multipart/related');
  expect(parametersOf(stated)).toEqual({ type: 'a;b="c"', charset: 'utf-8' });
});

test('an asterisk in a parameter makes no range', () => {
  expect(isRange('application/json; profile="*"')).toBe(false);
  expect(isRange('application/*+json; q=1')).toBe(true);
});

test.each([
  ['*/*', true],
  ['Application/* ; q=1', true],
  ['text/*', true],
  ['image/*', false],
  ['application/json; profile="*/*"', false],
])('that %j contains JSON and text is %s', (range, contains) => {
  expect(isRangeOfText(range)).toBe(contains);
});

test('XML is a type or a suffix, at the end', () => {
  const types = ['application/xml; a=b', 'text/xml', 'image/svg+xml', 'application/xml-dtd', 'a/b'];
  expect(types.map(isXml)).toEqual([true, true, true, false, false]);
});

test('sequences of JSON texts arrive one after the other', () => {
  const types = ['application/json-seq', 'application/geo+json-seq', 'text/event-stream'];
  expect(types.map(isStreamed)).toEqual([true, true, true]);
  expect(isStreamed('application/json-sequence')).toBe(false);
});

test.each([
  ['image/*; q=1', true],
  ['application/vnd.a+json; charset=utf-8', true],
  ['application', false],
  ["a/b'", false],
  ['a/b`c`', false],
  ['a/b\r\nx: y', false],
  ['a/b; c=\u001B', false],
])('that %j is a media type is %s', (text, isOne) => {
  expect(isMediaType(text)).toBe(isOne);
});

describe('a schema format', () => {
  test.each([
    ['application/vnd.aai.asyncapi;version=3.0.0', { of: 'asyncapi', version: '3.0.0' }],
    ['application/vnd.oai.openapi+yaml; Version="3.0.3"', { of: 'openapi', version: '3.0.3' }],
    ['Application/schema+json;version=draft-07', { of: 'json-schema', version: 'draft-07' }],
    ['application/vnd.aai.asyncapi-next;version=3.0.0', undefined],
    ['application/vnd.apache.avro;version=1.9.0', undefined],
    ['application/schema-like+json', undefined],
  ])('%j', (format, read) => {
    expect(readSchemaFormat(format)).toEqual(read);
  });
});
