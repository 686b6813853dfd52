import { expect, test } from 'vitest';
import {
  maximumRecordedBody,
  recordBody,
  recordHeaders,
} from '../../../packages/simulator/src/record.ts';
import { Redactor } from '../../../packages/simulator/src/sending/redact.ts';

const redactor = new Redactor(['top secret']);

test.each([
  ['', { encoding: 'utf-8', text: '', size: 0 }],
  ['{"é":1}', { encoding: 'utf-8', text: '{"é":1}', size: 8 }],
  ['a=top+secret', { encoding: 'utf-8', text: 'a=[redacted]', size: 12 }],
])('records the text %j', (text, recorded) => {
  expect(recordBody(Buffer.from(text), redactor)).toEqual(recorded);
});

test('records bytes that are not UTF-8 without the secrets among them', () => {
  const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from('top secret'), Buffer.from([0])]);
  const { encoding, text, size } = recordBody(bytes, redactor);
  expect([encoding, size]).toEqual(['base64', 12]);
  expect(Buffer.from(text, 'base64').toString('latin1')).toBe('\u{FF}[redacted]\0');
});

test('cuts a long body between characters and after it was redacted', () => {
  const long = `${'€'.repeat(maximumRecordedBody / 3)}€`;
  const recorded = recordBody(Buffer.from(long), redactor);
  expect(recorded.size).toBe(Buffer.byteLength(long));
  expect(recorded.text).toBe('€'.repeat(Math.floor(maximumRecordedBody / 3)));
  const edge = `${'x'.repeat(maximumRecordedBody - 4)}top secret`;
  expect(recordBody(Buffer.from(edge), redactor).text).not.toContain('top');
});

test('hides credentials in headers, and keeps order and repetition', () => {
  const raw = ['B', 'top secret', 'Authorization', 'Bearer abc', 'b', '2', 'Cookie', 'x=1'];
  expect(recordHeaders([...raw, 'ApiKey', 'other'], redactor, new Set(['apikey']))).toEqual([
    ['B', '[redacted]'],
    ['Authorization', 'Bearer [redacted]'],
    ['b', '2'],
    ['Cookie', '[redacted]'],
    ['ApiKey', '[redacted]'],
  ]);
});
