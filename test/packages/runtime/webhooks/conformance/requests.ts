import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Sent } from '../workbench.ts';
import { amount, chargePath, once, refused, text, type Rule } from './rule.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
const latin1 = Buffer.from(text.replace('Example Payer', 'Jos\u00e9'), 'latin1');

/** Bodies that are invalid JSON, or that only the strict checks refuse. */
export const bodies: readonly Rule[] = [
  ...refused('the body', 400, [
    ['with a key twice', { body: text.replace('"Status":1', '"Status":1,"Status":2') }],
    [
      'with a key twice, once escaped',
      { body: text.replace('"Status":1', String.raw`"Status":1,"\u0053tatus":2`) },
    ],
    [
      'with __proto__',
      { body: text.replace('"Status":1', '"Status":1,"__proto__":{"polluted":1}') },
    ],
    [
      'with an escaped __proto__',
      { body: text.replace('"Status":1', String.raw`"Status":1,"__pro\u0074o__":{}`) },
    ],
    [
      'with constructor.prototype',
      { body: text.replace('"Status":1', '"Status":1,"constructor":{"prototype":{}}') },
    ],
    ['30,000 levels deep', { body: nested(30_000) }],
    ['that is empty', { body: '' }],
    ['that is not JSON', { body: '{"Pix":' }],
    ['in UTF-16', { body: utf16 }],
    ['in Latin-1', { body: latin1 }],
    [
      'with invalid UTF-8',
      {
        body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      },
    ],
    ['with two byte order marks', { body: `\uFEFF\uFEFF${text}` }],
  ]),
  {
    name: 'the body: a byte order mark before it is skipped',
    async run(bench) {
      const { status, events } = await once(bench, { path: chargePath, body: `\uFEFF${text}` });
      expect([status, events]).toMatchObject([200, [{ kind: 'charge' }]]);
    },
  },
  ...(
    [
      ['in Latin-1', latin1, 400, {}, 'encoding', ''],
      ['in UTF-16', utf16, 400, {}, 'encoding', ''],
      ['that is not JSON', '{"Pix":', 400, {}, 'body', '{"Pix":'],
      ['in gzip', gzipSync(text), 415, { 'content-encoding': 'gzip' }, 'encoding', ''],
    ] as const
  ).map(([what, body, status, headers, reason, received]): Rule => ({
    name: `the body: an authentic one ${what} reaches onInvalid`,
    async run(bench) {
      const sent = { path: chargePath, body, headers } as Sent;
      const result = await once(bench, sent);
      expect([result.status, result.events, result.invalid]).toMatchObject([
        status,
        [],
        [{ reason, text: received, data: undefined, violations: [{ pointer: '' }] }],
      ]);
      const accepted = await once(bench, sent, { onInvalid: () => 'accept' });
      expect(accepted).toMatchObject({ status: 200, record: { reason: 'accepted' } });
    },
  })),
  ...refused('the body', 422, [
    ['with 1e400', { body: amount('1e400') }],
    ['with 9007199254740993', { body: amount('9007199254740993') }],
    ['with more digits than a double has', { body: amount('0.12345678901234567890') }],
  ]),
];

/** Requests whose head forbids reading on, or whose body never comes to an end. */
export const heads: readonly Rule[] = [
  ...refused('the method', 405, [
    ['GET', { method: 'GET', body: '' }],
    ['PATCH', { method: 'PATCH' }],
    ['DELETE', { method: 'DELETE' }],
  ]),
  ...refused('the encoding', 415, [
    ['gzip', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(1_000_000)) }],
    ['much white space', { headers: { 'content-encoding': `,${' '.repeat(8000)}b` } }],
    ['identity and br', { headers: { 'content-encoding': 'identity, br' } }],
  ]),
  ...refused('the size', 413, [
    ['20 MB', { body: Buffer.alloc(20_000_000, ' ') }],
    ['1 MB and a byte, of unknown length', { body: Buffer.alloc(1_048_577, ' '), unending: true }],
  ]),
  ...refused('the time', 408, [['a body without an end', { unending: true }]], () => ({
    readTimeoutMs: 100,
  })),
];

/** Paths that two servers would read in two ways. */
export const paths: readonly Rule[] = [
  ...refused('the path', 404, [
    ['with // inside the label', { path: `/hook${chargePath.replace('/apm', '//apm')}` }],
    ['with // before the URL', { path: `//hook${chargePath}` }],
    ['with ///', { path: `/hook//${chargePath}` }],
    ['with ..;/', { path: `/hook/..;${chargePath}` }],
    ['with an encoded slash', { path: `/hook%2f..${chargePath}` }],
    ['with a dot encoded twice', { path: `/hook/%252e%252e${chargePath}` }],
    ['with an encoding that is none', { path: `/hook/%zz${chargePath}` }],
  ]),
  ...['/hook/%zz', '/hook%2fx', '/hook/..;', '//hook', '/hook/%252e'].map((before): Rule => ({
    name: `the path: an authentic delivery below ${before} reaches onInvalid`,
    async run(bench) {
      const result = await once(bench, { path: before + chargePath, body: text });
      expect([result.status, result.events, result.invalid]).toMatchObject([
        404,
        [],
        [{ reason: 'path', text }],
      ]);
    },
  })),
  {
    name: 'the path: an authentic delivery at a path with # reaches onInvalid',
    needsPath: true,
    async run(bench) {
      const result = await once(bench, { path: `/hook${chargePath}#x`, body: text });
      expect([result.status, result.events, result.invalid]).toMatchObject([
        404,
        [],
        [{ reason: 'path', text }],
      ]);
    },
  },
  {
    name: 'the path: a URL with a trailing slash before the label is accepted',
    needsPath: true,
    async run(bench) {
      const { status, events } = await once(bench, { path: `/hook/${chargePath}`, body: text });
      expect([status, events]).toMatchObject([200, [{ kind: 'charge' }]]);
    },
  },
  {
    name: 'the path: encoded dots match no label',
    needsPath: true,
    async run(bench) {
      for (const dots of ['%2e%2e', '%2E%2E', '..', '%2e.', '.']) {
        const { status, events } = await once(bench, {
          path: `/hook/${dots}${chargePath}`,
          body: text,
        });
        expect([dots, status, events]).toEqual([dots, 404, []]);
      }
    },
  },
];
