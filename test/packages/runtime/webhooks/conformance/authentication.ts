import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { apikey, secret, signingKey, type Sent } from '../workbench.ts';
import { bySignature, charge, chargePath, once, refused, text, type Rule } from './rule.ts';

const signature = 'x-hmac-signature';

const unauthentic: readonly (readonly [string, Sent])[] = [
  [
    're-serialized with a space more',
    { sign: true, signedBody: text, body: JSON.stringify(charge, null, 1) },
  ],
  ['without signature', {}],
  ['with an empty signature', { sign: () => ({ [signature]: '' }) }],
  ['with a short signature', { sign: () => ({ [signature]: 'AAAA' }) }],
  [
    'with half a signature',
    {
      sign: (all) => ({
        [signature]: Buffer.from(all[signature] ?? '', 'base64')
          .subarray(0, 16)
          .toString('base64'),
      }),
    },
  ],
  [
    'with Base64url for Base64',
    {
      sign: (all) => ({
        [signature]: Buffer.from(all[signature] ?? '', 'base64').toString('base64url'),
      }),
    },
  ],
  ['with a signature of 8 KB', { sign: () => ({ [signature]: 'A'.repeat(8000) }) }],
  [
    'with hexadecimal digits for Base64',
    {
      sign: (all) => ({ [signature]: Buffer.from(all[signature] ?? '', 'base64').toString('hex') }),
    },
  ],
  [
    'with a signature twice',
    { sign: (all) => ({ [signature]: [all[signature], all[signature]] }) },
  ],
  [
    'with a thousand candidates',
    { sign: (all) => ({ [signature]: `${'A'.repeat(8)},`.repeat(1000) + (all[signature] ?? '') }) },
  ],
  ['without timestamp', { sign: () => ({ 'x-timestamp': undefined }) }],
  ['with a timestamp of 1e9', { sign: () => ({ 'x-timestamp': '1e9' }) }],
  [
    'with a timestamp of another time',
    { sign: () => ({ 'x-timestamp': new Date(Date.now() + 5000).toISOString() }) },
  ],
  ['with another API key', { sign: true, headers: { apikey: 'another' } }],
  ['signed for another path', { sign: true, signedPath: '/v1/apm/pix' }],
];

const instant = 1_767_225_600_000;

/** Of each format: how it writes the instant, and what comes close to it. */
const timestamps: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'unix-seconds',
    '1767225600',
    [
      '+1767225600',
      '1767225600.0',
      '1.7672256e9',
      '17672256e2',
      '01767225600',
      '17672256000000000',
    ],
  ],
  [
    'unix-milliseconds',
    '1767225600000',
    ['1767225600', '1767225600000.', '17672256000000000', '1e9'],
  ],
  ['iso-8601', '2026-01-01T00:00:00Z', ['2026-01-01', '2026-01-01 00:00:00Z', '1767225600', '1e9']],
];

/** A charge that the contract's signature holds for, made without the package that checks it. */
function signedAt(stamp: string): Sent {
  const signed = apikey + stamp + text + chargePath;
  const made = createHmac('sha256', signingKey).update(signed).digest('base64');
  return { path: chargePath, body: text, headers: { 'x-timestamp': stamp, [signature]: made } };
}

/** What authenticates a delivery, and what does not. */
export const authentication: readonly Rule[] = [
  ...refused('a delivery', 401, unauthentic, bySignature),
  ...refused('a delivery from the past', 401, [['signed', { sign: true }]], (bench) =>
    bySignature(bench, { clock: () => Date.now() + 301_000 }),
  ),
  ...refused('a delivery from the future', 401, [['signed', { sign: true }]], (bench) =>
    bySignature(bench, { clock: () => Date.now() - 301_000 }),
  ),
  ...refused('a secret', 401, [
    ['that is wrong', { headers: { 'x-secret': `${secret}x` } }],
    ['that is missing', { headers: { 'x-secret': [] } }],
    ['that is there twice', { headers: { 'x-secret': [secret, secret] } }],
  ]),
  {
    name: 'what is not a timestamp is answered with 401, however well it is signed',
    async run(bench) {
      for (const [timestampFormat, right, wrong] of timestamps) {
        const authenticate = bySignature(bench, { timestampFormat, clock: () => instant });
        await using running = await bench.start(authenticate);
        for (const stamp of wrong)
          expect([stamp, (await running.send(signedAt(stamp))).status]).toEqual([stamp, 401]);
        expect(running.events).toEqual([]);
        expect((await running.send(signedAt(right))).status).toBe(200);
      }
    },
  },
  {
    name: 'a timestamp may differ by the tolerance and no second more, in both directions',
    async run(bench) {
      await using running = await bench.start(bySignature(bench, { clock: () => instant }));
      const statuses: number[] = [];
      for (const seconds of [-301, -299, 299, 301]) {
        const stamp = new Date(instant + 1000 * seconds).toISOString();
        statuses.push((await running.send(signedAt(stamp))).status);
      }
      expect(statuses).toEqual([401, 200, 200, 401]);
    },
  },
  {
    name: 'a signed delivery is handled, whatever the case of its header names',
    async run(bench) {
      const sent: Sent = {
        path: chargePath,
        body: text,
        sign: (all) => ({ [signature]: undefined, [signature.toUpperCase()]: all[signature] }),
      };
      const { status, events } = await once(bench, sent, bySignature(bench));
      expect([status, events.map(({ kind }) => kind)]).toEqual([200, ['charge']]);
    },
  },
  {
    name: 'a delivery that is not authentic gets the same answer, whatever the reason',
    async run(bench) {
      const answers = new Set<string>();
      for (const [, sent] of unauthentic) {
        const { status, text: body } = await once(
          bench,
          { path: chargePath, body: text, ...sent },
          bySignature(bench),
        );
        answers.add(`${status} ${body}`);
      }
      expect([...answers]).toEqual(['401 {"error":"unauthentic"}']);
    },
  },
  {
    name: 'a secret in the query authenticates',
    async run(bench) {
      const { sharedSecret } = bench.imported.main;
      const options = { authenticate: sharedSecret({ query: 'key' }, secret) };
      const path = `${chargePath}?key=${secret}`;
      expect((await once(bench, { path, body: text }, options)).status).toBe(200);
      const wrong = path.replace(secret, secret.slice(1));
      expect((await once(bench, { path: wrong, body: text }, options)).status).toBe(401);
    },
  },
  {
    name: 'a secret in the path authenticates, and reaches no handler, record or response',
    async run(bench) {
      const { sharedSecret } = bench.imported.main;
      const authenticate = sharedSecret({ path: true }, secret);
      for (const [label, body, status, more] of [
        [chargePath, text, 200, {}],
        [chargePath, text, 200, { mount: '/hook' }],
        ['/', text, 200, { mount: '/hook' }],
        ['', '{"Pix":', 400, {}],
      ] as const) {
        const path = `/hook/${secret}${label}`;
        const right = await once(bench, { path, body }, { authenticate, ...more });
        expect([label, right.status]).toEqual([label, status]);
        expect(JSON.stringify(right)).not.toContain(secret);
        const sent = { path: path.replace(secret, secret.slice(1)), body };
        const wrong = await once(bench, sent, { authenticate, ...more });
        expect([label, wrong.status]).toEqual([label, 401]);
        expect(JSON.stringify(wrong)).not.toContain(secret.slice(1));
      }
    },
  },
  {
    name: 'an authentication that throws is answered with 500',
    async run(bench) {
      const authenticate = (): never => {
        throw new Error('The directory is down.');
      };
      const { status, events } = await once(
        bench,
        { path: chargePath, body: text },
        { authenticate },
      );
      expect([status, events]).toEqual([500, []]);
    },
  },
  {
    name: 'nothing but true and { ok: true } authenticates',
    async run(bench) {
      const sent = { path: chargePath, body: text };
      for (const verdict of [{ ok: 1 }, { ok: 'false' }, { ok: {} }, 'true', 1, {}, [true], null]) {
        for (const authenticate of [() => verdict, () => Promise.resolve(verdict)]) {
          const { status, events } = await once(bench, sent, { authenticate });
          expect([verdict, status, events]).toEqual([verdict, 401, []]);
        }
      }
      for (const verdict of [true, { ok: true }])
        expect((await once(bench, sent, { authenticate: () => verdict })).status).toBe(200);
    },
  },
  {
    name: 'an authentication that does not answer in time is answered with 503, and nothing is handled later',
    async run(bench) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const options = { authenticate: () => promise, authenticationTimeoutMs: 30 };
      await using running = await bench.start(options);
      const { status, headers } = await running.send({ path: chargePath, body: text });
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      resolve(true);
      await sleep(20);
      expect(running.events).toEqual([]);
      expect(running.records.map(({ reason, detail }) => [reason, detail])).toEqual([
        ['out-of-time', 'authenticate'],
      ]);
    },
  },
];
