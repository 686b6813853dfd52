import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createVerifier,
  type SignatureScheme,
} from '../../../../packages/runtime/signing/index.ts';
import {
  allOf,
  anyOf,
  verifiedBy,
  type Receive,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { createBareReceiver } from './bare-receiver.ts';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';
import { apikey, signingKey } from './workbench.ts';

/** Headers that no server lets through, or not as they are, given to the receiver as adapters would. */
type Headers = Readonly<Record<string, readonly string[]>>;

const body = '{"news":1}';
const instant = 1_767_225_600_000;
const tolerance = 300;

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

async function reasonFor(receive: Receive, headers: Headers): Promise<string> {
  const { reason } = await receive({
    method: 'POST',
    target: '/',
    headers: (name) => headers[name] ?? [],
    read: () => new TextEncoder().encode(body),
  });
  return reason;
}

describe('a receiver that trusts the signature of its contract', () => {
  function receive(timestampFormat: string, headers: Headers): Promise<string> {
    const authenticate = imported.main.verifySignature({
      keys: [signingKey],
      headers: { apikey },
      timestampFormat,
      clock: () => instant,
    });
    const requestHeaders = { apikey: [apikey], ...headers };
    return reasonFor(createBareReceiver({ authenticate }).receive, requestHeaders);
  }

  /** Headers whose signature holds, whatever the timestamp is. */
  function signed(stamp: string): Headers {
    const made = createHmac('sha256', signingKey).update(`${apikey}${stamp}${body}/`);
    return { 'x-timestamp': [stamp], 'x-hmac-signature': [made.digest('base64')] };
  }

  test.each([
    ['unix-seconds', '1767225600', 'unidentified'],
    ['unix-seconds', ' 1767225600', 'unauthentic'],
    ['unix-seconds', '1767225600 ', 'unauthentic'],
    ['unix-seconds', '+1767225600', 'unauthentic'],
    ['unix-seconds', '-1767225600', 'unauthentic'],
    ['unix-seconds', '01767225600', 'unauthentic'],
    ['unix-seconds', '1767225600.0', 'unauthentic'],
    ['unix-seconds', '0x6955B900', 'unauthentic'],
    ['unix-seconds', '17672256e2', 'unauthentic'],
    ['unix-seconds', '1e9', 'unauthentic'],
    ['unix-seconds', ' 17', 'unauthentic'],
    ['unix-seconds', '+17', 'unauthentic'],
    ['unix-seconds', '17672256000000000', 'unauthentic'],
    ['unix-seconds', '１７６７２２５６００', 'unauthentic'],
    ['unix-seconds', '', 'unauthentic'],
    ['unix-milliseconds', '1767225600000', 'unidentified'],
    ['unix-milliseconds', '17672256000000000', 'unauthentic'],
    ['unix-milliseconds', ' 1767225600000', 'unauthentic'],
    ['unix-milliseconds', '1767225600', 'unauthentic'],
    ['iso-8601', '2026-01-01T00:00:00Z', 'unidentified'],
    ['iso-8601', '2026-01-01T00:00:00.000Z', 'unidentified'],
    ['iso-8601', '2025-12-31T21:00:00-03:00', 'unidentified'],
    ['iso-8601', ' 2026-01-01T00:00:00Z', 'unauthentic'],
    ['iso-8601', '2026-01-01T00:00:00', 'unauthentic'],
    ['iso-8601', '2026-02-30T00:00:00Z', 'unauthentic'],
    ['iso-8601', '1767225600', 'unauthentic'],
  ])('with timestamps in %s, takes "%s" as %s', async (format, stamp, reason) => {
    expect(await receive(format, signed(stamp))).toBe(reason);
  });

  test.each([
    [-tolerance - 1, 'unauthentic'],
    [-tolerance, 'unidentified'],
    [tolerance, 'unidentified'],
    [tolerance + 1, 'unauthentic'],
  ])('takes a timestamp %d seconds off as %s', async (seconds, reason) => {
    expect(await receive('unix-seconds', signed(String(instant / 1000 + seconds)))).toBe(reason);
  });

  /** A timestamp whose signature has a character that only one alphabet of Base64 has. */
  const stamp = Array.from({ length: 100 }, (_, index) => String(instant / 1000 + index)).find(
    (candidate) => /[+/]/.test(signed(candidate)['x-hmac-signature']?.[0] ?? ''),
  );

  test.each<readonly [string, (signature: string) => readonly string[], string]>([
    ['as it is', (signature) => [signature], 'unidentified'],
    ['in Base64url', (all) => [all.replaceAll('+', '-').replaceAll('/', '_')], 'unauthentic'],
    ['without padding', (all) => [all.replace(/=+$/, '')], 'unauthentic'],
    ['with padding twice', (all) => [`${all}=`], 'unauthentic'],
    ['in hexadecimal', (all) => [Buffer.from(all, 'base64').toString('hex')], 'unauthentic'],
    ['cut to 128 bits', (all) => [truncated(all, 16)], 'unauthentic'],
    ['of one byte', (all) => [truncated(all, 1)], 'unauthentic'],
    ['with a space before it', (all) => [` ${all}`], 'unauthentic'],
    [
      'with a character changed',
      ([first, ...rest]) => [changed(first) + rest.join('')],
      'unauthentic',
    ],
    ['with bits that stand for nothing', (all) => [all.replace(/.=$/, '/=')], 'unauthentic'],
    ['of 1 MB', (all) => [all.repeat(25_000)], 'unauthentic'],
    ['behind 1 MB of others', (all) => [`${'A'.repeat(44)},`.repeat(25_000) + all], 'unauthentic'],
    ['twice', (all) => [all, all], 'unauthentic'],
    ['a thousand times', (all) => Array.from({ length: 1000 }, () => all), 'unauthentic'],
    ['left out', () => [], 'unauthentic'],
  ])('takes a signature %s', async (_how, write, reason) => {
    const headers = signed(stamp ?? '');
    const header = write(headers['x-hmac-signature']?.[0] ?? '');
    expect(await receive('unix-seconds', { ...headers, 'x-hmac-signature': header })).toBe(reason);
  });
});

function truncated(signature: string, bytes: number): string {
  return Buffer.from(signature, 'base64').subarray(0, bytes).toString('base64');
}

function changed(character = ''): string {
  return character === 'A' ? 'B' : 'A';
}

describe('a receiver of several signatures in one header', () => {
  const scheme: SignatureScheme = {
    algorithm: 'hmac-sha256',
    key: { encoding: 'utf-8' },
    over: ['$request.body'],
    encoding: 'hex',
    header: 'x-signature',
    value: 'v1={signature}',
    separator: ',',
  };
  const right = `v1=${createHmac('sha256', signingKey).update(body).digest('hex')}`;
  const wrong = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `v1=${String(index).padStart(64, '0')}`);

  test.each([
    ['first of two', [right, ...wrong(1)], 'unidentified'],
    ['last of three', [...wrong(2), right], 'unidentified'],
    ['first of 1,000, in a header too long to be checked', [right, ...wrong(999)], 'unauthentic'],
    ['last of 1,000', [...wrong(999), right], 'unauthentic'],
    ['last of 30', [...wrong(29), right], 'unauthentic'],
  ])('checks a few of them only: the right one %s', async (_where, candidates, reason) => {
    const authenticate = verifiedBy(createVerifier(scheme, { keys: [signingKey] }));
    const { receive } = createBareReceiver({ authenticate });
    expect(await reasonFor(receive, { 'x-signature': [candidates.join(',')] })).toBe(reason);
  });
});

describe('a receiver of several strategies', () => {
  /** Only `true` and `{ ok: true }` accept. Untyped code can answer anything. */
  const answers: readonly (readonly [answer: unknown, accepts: boolean])[] = [
    [true, true],
    [{ ok: true }, true],
    [{ ok: false, reason: 'no' }, false],
    [1, false],
    [undefined, false],
  ];
  /** Every list of one to three answers. */
  const lists = [1, 2, 3].flatMap((length) =>
    Array.from({ length: answers.length ** length }, (_, number) =>
      Array.from(
        { length },
        (_item, place) => answers[Math.floor(number / answers.length ** place) % answers.length],
      ).filter((answer) => answer !== undefined),
    ),
  );

  test.each([
    ['allOf', allOf, false],
    ['anyOf', anyOf, true],
  ] as const)('%s stops at the first decisive answer', async (_name, combine, decisive) => {
    for (const list of lists) {
      for (const isAsync of [false, true]) {
        const called: number[] = [];
        const strategies = list.map(([answer], index) => () => {
          called.push(index);
          return (isAsync ? Promise.resolve(answer) : answer) as boolean;
        });
        const { receive } = createBareReceiver({ authenticate: combine(...strategies) });
        const decisiveIndex = list.findIndex(([, accepts]) => accepts === decisive);
        const isAccepted = decisiveIndex === -1 ? !decisive : decisive;
        expect(await reasonFor(receive, {})).toBe(isAccepted ? 'unidentified' : 'unauthentic');
        const last = decisiveIndex === -1 ? list.length - 1 : decisiveIndex;
        expect(called).toEqual(Array.from({ length: last + 1 }, (_, index) => index));
      }
    }
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('the key store is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the key store is down'))],
  ])('fails, and accepts nothing, where a strategy %s', async (_how, fails) => {
    for (const authenticate of [allOf(() => true, fails), anyOf(() => false, fails)]) {
      const { receive } = createBareReceiver({ authenticate });
      expect(await reasonFor(receive, {})).toBe('authentication-failed');
    }
  });

  test.each([
    ['none', []],
    ['one that is not a function', [() => true, undefined]],
  ])('refuses %s', (_what, strategies) => {
    for (const combine of [allOf, anyOf])
      expect(() => combine(...(strategies as []))).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
  });
});
