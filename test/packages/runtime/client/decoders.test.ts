import { expect, test } from 'vitest';
import {
  fromContent,
  fromJson,
  fromText,
  fromTextContent,
} from '../../../../packages/runtime/client/client.ts';

const latin1 = Uint8Array.of(0x50, 0xe3, 0x6f);
const utf8 = new TextEncoder().encode('Pão');

test.each([
  [null, utf8, 'Pão'],
  ['text/csv', utf8, 'Pão'],
  ['text/csv; charset=UTF-8', utf8, 'Pão'],
  ['text/csv; charset=iso-8859-1', latin1, 'Pão'],
  ['text/csv;header=present;CHARSET="ISO-8859-1"', latin1, 'Pão'],
  ['text/csv; charset = latin1 ; header=present', latin1, 'Pão'],
  ['text/csv; charset=windows-1252', Uint8Array.of(0x80, 0x31), '€1'],
  ['text/csv; charset=utf-16le', Uint8Array.of(0x50, 0, 0xe3, 0), 'Pã'],
  ['text/csv; charset=utf-16', Uint8Array.of(0xff, 0xfe, 0x50, 0, 0xe3, 0), 'Pã'],
  ['text/csv; charset=utf-16', Uint8Array.of(0xfe, 0xff, 0, 0x50, 0, 0xe3), 'Pã'],
  ['text/csv; charset=shift_jis', Uint8Array.of(0x82, 0xa0), 'あ'],
  // Without a value, it states nothing.
  ['text/csv; charset=', utf8, 'Pão'],
  // A parameter of another name is no charset.
  ['text/csv; xcharset=iso-8859-1', utf8, 'Pão'],
])('a text with the content type %j is decoded by its charset', (contentType, bytes, text) => {
  expect(fromText(bytes, undefined, contentType)).toBe(text);
  expect(fromTextContent(bytes, undefined, contentType)).toBe(text);
  if (contentType !== null) expect(fromContent(bytes, undefined, contentType)).toBe(text);
});

test.each([
  ['text/csv', latin1, TypeError],
  ['text/csv; charset=utf-8', latin1, TypeError],
  ['text/csv; charset=klingon', utf8, RangeError],
  ['text/csv; charset=utf-7', utf8, RangeError],
  ['text/csv; charset=hz-gb-2312', utf8, RangeError],
  ['text/csv; charset=utf-16le', Uint8Array.of(0x50), TypeError],
])('a text that is not in the charset of %j fails', (contentType, bytes, type) => {
  expect(() => fromText(bytes, undefined, contentType)).toThrow(type);
});

test('JSON is UTF-8, whatever charset its content type states', () => {
  const bytes = new TextEncoder().encode('{"name":"Pão"}');
  for (const charset of ['iso-8859-1', 'utf-8', 'klingon'])
    expect(fromContent(bytes, 'refuse', `application/json; charset=${charset}`)).toEqual({
      name: 'Pão',
    });
  expect(fromJson(bytes, 'refuse')).toEqual({ name: 'Pão' });
  const inLatin1 = Uint8Array.of(0x22, 0xe3, 0x22);
  expect(() => fromContent(inLatin1, 'refuse', 'application/json; charset=iso-8859-1')).toThrow(
    TypeError,
  );
});
