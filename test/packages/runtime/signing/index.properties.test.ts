import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  type SignableRequest,
  type SignatureScheme,
} from '../../../../packages/runtime/signing/index.ts';
import {
  decodeBytes,
  encodeBytes,
  parseTimestamp,
  writeTimestamp,
} from '../../../../packages/runtime/signing/core.ts';
import { parseReferenceTimestamp } from './reference-signatures.ts';
import { now, readOwnScheme, readScheme, vendors } from './read-scheme.ts';
import { runsOf } from '../../../some.ts';

const key = new TextEncoder().encode('key');
const schemes: readonly (readonly [string, SignatureScheme])[] = await Promise.all([
  readOwnScheme().then((scheme) => ["the contract's own", scheme] as const),
  ...vendors.map(async (vendor) => [vendor, await readScheme(vendor)] as const),
]);

/** Every header that a scheme reads, in lower case, without those that the signer adds. */
function signedHeaders({ over }: SignatureScheme): readonly string[] {
  return over.flatMap((part) =>
    typeof part === 'string' && part.startsWith('$request.header.')
      ? [part.slice('$request.header.'.length).toLowerCase()]
      : [],
  );
}

const bodies = fc.oneof(
  fc.json().map((json) => `{"value":${json}}`),
  fc.webQueryParameters().map((query) => query.replaceAll('/', '%2F').replaceAll(/^[[{]/g, 'a')),
  fc.constant(''),
);
const fieldValues = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const paths = fc.webPath().filter((path) => path.startsWith('/') && !/[[\]{}]/.test(path));

describe.each(schemes)('the scheme of %s', (_, scheme) => {
  const signer = createSigner(scheme, { key, clock: () => now });
  const verifier = createVerifier(scheme, { keys: [key], clock: () => now });
  const requests = fc.record({ body: bodies, value: fieldValues, url: paths });

  const sign = async (drawn: {
    readonly body: string;
    readonly value: string;
    readonly url: string;
  }): Promise<{ readonly headers: Map<string, string>; readonly request: SignableRequest }> => {
    const names = signedHeaders(scheme).filter(
      (name) => name !== scheme.timestamp?.header?.toLowerCase(),
    );
    const headers = new Map(names.map((name) => [name, drawn.value]));
    const request: SignableRequest = {
      method: 'POST',
      url: drawn.url,
      headers: (name) => (headers.has(name) ? [headers.get(name) ?? ''] : []),
      body: new TextEncoder().encode(drawn.body),
    };
    for (const [name, value] of Object.entries(await signer.sign(request)))
      headers.set(name.toLowerCase(), value);
    return { headers, request };
  };

  test('verifies whatever it signed', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (drawn) => {
        const { request } = await sign(drawn);
        expect(await verifier.verify(request)).toMatchObject({ ok: true, key: 0 });
      }),
    );
  });

  test('refuses a request of whose signed parts any one bit was changed', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.nat(), fc.nat(6), async (drawn, at, bit) => {
        const { headers, request } = await sign(drawn);
        const places: (() => SignableRequest)[] = [];
        if (request.body.length > 0)
          places.push(() => ({ ...request, body: flip(request.body, at, bit) }));
        if (scheme.over.includes('$url.path'))
          places.push(() => ({ ...request, url: flipText(request.url, at, bit) }));
        for (const [name, value] of headers)
          places.push(() => ({
            ...request,
            headers: (wanted) =>
              wanted === name ? [flipText(value, at, bit)] : request.headers(wanted),
          }));
        for (const change of places) {
          const changed = change();
          const verification = await verifier.verify(changed);
          // A hexadecimal digit and its capital are one digest.
          const sameDigest =
            scheme.encoding === 'hex' &&
            bit === 5 &&
            (changed.headers(scheme.header.toLowerCase())[0] ?? '').toLowerCase() ===
              headers.get(scheme.header.toLowerCase());
          if (!sameDigest || changed.body !== request.body) expect(verification.ok).toBe(false);
        }
      }),
    );
  });
});

function flip(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  const index = at % bytes.length;
  changed[index] = (changed[index] ?? 0) ^ (1 << bit);
  return changed;
}

function flipText(text: string, at: number, bit: number): string {
  return new TextDecoder('latin1').decode(flip(new TextEncoder().encode(text), at, bit));
}

test('a verifier throws for nothing, whatever the headers hold', async () => {
  const all = schemes.map(([, scheme]) =>
    createVerifier(scheme, { keys: [key], clock: () => now }),
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('1767225600', 't=1767225600,v1=', 'v1,', 'v0=', '=', '__proto__'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostile, { maxLength: 3 }),
      hostile,
      hostile,
      fc.uint8Array(),
      async (values, method, url, body) => {
        for (const verifier of all)
          expect(await verifier.verify({ method, url, headers: () => values, body })).toMatchObject(
            {
              ok: false,
            },
          );
      },
    ),
  );
});

describe('encodings', () => {
  const texts = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9+/=_-]{0,12}$/),
    fc.stringMatching(/^[0-9A-Fa-f]{0,8}$/),
    fc.stringMatching(/^[ \n.é0-9A-Fa-f]{0,8}$/),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );

  test.each(['base64', 'base64url', 'hex'] as const)('%s agrees with Node', (encoding) => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBytes(bytes, encoding);
        expect(text).toBe(Buffer.from(bytes).toString(encoding));
        expect(decodeBytes(text, encoding)).toEqual(bytes);
      }),
    );
  });

  test.each(['base64', 'base64url', 'hex'] as const)(
    '%s has one way to write a digest',
    (encoding) => {
      fc.assert(
        fc.property(texts, (text) => {
          const bytes = decodeBytes(text, encoding);
          if (bytes === undefined) return;
          expect(encodeBytes(bytes, encoding)).toBe(encoding === 'hex' ? text.toLowerCase() : text);
        }),
        { numRuns: runsOf(2000) },
      );
    },
  );
});

describe.each([
  ['quickly', parseTimestamp],
  ['by the oracle', parseReferenceTimestamp],
])('timestamps, parsed %s,', (_, parse) => {
  const instants = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });

  test.each(['iso-8601', 'unix-seconds', 'unix-milliseconds'] as const)(
    'in %s are read as written',
    (format) => {
      fc.assert(
        fc.property(instants, (instant) => {
          const exact = format === 'unix-seconds' ? instant - (instant % 1000) : instant;
          expect(parse(writeTimestamp(instant, format), format)).toBe(exact);
        }),
      );
    },
  );

  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.069999999Z', '2026-01-31T12:00:00.069Z'],
    ['2026-01-31T09:00:00-03:00', '2026-01-31T12:00:00.000Z'],
    ['2024-02-29T23:59:59.999+05:30', '2024-02-29T18:29:59.999Z'],
  ])('the date-time %s is %s', (text, same) => {
    expect(parse(text, 'iso-8601')).toBe(Date.parse(same));
  });

  test.each([
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-01-00T12:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00.0000000000Z',
    '2026-01-31T12:00:00,5Z',
    '2026-01-31t12:00:00z',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00+3:00',
    '2026-01-31T12:00:00+0300',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00Z',
    '2026-01-31',
    '+002026-01-31T12:00:00Z',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z\n',
    '1767225600',
  ])('"%s" is not a date-time', (text) => {
    expect(parse(text, 'iso-8601')).toBeNaN();
  });
});

test('date-times with any fields, fraction and offset are read as by the oracle', () => {
  const field = (max: number) => fc.nat(max).map((value) => String(value).padStart(2, '0'));
  const texts = fc
    .tuple(
      fc.integer({ min: 1960, max: 2200 }),
      fc.tuple(field(13), field(32), field(24), field(60), field(60)),
      fc.oneof(
        fc.constant(''),
        fc.nat(999_999_999).map((digits) => `.${digits}`),
      ),
      fc.oneof(
        fc.constant('Z'),
        fc
          .tuple(fc.constantFrom('+', '-'), field(25), field(60))
          .map(([sign, h, m]) => `${sign}${h}:${m}`),
      ),
    )
    .map(
      ([y, [mo, d, h, mi, s], fraction, offset]) =>
        `${y}-${mo}-${d}T${h}:${mi}:${s}${fraction}${offset}`,
    );
  let read = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const instant = parseTimestamp(text, 'iso-8601');
      read += Number.isNaN(instant) ? 0 : 1;
      expect(instant).toBe(parseReferenceTimestamp(text, 'iso-8601'));
    }),
    { numRuns: 5000, seed: 1 },
  );
  expect(read).toBeGreaterThan(1000);
});
