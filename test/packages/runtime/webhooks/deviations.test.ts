import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createDeviations,
  type DeviatingEvent,
} from '../../../../packages/runtime/webhooks/deviations.ts';
import type { DeliveryRecord } from '../../../../packages/runtime/webhooks/receiver.ts';
import { createDispatcher } from '../../../../packages/runtime/webhooks/stored-events.ts';
import { orderedKinds } from './ordered-kinds.ts';
import { generateParcels, type Parcels } from './parcel-contract.ts';

let parcels: Parcels;

beforeAll(async () => {
  parcels = await generateParcels();
});
afterAll(() => parcels[Symbol.asyncDispose]());

/** A parcel that is valid, with other members or without some. */
const parcel = (more: object = {}): Record<string, unknown> => ({
  id: 'P1',
  route: 'R1',
  label: 'fragile',
  weight: 2,
  ...more,
});
const moved = (more: object = {}): object => ({ type: 'moved', Parcel: parcel(more) });

interface Ran {
  readonly calls: readonly (readonly [by: string, event: DeviatingEvent])[];
  readonly statuses: readonly number[];
  readonly records: readonly DeliveryRecord[];
}

/** Delivers bodies to a receiver that hands over the named kinds. */
async function run(
  bodies: readonly (object | string)[],
  {
    chosen = ['parcelMoved'],
    fails = () => false,
    ...options
  }: {
    readonly chosen?: readonly string[];
    readonly fails?: (by: string) => boolean;
    readonly [option: string]: unknown;
  } = {},
): Promise<Ran> {
  const calls: (readonly [string, DeviatingEvent])[] = [];
  const records: DeliveryRecord[] = [];
  const handle =
    (by: string) =>
    (event: DeviatingEvent): void => {
      calls.push([by, event]);
      if (fails(by)) throw new Error('fails');
    };
  const { fetch } = parcels.main.createWebhooks({
    authenticate: parcels.main.unauthenticated(),
    on: {},
    otherwise: { rest: handle('on') },
    onInvalid: handle('onInvalid'),
    onEvent: (record: DeliveryRecord) => records.push(record),
    deviations: parcels.handOver(
      Object.fromEntries(chosen.map((kind) => [kind, handle('deviations')])),
    ),
    ...options,
  });
  const statuses: number[] = [];
  for (const bodyOrText of bodies) {
    const body = typeof bodyOrText === 'string' ? bodyOrText : JSON.stringify(bodyOrText);
    const request = new Request('http://127.0.0.1/parcels', { method: 'POST', body });
    statuses.push((await fetch(request)).status);
  }
  return { calls, statuses, records };
}

const by = ({ calls }: Ran): readonly string[] => calls.map(([name]) => name);

describe('a delivery of a chosen kind', () => {
  test('is handed over with its data and its violations', async () => {
    const ran = await run([moved({ label: undefined, tags: ['a', true] })]);
    expect(ran.statuses).toEqual([200]);
    expect(ran.calls).toEqual([
      [
        'deviations',
        {
          kind: 'parcelMoved',
          ambiguous: false,
          kinds: ['parcelMoved'],
          form: 'canonical',
          data: moved({ label: undefined, tags: ['a', true] }),
          violations: [
            {
              pointer: '/Parcel',
              keyword: 'required',
              message: 'must have the member "label"',
            },
            { pointer: '/Parcel/tags/1', keyword: 'type', message: 'must be of type string' },
          ],
        },
      ],
    ]);
    expect(ran.records).toMatchObject([
      { reason: 'handled', detail: 'deviating', kinds: ['parcelMoved'] },
    ]);
  });

  test('goes to its usual handler where it is valid', async () => {
    const ran = await run([moved()]);
    expect(ran.calls).toEqual([
      ['on', { kind: 'parcelMoved', ambiguous: false, form: 'canonical', data: moved() }],
    ]);
    expect(ran.records[0]).not.toHaveProperty('detail');
  });

  test.each([
    ['a text in place of another value', { label: true }],
    ['a missing text', { label: undefined }],
    ['a missing text with an unusual name', { address: { floor: 1 } }],
    ['an element', { tags: [null] }],
    ['a nullable object without numbers', { sender: { surname: 'x' } }],
    ['an undeclared member of a closed object', { box: { name: 'b', more: 'x' } }],
    ['a text that must have a count of digits', { phone: '12345' }],
    ['a missing text beside an amount', { receipt: { paid: '1.00' } }],
    ['a member whose name needs escapes', { 'a/b~"c': true }],
  ])('is handed over with %s', async (_, more) => {
    expect(by(await run([moved(more)]))).toEqual(['deviations']);
  });

  test.each([
    ['a missing number', { weight: undefined }],
    ['a number as a text', { weight: '2' }],
    ['a number in place of a text', { label: 2 }],
    ['a number in an element', { tags: [2] }],
    ['an object with a number in place of a text', { label: { sum: [2] } }],
    ['an undeclared number in a closed object', { box: { more: { sum: 2 } } }],
    ['a text in place of an object with a number', { address: 'x' }],
    ['a text in place of an array of numbers', { sums: 'x' }],
    ['a text among numbers', { sums: ['x'] }],
    ['an amount as a text with another separator', { fee: '110,00' }],
    ['an amount as a text of another type', { fee: true }],
    ['a text that its format says is a number', { toll: '1234567.89' }],
    ['a missing amount as a text', { receipt: { note: 'x' } }],
    ['a text in place of an object with an amount', { receipt: 'x' }],
    ['an undeclared amount as a text in a closed object', { box: { more: '10,00' } }],
    ['an alternative with a number', { size: true }],
    ['a missing number of an alternative', { size: {} }],
    ['a text without a number', { price: 'a lot' }],
    ['a text for a number that no double holds', { price: '0.1234567890123456789' }],
  ])('is refused with %s', async (_, more) => {
    const ran = await run([moved(more)]);
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.statuses).toEqual([422]);
    expect(ran.records).toMatchObject([{ reason: 'invalid', detail: 'touches-number' }]);
  });

  test.each([
    ['no identity', { id: undefined, label: undefined }],
    ['an identity of another type', { id: true }],
    ['an object as the identity', { id: { x: 'y' } }],
    ['no order key', { route: undefined }],
    ['an order key of another type', { route: null }],
  ])('is refused with %s', async (_, more) => {
    const ran = await run([moved(more)]);
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.records).toMatchObject([{ reason: 'invalid', detail: 'touches-key' }]);
  });

  test.each([
    ['of another kind', { type: 'other' }, 'no-kind'],
    ['without what identifies it', { Parcel: parcel({ label: true }) }, 'no-kind'],
    ['in place of which there is an array', [], 'no-kind'],
    ['whose parcel is missing', { type: 'moved' }, 'touches-key'],
    ['whose type is a list', { type: ['moved'], Parcel: parcel() }, 'no-kind'],
    ['that is not JSON', '{', 'not-json'],
  ])('%s is not handed over', async (_, body, detail) => {
    const ran = await run([body]);
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.records).toMatchObject([{ detail }]);
  });

  test('is refused if another kind was chosen, or none', async () => {
    const body = moved({ label: true });
    for (const [options, detail] of [
      [{ chosen: ['parcelHeld'] }, 'not-chosen'],
      [{ chosen: [] }, 'not-chosen'],
      [{ deviations: undefined }, 'schema'],
    ] as const) {
      const ran = await run([body], options);
      expect(by(ran)).toEqual(['onInvalid']);
      expect(ran.records).toMatchObject([{ reason: 'invalid', detail }]);
    }
  });

  test.each([{}, { numbers: 'text' }, { strict: false }])(
    'is refused with a number that no double holds: %o',
    async (options) => {
      const body = JSON.stringify(moved({ label: true, weight: 12_345 }));
      const inexact = body.replace('12345', '0.12345678901234567890123');
      expect(inexact).not.toBe(body);
      expect(by(await run([inexact, body], options))).toEqual(['onInvalid', 'deviations']);
    },
  );

  test('is refused if more violations than are listed are possible', async () => {
    const tags = Array.from({ length: 99 }, () => true);
    expect(by(await run([moved({ tags })]))).toEqual(['deviations']);
    const ran = await run([moved({ tags: [...tags, true] })]);
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.records).toMatchObject([{ detail: 'too-many-violations' }]);
  });

  test('is handled once, as a valid one with the same identity is', async () => {
    const ran = await run([moved({ label: true }), moved({ label: true }), moved()]);
    expect(by(ran)).toEqual(['deviations']);
    expect(ran.statuses).toEqual([200, 200, 200]);
    expect(ran.records.map(({ reason }) => reason)).toEqual(['handled', 'duplicate', 'duplicate']);
  });

  test('releases its claim where its handler fails', async () => {
    let failures = 1;
    const ran = await run([moved({ label: true }), moved({ label: true })], {
      fails: () => failures-- > 0,
    });
    expect(by(ran)).toEqual(['deviations', 'deviations']);
    expect(ran.statuses).toEqual([500, 200]);
    expect(ran.records.map(({ reason, detail }) => [reason, detail])).toEqual([
      ['handler-failed', 'deviating'],
      ['handled', 'deviating'],
    ]);
  });

  test('has the detail of a failure of the replay store in its record', async () => {
    const confirm = (): never => {
      throw new Error('fails');
    };
    const replayStore = { claim: () => 'claimed', confirm, release: () => undefined };
    const ran = await run([moved({ label: true })], { replayStore });
    expect(by(ran)).toEqual(['deviations']);
    expect(ran.records).toMatchObject([{ reason: 'handled', detail: 'unconfirmed' }]);
  });
});

describe('a delivery of several events', () => {
  const list = (...all: readonly object[]): object => ({ type: 'moved', parcels: all });
  const captioned = (id: string, more: object = {}): object => {
    const { label: caption, ...members } = parcel({ id, ...more });
    return { ...members, caption };
  };

  test('hands over the events that deviate, between the valid ones', async () => {
    const ran = await run([
      list(captioned('P1'), captioned('P2', { tags: [true] }), captioned('P3')),
    ]);
    expect(by(ran)).toEqual(['on', 'deviations', 'on']);
    const [, [, event] = []] = ran.calls;
    expect(event).toMatchObject({
      form: 'list',
      data: { Parcel: { id: 'P2', label: 'fragile' } },
      violations: [{ pointer: '/Parcel/tags/0', keyword: 'type' }],
    });
  });

  test('is refused where one of them must not be handed over', async () => {
    const body = list(
      captioned('P1'),
      captioned('P2', { tags: [true] }),
      captioned('P3', { weight: '2' }),
    );
    const ran = await run([body]);
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.calls[0]?.[1]).toMatchObject({ events: [{ index: 0 }] });
    expect(ran.records).toMatchObject([{ reason: 'invalid', detail: 'touches-number' }]);
  });

  test('runs the handlers of valid events alone for `dispatch-valid`', async () => {
    const body = list(
      captioned('P1'),
      captioned('P2', { tags: [true] }),
      captioned('P3', { weight: '2' }),
    );
    const ran = await run([body], { onInvalid: () => 'dispatch-valid' });
    expect(by(ran)).toEqual(['on']);
    expect(ran.statuses).toEqual([200]);
  });

  test('is refused with an event that has no canonical form', async () => {
    const both = { ...captioned('P1'), label: 'x', tags: [true] };
    const ran = await run([list(both)]);
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.records).toMatchObject([{ detail: 'form' }]);
  });
});

describe('a union of kinds', () => {
  const twin = { type: 'twin', note: true };

  test('is handed over by its own name', async () => {
    const ran = await run([twin], { chosen: ['parcelHeldOrParcelKept'] });
    expect(ran.calls).toMatchObject([
      [
        'deviations',
        {
          kind: 'parcelHeldOrParcelKept',
          ambiguous: true,
          kinds: ['parcelHeld', 'parcelKept'],
          violations: [{ pointer: '/note', keyword: 'type' }],
        },
      ],
    ]);
  });

  test('is not handed over by the name of one of its kinds', async () => {
    const ran = await run([twin], { chosen: ['parcelHeld', 'parcelKept'] });
    expect(by(ran)).toEqual(['onInvalid']);
    expect(ran.records).toMatchObject([{ detail: 'not-chosen' }]);
  });

  test('is refused where a violation of one of its kinds concerns a number', async () => {
    const body = { ...twin, count: 'x' };
    const ran = await run([body], { chosen: ['parcelHeldOrParcelKept'] });
    expect(by(ran)).toEqual(['onInvalid']);
  });
});

describe('options', () => {
  test('a name of another kind is an error', () => {
    expect(() => parcels.handOver({ parcelLost: () => undefined })).toThrow(
      '`deviations` names parcelLost, which is not a kind of the contract',
    );
    expect(() => parcels.handOver({ parcelMoved: 'x' })).toThrow(
      '`deviations.parcelMoved` must be a function',
    );
  });

  test.each([[{ parcelMoved: () => undefined }], [{}], [() => undefined]])(
    'what `handOver` does not return is an error: %o',
    async (deviations) => {
      const message = '`deviations` requires `handOver(…)`';
      await expect(run([], { deviations })).rejects.toMatchObject({
        code: 'invalid-option',
        message: expect.stringContaining(message),
      });
      const handle = (): undefined => undefined;
      const options = { on: {}, otherwise: { rest: handle }, onInvalid: handle, deviations };
      expect(() => createDispatcher(orderedKinds, options as never)).toThrow(message);
    },
  );

  test('a receiver with an inbox leaves them to its worker', () => {
    const inbox = { receive: () => Promise.resolve({ status: 'stored' }) };
    const { createWebhooks, unauthenticated } = parcels.main;
    const deviations = parcels.handOver({});
    expect(() => createWebhooks({ authenticate: unauthenticated(), inbox, deviations })).toThrow(
      '`deviations` is an option of the worker',
    );
  });

  test.each(['orderBy', 'identifyBy'])('a worker does not take them with `%s`', (name) => {
    const deviations = createDeviations({ names: [], numbers: new Map(), places: [] }, {});
    const handle = (): undefined => undefined;
    const options = { on: {}, otherwise: { rest: handle }, onInvalid: handle, deviations };
    expect(() => createDispatcher(orderedKinds, options)).not.toThrow();
    expect(() => createDispatcher(orderedKinds, { ...options, [name]: handle })).toThrow(
      '`deviations` excludes `orderBy` and `identifyBy`',
    );
  });
});
