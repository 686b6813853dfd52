import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  createDispatcher,
  isPermanent,
  type StoredContext,
  type StoredEvent,
  type StoredReactions,
} from '../../../../packages/runtime/webhooks/stored-events.ts';
import type {
  Catalogue,
  EventKeys,
  InvalidDelivery,
  Replacement,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { attemptOf } from './attempt-of.ts';
import { orderedKinds } from './ordered-kinds.ts';

type Reactions = StoredReactions<{ readonly transaction: string }, string> & EventKeys<never>;

/** Handles a stored event, and returns the results with what was called. */
async function handle(
  body: string | Uint8Array,
  stored: Partial<StoredEvent> = {},
  reactions: Partial<Reactions & { readonly numbers: 'text' }> = {},
  catalogue: Catalogue = orderedKinds,
): Promise<{
  readonly results: readonly string[] | Replacement;
  readonly events: readonly object[];
  readonly contexts: readonly (StoredContext & { readonly transaction: string })[];
}> {
  const events: object[] = [];
  const contexts: (StoredContext & { readonly transaction: string })[] = [];
  const toHandler =
    (result: string) =>
    (event: object, context: StoredContext & { readonly transaction: string }): string => {
      events.push(event);
      contexts.push(context);
      return `${result}${context.index}`;
    };
  const run = createDispatcher<{ readonly transaction: string }, string>(catalogue, {
    on: { docked: toHandler('docked'), sailed: toHandler('sailed') },
    otherwise: toHandler('otherwise'),
    onInvalid: (delivery: object) => void events.push(delivery),
    ...reactions,
  });
  const event: StoredEvent = {
    id: 'R1-0',
    receiptId: 'R1',
    position: 0,
    count: 1,
    receivedAt: 5000,
    method: 'POST',
    target: '/docked',
    headers: [],
    body: Buffer.from(body),
    kind: 'docked',
    ...stored,
  };
  const results = await run(event, { ...attemptOf(2), transaction: 'T1' });
  return { results, events, contexts };
}

describe('a worker', () => {
  test('identifies a stored delivery again, and calls the handler of its kind', async () => {
    const { results, events, contexts } = await handle('{"id":"gull","state":1}', {
      headers: [
        ['x-delivery', 'D1'],
        ['x-delivery', 'D2'],
      ],
    });
    expect(results).toEqual(['docked0']);
    expect(events).toEqual([
      { kind: 'docked', ambiguous: false, form: 'canonical', data: { id: 'gull', state: 1 } },
    ]);
    const [context] = contexts;
    expect(context).toMatchObject({
      id: 'R1-0',
      orderKey: undefined,
      index: 0,
      count: 1,
      attempt: 2,
      transaction: 'T1',
      receivedAt: new Date(5000),
    });
    expect(context?.headers('x-delivery')).toEqual(['D1', 'D2']);
    expect(context?.headers('x-other')).toEqual([]);
    expect(context?.signal.aborted).toBe(false);
    expect(inspect(context, { depth: 9 })).not.toContain('gull');
  });

  const ships = '{"ships":[{"id":"gull","state":1},{"id":"tern"},{"id":"auk","state":3}]}';

  test.each([
    [0, 'gull'],
    [2, 'auk'],
  ])('handles the event at the index %i of a list alone', async (position, id) => {
    const { results, events } = await handle(ships, { position, count: 3 });
    expect(results).toEqual([`docked${position}`]);
    expect(events).toMatchObject([{ form: 'list', data: { id } }]);
  });

  test.each([10, 100])('parses and identifies a delivery of %i events once', async (count) => {
    let decided = 0;
    const formOf: Catalogue['formOf'] = {
      start: orderedKinds.formOf.start,
      get nodes() {
        decided += 1;
        return orderedKinds.formOf.nodes;
      },
    };
    const seen = new Set<unknown>();
    let calls = 0;
    const docked = ({ data }: { data: { id: unknown } }): never => {
      calls += 1;
      seen.add(data.id);
      data.id = 'changed';
      throw new Error('again');
    };
    const run = createDispatcher<object, string>(
      { ...orderedKinds, formOf },
      { on: { docked, sailed: docked }, otherwise: () => '', onInvalid: () => 'accept' },
    );
    const ids = Array.from({ length: count }, (_, index) => `ship${index}`);
    const stored = {
      receiptId: 'R1',
      kind: 'docked',
      count,
      receivedAt: 5000,
      method: 'POST',
      target: '/docked',
      headers: [],
      body: Buffer.from(JSON.stringify({ ships: ids.map((id) => ({ id, state: 1 })) })),
    };
    for (const attempt of [1, 2])
      for (const position of ids.keys()) {
        const id = `R1-${position}`;
        const failing = run({ ...stored, id, position }, attemptOf(attempt));
        await expect(failing).rejects.toThrow('again');
      }
    expect(decided).toBeLessThanOrEqual(4);
    expect([calls, [...seen]]).toEqual([2 * count, ids]);
    // The same bytes in another delivery are opened again: identification can depend on its other parts.
    const other = { ...stored, id: 'R2-0', position: 0, receiptId: 'R2', target: '/sailed' };
    const before = decided;
    await run(other, attemptOf(1)).catch(() => undefined);
    expect(decided).toBeGreaterThan(before);
  });

  test('passes an invalid element of a list to `onInvalid`', async () => {
    const seen: string[] = [];
    const accept = (delivery: InvalidDelivery, { index }: StoredContext): 'accept' => {
      seen.push(`${delivery.reason} ${index} ${delivery.violations[0]?.index}`);
      return 'accept';
    };
    const { results, events } = await handle(
      ships,
      { position: 1, count: 3 },
      { onInvalid: accept },
    );
    expect([results, events, seen]).toEqual([[], [], ['schema 1 1']]);
  });

  const gull = { position: 0, kind: 'docked', orderKey: 'gull' };

  test.each([
    {
      what: 'several events',
      body: '{"ships":[{"id":"gull","state":1},{"id":"tern","state":2}]}',
      stored: { kind: 'docked', identified: true },
      replaceBy: { count: 2, events: [gull, { position: 1, kind: 'docked', orderKey: 'tern' }] },
    },
    {
      what: 'a kind that the receiver did not identify',
      body: '{"id":"gull","state":1}',
      stored: { kind: undefined },
      replaceBy: { count: 1, events: [gull] },
    },
  ])('replaces a stored event by those of its delivery: $what', async (row) => {
    const { results, events } = await handle(row.body, row.stored);
    expect([results, events]).toEqual([{ replaceBy: row.replaceBy }, []]);
  });

  test('states the keys of the application where it has some', async () => {
    const keys = { orderBy: () => 'one queue', identifyBy: () => 'the same' };
    const { results } = await handle('{"id":"gull","state":1}', { kind: undefined }, keys);
    expect(results).toMatchObject({
      replaceBy: { events: [{ orderKey: 'one queue', identity: expect.any(String) }] },
    });
  });

  test.each([
    { what: 'the receiver', stored: { orderKey: 'of another contract' } },
    { what: 'a worker', stored: { kind: undefined, identified: true } },
  ])('does not replace what $what has identified', async ({ stored }) => {
    const { results } = await handle('{"id":"gull","state":1}', stored);
    expect(results).toEqual(['docked0']);
  });

  test('does not handle a delivery in which this contract finds another number of events', async () => {
    const failure = await handle(ships, { position: 1, count: 2 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'changed-events' });
    expect(isPermanent(failure)).toBe(true);
  });

  test.each([
    ['a violated schema', '{"id":"gull"}', 'schema'],
    ['a duplicate name', '{"id":1,"id":2}', 'body'],
    ['no JSON', 'id=gull', 'body'],
    ['no UTF-8', Buffer.from([0xff]), 'encoding', ''],
  ])('passes a delivery with %s to `onInvalid`', async (_what, body, reason, received?: string) => {
    const deliveries: InvalidDelivery[] = [];
    const answer = (delivery: InvalidDelivery): object => {
      deliveries.push(delivery);
      return { accept: 'stored' };
    };
    const { results } = await handle(body, {}, { onInvalid: answer as never });
    expect(results).toEqual(['stored']);
    const text = received ?? Buffer.from(body).toString();
    expect(deliveries).toMatchObject([{ reason, text }]);
  });

  test('knows that a stored body is encoded', async () => {
    const deliveries: InvalidDelivery[] = [];
    const headers = [['content-encoding', 'gzip']] as const;
    await handle(
      '{"id":"gull","state":1}',
      { headers },
      {
        onInvalid: ((delivery: InvalidDelivery) => {
          deliveries.push(delivery);
          return 'accept';
        }) as never,
      },
    );
    expect(deliveries).toMatchObject([{ reason: 'encoding', text: '', data: undefined }]);
  });

  test('replaces an invalid delivery by its valid events where `onInvalid` says so', async () => {
    const stored = { kind: undefined };
    const { results } = await handle(ships, stored, { onInvalid: () => 'dispatch-valid' });
    const auk = { position: 2, kind: 'docked', orderKey: 'auk' };
    expect(results).toEqual({ replaceBy: { count: 3, events: [gull, auk] } });
    const body = '{"id":"gull"}';
    const { results: none } = await handle(body, stored, { onInvalid: () => 'dispatch-valid' });
    expect(none).toEqual([]);
  });

  test.each([undefined, true, 'yes', { accepted: true }, null])(
    'does not complete an invalid delivery that `onInvalid` answers with %o',
    async (answer) => {
      const failing = handle('{"id":"gull"}', {}, { onInvalid: () => answer as never });
      const failure = await failing.catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'invalid-delivery' });
      expect(isPermanent(failure)).toBe(true);
      // An inbox stores it. It has no value of the delivery, and printing the error does not show it.
      expect(failure).toHaveProperty('rejection', {
        reason: 'schema',
        kinds: expect.any(Array),
        violations: expect.arrayContaining([
          { pointer: expect.any(String), keyword: 'required', message: expect.any(String) },
        ]),
      });
      expect(inspect(failure)).not.toContain('rejection');
      expect(JSON.stringify(failure)).not.toContain('violations');
    },
  );

  test('delivers a number that no double holds as its contract says', async () => {
    const body = '{"id":12345678901234567890,"state":1}';
    await expect(handle(body)).rejects.toMatchObject({ code: 'invalid-delivery' });
    const { events } = await handle(body, {}, { numbers: 'text' });
    expect(events).toMatchObject([{ data: { id: '12345678901234567890' } }]);
  });

  test('passes what is of no kind to `otherwise`', async () => {
    const { results } = await handle('{"id":"gull"}', { target: '/other', kind: undefined });
    expect(results).toEqual(['otherwise0']);
  });

  test('an error of a handler remains as it is, and can be tried again', async () => {
    const failing = handle(
      '{"id":"gull","state":1}',
      {},
      {
        on: {
          docked: () => {
            throw new Error('The directory is down.');
          },
          sailed: () => '',
        },
      },
    );
    const failure = await failing.catch((error: unknown) => error);
    expect(failure).toEqual(new Error('The directory is down.'));
    expect(isPermanent(failure)).toBe(false);
  });

  test("has the inbox's lease, not the receiver's, which is longer than its handlers", async () => {
    const options = { leaseMs: 1000, attemptTimeoutMs: 60_000 };
    const { results } = await handle('{"id":"gull","state":1}', {}, options as never);
    expect(results).toEqual(['docked0']);
  });

  test.each([
    ['a handler is missing', { on: {} }],
    ['a handler has an unknown name', { on: { lost: () => '' } }],
    ['`otherwise` is missing', { otherwise: undefined }],
    ['`onInvalid` is missing', { onInvalid: undefined }],
    ['`maxDepth` is out of range', { maxDepth: 0 }],
    ['`numbers` is unknown', { numbers: 'double' }],
  ])('is not created where %s', async (_what, options) => {
    await expect(handle('{}', {}, options as never)).rejects.toMatchObject({
      code: 'invalid-option',
    });
  });
});
