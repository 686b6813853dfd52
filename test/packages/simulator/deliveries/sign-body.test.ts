import { createHmac } from 'node:crypto';
import { createSigner, type SignatureScheme } from '@countersign/runtime/signing';
import { type BodySignatureScheme, createBodyVerifier } from '@countersign/runtime/signing/body';
import { describe, expect, it } from 'vitest';
import { createSignBody } from '../../../../packages/simulator/src/sending/sign-body.ts';
import { parseExactly } from '../../../../packages/simulator/src/sending/exact-json.ts';
import type { Json } from 'countersign/kit';
import type {
  ServedScheme,
  Service,
  SimulatorOptions,
} from '../../../../packages/simulator/src/index.ts';
import { toSecurity } from '../to-security.ts';
import { createTestDeliverer, parcelService, type TestDeliverer } from './parcel-service.ts';
import { receive, type Received, type TestReceiver } from './receive.ts';

const key = '0123456789abcdef';
const scheme: BodySignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: [{ member: ['id'] }, { member: ['weight'] }, { member: ['status'] }],
  separator: ':',
  encoding: 'hex',
  signature: ['proof', 'seal'],
};
const seal: ServedScheme = {
  id: 'seal',
  type: 'apiKey',
  credential: 'sealKey',
  bodyScheme: scheme,
};
const headerScheme: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$request.body'],
  encoding: 'hex',
  header: 'x-outer',
  value: '{signature}',
};
const outer: ServedScheme = {
  id: 'outer',
  type: 'apiKey',
  in: 'header',
  parameterName: 'x-outer',
  signature: headerScheme,
};
const bearer: ServedScheme = { id: 'bearer', type: 'http', httpScheme: 'bearer' };

/** Returns the service of parcels with other schemes. */
function withSecurity(
  security: readonly (readonly string[])[],
  schemes: readonly ServedScheme[] = [seal, outer, bearer],
): Service {
  return {
    ...parcelService,
    security: schemes,
    credentials: [
      { name: 'sealKey', form: 'key' },
      { name: 'otherKey', form: 'key' },
    ],
    notifications: parcelService.notifications.map((notification) => ({
      ...notification,
      security: toSecurity(security),
    })),
  };
}

type Sent = TestReceiver & { readonly deliverer: TestDeliverer };

async function createSender(
  options: SimulatorOptions = {},
  service = withSecurity([['seal']]),
  answer?: Parameters<typeof receive>[0],
): Promise<Sent> {
  const receiver = await receive(answer);
  return { ...receiver, deliverer: createTestDeliverer({ to: receiver.url, ...options }, service) };
}

async function verify(
  request: Received | undefined,
  by: string = key,
  of: BodySignatureScheme = scheme,
): Promise<string> {
  const body = Buffer.from(request?.body ?? '');
  const verification = await createBodyVerifier(of, { keys: [by] }).verify({ body });
  return verification.ok ? 'authentic' : verification.reason;
}

describe('a delivery', () => {
  it.each<readonly [string, SimulatorOptions]>([
    ['credential', { credentials: { sealKey: key } }],
    ['option', { authentication: { key } }],
    [
      'credential rather than that of the option',
      {
        credentials: { sealKey: key },
        authentication: { key: 'another' },
      },
    ],
  ])('carries the signature with the key of the %s', async (_, options) => {
    const { deliverer, received } = await createSender(options);
    await deliverer.trigger('parcelSent');
    expect(deliverer.credentials['sealKey']).toBe(key);
    const hmac = createHmac('sha256', key).update('PARCEL00000001:2.5:SENT').digest('hex');
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([
      { id: 'PARCEL00000001', status: 'SENT', weight: 2.5, proof: { seal: hmac } },
    ]);
    const [attempt] = deliverer.attempts();
    // The signature is not secret.
    expect(attempt?.request.body.text).toBe(received[0]?.body);
    expect(JSON.stringify(deliverer.attempts())).not.toContain(key);
  });

  it('carries the signature with a generated key', async () => {
    const { deliverer, received } = await createSender();
    await deliverer.trigger('parcelSent');
    expect(await verify(received[0], deliverer.credentials['sealKey'])).toBe('authentic');
  });

  it('has one signature for each element of a list, which replace those of the payload', async () => {
    const each = { ...scheme, each: ['parcels'] };
    const { deliverer, received } = await createSender(
      { credentials: { sealKey: key } },
      withSecurity([['seal']], [{ ...seal, bodyScheme: each }]),
    );
    const parcel = { id: 'PARCEL00000009', status: 'SENT', weight: 1, proof: { seal: 'recorded' } };
    await deliverer.trigger('parcelSent', {
      payload: { parcels: [parcel, { ...parcel, weight: 2 }] },
    });
    expect(await verify(received[0], key, each)).toBe('authentic');
    expect(received[0]?.body).not.toContain('recorded');
  });

  it('is valid where its payload only lacks the required signature', async () => {
    const checks = new Map([
      ...parcelService.checks,
      [
        'parcel',
        {
          accepts: (value: unknown) => JSON.stringify(value).includes('"seal":"'),
          violations: () => [{ pointer: '', keyword: 'required', message: 'lacks a seal' }],
        },
      ],
    ]);
    const service = { ...withSecurity([['seal']]), checks };
    const { deliverer, received } = await createSender({ authentication: { key } }, service);
    const payload: Json = { id: 'PARCEL00000009', weight: 1 };
    const data = parseExactly('{"id":"PARCEL00000010","weight":1.10}');
    await deliverer.trigger('parcelSent', { payload });
    await deliverer.trigger('parcelSent', { data });
    expect(received).toHaveLength(2);
    for (const request of received) expect(await verify(request)).toBe('authentic');
    expect(received[1]?.body).toContain('"weight":1.10');
    expect(deliverer.attempts().map(({ violations }) => violations)).toEqual([[], []]);
    await expect(
      deliverer.trigger('parcelSent', { payload: { id: 'with:colon' } }),
    ).rejects.toMatchObject({ code: 'invalid-payload' });
  });

  it('keeps the digits of every number', async () => {
    const { deliverer, received } = await createSender({ credentials: { sealKey: key } });
    const rawBody =
      '{"id":"PARCEL00000009","status":"SENT","weight":1.10,"price":12345678901234567890.00}';
    await deliverer.trigger('parcelSent', { rawBody });
    expect(received[0]?.body.startsWith(rawBody.slice(0, -1))).toBe(true);
    expect(await verify(received[0])).toBe('authentic');
  });

  it('keeps its bytes when it is repeated or sent again', async () => {
    const { deliverer, received } = await createSender(
      { credentials: { sealKey: key }, retry: { attempts: 2, firstDelayMs: 1000, jitter: 0 } },
      undefined,
      (_, index) => (index === 0 ? 500 : 200),
    );
    await deliverer.trigger('parcelSent');
    await deliverer.clock.advance('1s');
    await deliverer.settled();
    const [attempt] = deliverer.attempts();
    if (attempt === undefined) throw new Error('There is an attempt.');
    await deliverer.sendAgain(attempt);
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(await verify(received[2])).toBe('authentic');
  });

  it('that was edited and is sent again has a signature of its own', async () => {
    const { deliverer, received } = await createSender({ credentials: { sealKey: key } });
    await deliverer.trigger('parcelSent');
    const [attempt] = deliverer.attempts();
    if (attempt === undefined) throw new Error('There is an attempt.');
    const text = attempt.request.body.text.replace('SENT', 'LOST');
    const request = { ...attempt.request, body: { ...attempt.request.body, text } };
    await deliverer.sendAgain({ ...attempt, request });
    expect(received[1]?.body).toContain('LOST');
    expect(await verify(received[1])).toBe('authentic');
  });

  it('carries none without a signature', async () => {
    const { deliverer, received } = await createSender({ authentication: { signature: false } });
    await deliverer.trigger('parcelSent');
    expect(received[0]?.body).toBe('{"id":"PARCEL00000001","status":"SENT","weight":2.5}');
  });

  it('can have a chosen signature that the contract does not require', async () => {
    const { deliverer, received } = await createSender(
      { authentication: { signature: 'seal', key } },
      withSecurity([]),
    );
    await deliverer.trigger('parcelSent');
    expect(await verify(received[0])).toBe('authentic');
  });
});

describe('a fault', () => {
  const authentication = { key, previousKey: 'the key before' };

  it('spoils the signature of the first attempt', async () => {
    const { deliverer, received } = await createSender({
      authentication,
      retry: { firstDelayMs: 1000, jitter: 0 },
    });
    await deliverer.trigger('parcelSent', { faults: ['wrong-signature'] });
    await deliverer.clock.advance('1s');
    await deliverer.settled();
    expect(await verify(received[0])).toBe('signature-mismatch');
    expect(await verify(received[1])).toBe('authentic');
    expect(received).toHaveLength(2);
  });

  it('makes it with the previous key', async () => {
    const { deliverer, received } = await createSender({ authentication });
    await deliverer.trigger('parcelSent', { faults: ['old-key'] });
    expect(await verify(received[0], authentication.previousKey)).toBe('authentic');
  });

  it('is refused where the signature has no time', async () => {
    const { deliverer } = await createSender({ authentication });
    await expect(
      deliverer.trigger('parcelSent', { faults: ['stale-timestamp'] }),
    ).rejects.toMatchObject({ code: 'invalid-option' });
  });

  it('of the content leaves the delivery authentic and invalid', async () => {
    // Only a valid place of the signature is accepted, so that a change there would be written over.
    const checks = new Map([
      ...parcelService.checks,
      [
        'parcel',
        {
          accepts: (value: unknown) =>
            /"id":"\w+","status":"\w+","weight":\d.*"proof":\{"seal":"[0-9a-f]{64}"\}/u.test(
              JSON.stringify(value),
            ),
          violations: () => [{ pointer: '', keyword: 'type', message: 'is wrong' }],
        },
      ],
    ]);
    const service = { ...withSecurity([['seal']]), checks };
    let invalid = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const { deliverer, received } = await createSender({ authentication, seed }, service);
      const proof = { seal: '0'.repeat(64) };
      const payload = { id: 'PARCEL00000009', status: 'SENT', weight: 1, proof };
      const [fault, other] = ['invalid-payload', 'unknown-property'] as const;
      await deliverer.trigger('parcelSent', {
        payload,
        faults: seed % 2 === 0 ? [fault] : [other],
      });
      expect(await verify(received[0])).toBe('authentic');
      const isAccepted = checks.get('parcel')?.accepts(JSON.parse(received[0]?.body ?? ''));
      expect(isAccepted).toBe(seed % 2 !== 0);
      if (isAccepted === false) invalid += 1;
    }
    expect(invalid).toBe(20);
  });
});

describe('beside other schemes', () => {
  it('a signature in a header covers the body with its signature', async () => {
    const { deliverer, received } = await createSender(
      { authentication: { key: 'outer key' }, credentials: { sealKey: key } },
      withSecurity([['seal', 'outer']]),
    );
    await deliverer.trigger('parcelSent');
    await deliverer.trigger('parcelSent', { faults: ['wrong-signature'] });
    expect(await verify(received[0])).toBe('authentic');
    expect(await verify(received[1])).toBe('signature-mismatch');
    const outerOf = ({ body, method, url, headers }: Received): readonly unknown[] => {
      const signed = createSigner(headerScheme, { key: 'outer key' }).sign({
        method: method ?? '',
        url: url ?? '',
        headers: () => [],
        body: Buffer.from(body),
      });
      return [headers['x-outer'], (signed as Readonly<Record<string, string>>)['x-outer']];
    };
    const [first, second] = received.map(outerOf);
    expect(first?.[0]).toBe(first?.[1]);
    expect(second?.[0]).not.toBe(second?.[1]);
  });

  it('the key of the options is that of the header, and the other one is a credential', async () => {
    const { deliverer, received } = await createSender(
      { authentication: { key: 'outer key', previousKey: 'old' } },
      withSecurity([['seal', 'outer']]),
    );
    await deliverer.trigger('parcelSent', { faults: ['old-key'] });
    expect(await verify(received[0], deliverer.credentials['sealKey'])).toBe('authentic');
    expect(deliverer.credentials['sealKey']).not.toBe('outer key');
  });

  it('the key of the options is that of a token', async () => {
    const { deliverer, received } = await createSender(
      { authentication: { key: 'the token' } },
      withSecurity([['seal', 'bearer']]),
    );
    await deliverer.trigger('parcelSent');
    expect(received[0]?.headers.authorization).toBe('Bearer the token');
    expect(await verify(received[0], deliverer.credentials['sealKey'])).toBe('authentic');
  });

  it('several signatures are made in the order of the contract', async () => {
    const covering = { ...scheme, over: [{ member: ['proof', 'seal'] }], signature: ['outerSeal'] };
    const second = { ...seal, id: 'second', credential: 'otherKey', bodyScheme: covering };
    const { deliverer, received } = await createSender(
      { credentials: { sealKey: key, otherKey: 'other' } },
      withSecurity([['seal', 'second']], [second, seal]),
    );
    await deliverer.trigger('parcelSent');
    expect(await verify(received[0])).toBe('authentic');
    expect(await verify(received[0], 'other', covering)).toBe('authentic');
  });

  it('the first alternative that can be made is used', async () => {
    const certificate: ServedScheme = { id: 'segment', type: 'apiKey', in: 'path' };
    for (const [security, isInBody] of [
      [[['segment'], ['seal'], ['outer']], true],
      [[['outer'], ['seal']], false],
    ] as const) {
      const service = withSecurity(security, [certificate, seal, outer]);
      const { deliverer, received } = await createSender({ authentication: { key } }, service);
      await deliverer.trigger('parcelSent');
      expect(await verify(received[0])).toBe(isInBody ? 'authentic' : 'missing-signature');
      expect(received[0]?.headers['x-outer'] === undefined).toBe(isInBody);
    }
  });
});

describe('a body that cannot be signed', () => {
  it('is not sent, and the error names the member', async () => {
    const { deliverer, received } = await createSender({ authentication: { key } });
    const sending = deliverer.trigger('parcelSent', { data: { status: 'SENT:LATE' } });
    await expect(sending).rejects.toMatchObject({ code: 'not-signable' });
    await expect(sending).rejects.toThrow(
      /signature seal: \/status contains ":", which separates .*`authentication.signature` to false/u,
    );
    expect(received).toEqual([]);
  });

  it('is a form, or no body at all', async () => {
    const post = { method: 'POST', headers: {} };
    const changes = [
      { delivery: { ...post, contentType: 'application/x-www-form-urlencoded' } },
      { delivery: post, encoding: 'query' as const },
    ];
    for (const change of changes) {
      const service = withSecurity([['seal']]);
      const { deliverer, received } = await createSender(
        { authentication: { key } },
        {
          ...service,
          notifications: service.notifications.map((notification) => ({
            ...notification,
            ...change,
          })),
        },
      );
      await expect(deliverer.trigger('parcelSent')).rejects.toThrow(/it is not JSON in UTF-8/u);
      expect(received).toEqual([]);
    }
  });

  it.each([
    ['{"id":{}}', /nothing can be signed at \/id/u],
    ['[]', /nothing can be signed at \/proof\/seal/u],
    [Buffer.from([0x22, 0xff, 0x22]), /it is not JSON in UTF-8/u],
  ])('is %s', (body, message) => {
    const sign = createSignBody('seal', scheme, key);
    expect(() => sign(Buffer.from(body))).toThrow(message);
  });

  it('has a key that is not valid', () => {
    const hex = { ...scheme, key: { encoding: 'hex' } } as const;
    const create = (): unknown => createSignBody('seal', hex, 'no hex');
    expect(create).toThrow(expect.objectContaining({ code: 'not-signable' }));
    expect(create).toThrow(/malformed-key/u);
    expect(create).not.toThrow(/no hex/u);
  });
});
