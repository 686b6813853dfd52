import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredDelivery } from '../../../../packages/runtime/webhooks/contract.ts';
import { parse, serialize } from '../../../../packages/runtime/webhooks/serialize.ts';

const delivery: StoredDelivery = {
  id: 'B5cCXgmyTsBkgJ4JYZ7uPPEHyWgHFJIzVYIQ9VQWJPE',
  receivedAt: 1_790_000_000_000,
  method: 'POST',
  target: '/docked?port=Lima',
  headers: [
    ['x-delivery', 'D1'],
    [':receiver', 'test'],
  ],
  body: Buffer.from('{"id":"gull","state":1}'),
  verdict: 'valid',
  orderKey: 'test gull',
  events: [
    {
      id: 'B5cCXgmyTsBkgJ4JYZ7uPPEHyWgHFJIzVYIQ9VQWJPE',
      kind: 'docked',
      orderKey: 'test gull',
      identity: 'test 2ipXsOcgQEmhVsMxPvJQpkXxQ2w0cMSGFWbgzqQK4mo=',
    },
  ],
};

const invalid: StoredDelivery = {
  ...delivery,
  id: '0d5ee2c2-8a5a-4a8e-9d5b-0d2f1f0f7c55',
  body: Uint8Array.of(0xff, 0, 0x7b),
  verdict: 'malformed-body',
  orderKey: undefined,
  rejection: {
    reason: 'encoding',
    kinds: ['docked'],
    violations: [
      { pointer: '', keyword: 'not-utf-8', message: 'must be UTF-8' },
      { pointer: '/ships/1/state', keyword: 'required', message: 'is missing', index: 1 },
    ],
  },
  events: [{ id: '0d5ee2c2-8a5a-4a8e-9d5b-0d2f1f0f7c55' }],
  trace: {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=value',
  },
};

const folder = join(import.meta.dirname, 'serialized');

/** What the committed texts contain, by the names of their files, whose first number is the version. */
const written: Readonly<Record<string, StoredDelivery>> = {
  '1-invalid.json': invalid,
  '1-valid.json': delivery,
};

/** Makes bytes comparable, and leaves out what is undefined. */
const plain = (value: StoredDelivery): unknown =>
  JSON.parse(JSON.stringify({ ...value, body: [...value.body] }));

describe('a serialized delivery', () => {
  test.each(readdirSync(folder))('is read from the committed text %s', (name) => {
    expect(plain(parse(readFileSync(join(folder, name), 'utf8')))).toEqual(
      plain(written[name] as StoredDelivery),
    );
  });

  test.each(Object.entries(written).filter(([name]) => name.startsWith('1-')))(
    'is written as the committed text %s',
    (name, value) => {
      const text: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      expect(JSON.parse(serialize(value))).toEqual(text);
    },
  );

  test('is the same after it is written and read', () => {
    const text = fc.string({ unit: 'binary' });
    const event = fc.record(
      { id: text, kind: text, orderKey: text, identity: text },
      { requiredKeys: ['id'] },
    );
    fc.assert(
      fc.property(
        fc.record({
          id: text,
          receivedAt: fc.nat(),
          method: text,
          target: text,
          headers: fc.array(fc.tuple(text, text)),
          body: fc.uint8Array({ maxLength: 40_000, size: 'large' }),
          verdict: text,
          orderKey: fc.option(text, { nil: undefined }),
          events: fc.array(event, { minLength: 1 }),
        }),
        (value) => {
          expect(plain(parse(serialize(value)))).toEqual(plain(value));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('ignores members that it does not know', () => {
    const text = serialize(delivery).replace('{', '{"later":[1],');
    expect(plain(parse(text))).toEqual(plain(delivery));
  });

  test('of a later version is refused with both versions', () => {
    const text = serialize(delivery).replace('"version":1', '"version":7');
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        name: 'WebhookError',
        code: 'unknown-version',
        message: expect.stringMatching(/version 7.*version(s up to)? 1/su),
      }),
    );
  });

  test('with anything else in it is refused, without showing it', () => {
    const members = Object.keys(JSON.parse(serialize(invalid)) as object);
    expect(members).toContain('rejection');
    const wrong = [null, 'secret', 7.5, -1, true, [], ['secret'], [['secret', 7]], {}, undefined];
    let refused = 0;
    for (const member of members)
      for (const value of wrong) {
        const record = { ...(JSON.parse(serialize(invalid)) as object), [member]: value };
        try {
          parse(JSON.stringify(record));
        } catch (error) {
          refused += 1;
          expect(error).toMatchObject({ name: 'WebhookError', code: 'malformed-record' });
          expect((error as Error).message).toContain(`\`${member}\``);
          expect((error as Error).message).not.toContain('secret');
        }
      }
    expect(refused).toBeGreaterThan(7 * members.length);
  });

  test.each(['', 'secret', 'null', '[]', '7', '"secret"', '{"version":0}', '{"version":"1"}'])(
    'is not the text %j',
    (text) => {
      expect(() => parse(text)).toThrow(
        expect.objectContaining({
          code: 'malformed-record',
          message: expect.not.stringContaining('secret'),
        }),
      );
    },
  );

  test('is bounded, whatever the delivery has', () => {
    const long = 'x'.repeat(10_000);
    const violation = { pointer: long, keyword: 'required', message: long };
    const text = serialize({
      ...delivery,
      body: new Uint8Array(100_000),
      rejection: {
        reason: 'schema',
        kinds: Array.from({ length: 1000 }, () => long),
        violations: Array.from({ length: 100 }, () => violation),
      },
      events: Array.from({ length: 100_000 }, () => ({ id: long })),
      trace: { traceparent: long, tracestate: 'a=b' },
    });
    expect(text.length).toBeLessThan(134_000 + 20 * 500 + 10 * 200 + 1000);
    const { id, events, trace } = parse(text);
    expect(events).toHaveLength(100_000);
    // Each still has an id of its own.
    expect([events[0], events.at(-1)]).toEqual([{ id: `${id}-0` }, { id: `${id}-99999` }]);
    expect(trace).toEqual({ tracestate: 'a=b' });
  });

  test('does not list more events than its body can have', () => {
    const record = JSON.parse(serialize(delivery)) as object;
    const text = JSON.stringify({ ...record, events: undefined, count: 2 ** 40 });
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'malformed-record' }));
  });

  test('has no baggage, which is data of the application', () => {
    const trace = { traceparent: '00-0', baggage: 'account=7' };
    expect(serialize({ ...delivery, trace })).not.toContain('account');
  });
});
