import { createWebhooks, type InvalidDelivery, unauthenticated } from '@instant-payment/webhooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { ledger } from './answered-contract.ts';
import { changeMember } from './change-member.ts';
import { contractFiles, objectAt, parseSpec, readSpec, textAt } from './contract-files.ts';
import { examples, kinds } from './notifications.ts';
import { witnesses } from './witnesses.ts';
import { runsOf } from '../some.ts';

interface Received {
  readonly status: number;
  /** What the handlers got, in their order; the kind is `null` for `otherwise`. */
  readonly events: readonly { readonly kind: string | null; readonly data: unknown }[];
  readonly invalid: readonly InvalidDelivery[];
}

const channels = objectAt(parseSpec('asyncapi.yaml'), 'channels');
const paths = new Map(
  kinds.map((kind) => {
    const address = Object.values(channels)
      .filter(isJsonObject)
      .find(({ messages }) => isJsonObject(messages) && kind in messages)?.['address'];
    return [kind, typeof address === 'string' ? address.replaceAll(/[{}]/gu, '') : ''] as const;
  }),
);

const bodies = new Map(examples.map(({ kind, name, value }) => [`${kind}.${name}`, value]));
const payer = objectAt(bodies.get('charge.with-payer'), 'Pix', 'payer');

/** An accepted reading: an example with changed members, and what a handler gets of them. */
interface Reading {
  /** Left out where a fact of the source is not enforced. */
  readonly entry?: string;
  readonly example: string;
  readonly sent: Readonly<Record<string, Json | undefined>>;
  /** Default: the members as they were sent. */
  readonly got?: Readonly<Record<string, Json | undefined>>;
}

const times = [
  '2026-01-30T12:05:00Z',
  '2026-01-30T12:05:00.123-03:00',
  '2026-01-30T12:05:00,5Z',
  '2026-01-30T12:05:00+0000',
  '2026-01-30T12:05:00-03',
  '2026-01-30T12:05Z',
  '2026-01-30T12:05.5Z',
  '2026-01-30T12Z',
  '2026-01-30T12:05:00',
  '20260130T120500Z',
  '20260130T120500',
  '20260130T1205-0300',
  '2026-030T12:05:00Z',
  '2026030T120500Z',
  '2026-W05-5T12:05:00Z',
  '2026W055T120500Z',
];

const readings: readonly Reading[] = [
  { entry: 'customer-errors-form', example: 'customer.done', sent: { errors: undefined } },
  { entry: 'customer-errors-form', example: 'customer.done', sent: { errors: [] } },
  {
    entry: 'platform-client-id-name',
    example: 'customer.done',
    sent: { platformClientId: undefined, acmePartnerId: '00000000-0000-4000-8000-000000000003' },
  },
  {
    entry: 'customer-errors-form',
    example: 'customer.done',
    sent: { errors: null },
    got: { errors: undefined },
  },
  ...['charge.with-payer', 'dueDateCharge.with-payer', 'staticCharge.with-payer'].flatMap(
    (example): readonly Reading[] => [
      { entry: 'payer-when-withheld', example, sent: { payer } },
      { entry: 'payer-when-withheld', example, sent: { payer: undefined } },
      { entry: 'payer-when-withheld', example, sent: { payer: null }, got: { payer: undefined } },
    ],
  ),
  ...[
    'cashoutStageOne.awaiting-confirmation',
    'cashoutStageOne.denied',
    'cashoutStageOne.array',
  ].flatMap((example): readonly Reading[] => [
    { entry: 'denial-confirmation-key', example, sent: { confirmationKey: 'a-key' } },
    { entry: 'denial-confirmation-key', example, sent: { confirmationKey: undefined } },
    {
      entry: 'denial-confirmation-key',
      example,
      sent: { confirmationKey: null },
      got: { confirmationKey: undefined },
    },
  ]),
  ...times.flatMap((time): readonly Reading[] => [
    { entry: 'date-time-form', example: 'cashoutStageTwo.completed', sent: { createdAt: time } },
    { entry: 'date-time-form', example: 'cashoutStageTwo.array', sent: { confirmedAt: time } },
  ]),
  { entry: 'code-lists', example: 'charge.with-payer', sent: { Status: 3 } },
  {
    entry: 'code-lists',
    example: 'charge.with-payer',
    sent: { OperationType: -1 },
  },
  { entry: 'code-lists', example: 'chargeReversal.refund', sent: { Status: 99 } },
  {
    entry: 'code-lists',
    example: 'cashoutStageTwo.completed',
    sent: { OperationType: 8 },
  },
  {
    entry: 'code-lists',
    example: 'cashoutReversal.credit',
    sent: { OperationType: 11 },
  },
  { entry: 'code-lists', example: 'cashoutReversal.credit', sent: { movementType: 2 } },
  ...['cashoutReversal.credit', 'cashoutStageOne.array', 'cashoutStageTwo.completed'].flatMap(
    (example): readonly Reading[] => [
      { entry: 'decimal-form', example, sent: { amount: 19.9 } },
      { entry: 'decimal-form', example, sent: { amount: '19.90' }, got: { amount: 19.9 } },
    ],
  ),
  {
    entry: 'decimal-form',
    example: 'dueDateCharge.with-payer',
    sent: { Amount: '19.90', Discount: '0', Interest: null },
    got: { Amount: 19.9, Discount: 0, Interest: null },
  },
  { example: 'customer.done', sent: { status: 'REFUSED' } },
  {
    entry: 'document-types',
    example: 'customer.done',
    sent: { document: { type: 'CPF', number: '99999999999' } },
  },
  ...['PENDING', 'PROCESSING', 'DONE'].map((status): Reading => ({
    entry: 'customer-completed-status',
    example: 'customer.done',
    sent: { status },
  })),
  ...[null, 'EXAMPLE-END-TO-END-ID-0016'].flatMap((endToEndId): readonly Reading[] =>
    [null, '2026-01-30T12:05:00Z'].map((confirmedAt) => ({
      entry: confirmedAt === null ? 'failed-cashout-end-to-end-id' : 'cashout-confirmed-meaning',
      example: 'cashoutStageTwo.failed',
      sent: { endToEndId, confirmedAt },
    })),
  ),
  { example: 'charge.with-payer', sent: { Amount: 10 } },
];

describe('while the questions are open, a receiver accepts each reading, and gives it one form', () => {
  test.each(readings)('$entry: $example with $sent', async ({ example, sent, got = sent }) => {
    const { status, events, invalid } = await deliver(example, changed(example, sent));
    expect({ status, invalid }).toEqual({ status: 200, invalid: [] });
    expect(events).toHaveLength(1);
    const [{ kind, data }] = events as [{ kind: string | null; data: Json }];
    // A denial and a failure can look alike: their event is a union of both kinds.
    expect(kind?.toLowerCase()).toContain(example.split('.')[0]?.toLowerCase());
    const members = membersOf(data);
    for (const [name, value] of Object.entries(got)) {
      expect(Object.hasOwn(members, name), name).toBe(value !== undefined);
      if (value !== undefined) expect(members[name]).toEqual(value);
    }
  });

  test.each(['2026-01-30T12:05:00−03:00', '2026-01-30T12:05-03', '2026-99-99T99:99:99Z'])(
    'a date-time in the form of ISO 8601 arrives as it is: %s',
    async (createdAt) => {
      const example = 'cashoutStageTwo.completed';
      const { events, invalid } = await deliver(example, changed(example, { createdAt }));
      expect(invalid).toEqual([]);
      expect(events.map(({ data }) => membersOf(data as Json)['createdAt'])).toEqual([createdAt]);
    },
  );

  test.each([
    '',
    'yesterday',
    '2026-01-30',
    '12:05:00',
    '2026-01-30 12:05:00',
    '30.01.2026T12:05',
    // An expanded year needs an agreement of both sides.
    '+002026-01-30T12:05:00Z',
  ])('what is not a date-time of ISO 8601 reaches onInvalid: %s', async (createdAt) => {
    const example = 'cashoutStageTwo.completed';
    const { events, invalid } = await deliver(example, changed(example, { createdAt }));
    expect(events).toEqual([]);
    expect(invalid.map(({ violations }) => violations[0]?.pointer)).toEqual(['/Pix/createdAt']);
  });

  test('an amount that no double holds reaches onInvalid with its exact text', async () => {
    const text = JSON.stringify(bodies.get('cashoutStageTwo.completed')).replace(
      '250.75',
      '12345678901234567.89',
    );
    const { status, events, invalid } = await deliver('cashoutStageTwo.completed', text);
    expect([status, events]).toEqual([422, []]);
    expect(invalid).toMatchObject([
      { reason: 'number', text, data: { Pix: { amount: '12345678901234567.89' } } },
    ]);
  });

  test('a body that contradicts its label reaches onInvalid', async () => {
    const body = bodies.get('dueDateCharge.with-payer') ?? null;
    const { status, events, invalid } = await deliver('charge.with-payer', body);
    expect([status, events]).toEqual([422, []]);
    expect(invalid).toMatchObject([{ reason: 'other-kind', data: body }]);
  });

  test('no status is taken for a repetition of an earlier one', async () => {
    const { fetch, events } = receiver();
    for (const status of ['PENDING', 'PROCESSING', 'PENDING', 'PENDING']) {
      const body = JSON.stringify(changed('customer.done', { status }));
      await fetch(new Request('http://127.0.0.1/', { method: 'POST', body }));
    }
    expect(events.map(({ data }) => textAt(data as Json, 'status'))).toEqual([
      'PENDING',
      'PROCESSING',
      'PENDING',
      'PENDING',
    ]);
  });

  test.each([
    ['Pix as a list', (object: Json) => ({ Pix: [object] })],
    ['pix as an object', (object: Json) => ({ pix: object })],
  ])('a form of cash-outs that the source does not show is not lost: %s', async (_, form) => {
    const { Pix = null } = bodies.get('cashoutStageTwo.completed') as JsonObject;
    const body = form(Pix) as Json;
    const labelled = await deliver('cashoutStageTwo.completed', body);
    expect(labelled.events).toEqual([]);
    expect(labelled.invalid).toMatchObject([{ data: body }]);
    const unlabelled = await deliver('', body);
    expect(unlabelled.events).toEqual([]);
    expect(unlabelled.invalid).toMatchObject([{ data: body }]);
  });
});

test('an empty list of cash-outs reaches otherwise', async () => {
  for (const example of ['cashoutStageTwo.completed', '']) {
    const { status, events } = await deliver(example, { pix: [] });
    expect({ status, events }).toMatchObject({
      status: 200,
      events: [{ kind: null, data: { pix: [] } }],
    });
  }
});

/** Every change of one member: another value in its place, or none. */
const replacements: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json | undefined>(undefined, null, 0, 1, 2, '1', '', true, [], {}),
);

const changedBodies: fc.Arbitrary<Json> = fc
  .tuple(
    fc.constantFrom(...bodies.values()),
    fc.array(fc.tuple(fc.nat(40), replacements), { maxLength: 3 }),
  )
  .map(([body, changes]) =>
    changes.reduce<Json>((value, [place, other]) => changeMember(value, place, other), body),
  );

/** Texts that are JSON and no example at all, with duplicate keys and numbers beyond a double among them. */
const texts = fc.oneof(
  changedBodies.map((body) => JSON.stringify(body)),
  fc.json({ maxDepth: 6 }),
  fc.constantFrom(
    '1e400',
    '0.1000000000000000000001',
    '{"Pix":{},"Pix":{}}',
    '{"__proto__":{"Pix":1}}',
    `${'['.repeat(100)}${']'.repeat(100)}`,
    '{"pix":[]}',
    '{"pix":[[],{},null]}',
    '{"Pix":{},"pix":[]}',
  ),
);

test('every authentic delivery whose body is JSON reaches a handler, otherwise or onInvalid', async () => {
  const urls = fc.oneof(
    fc.constantFrom(...paths.values(), '/', '/hooks', '/hooks/client', '/v1/apm/pix/%2F/reverse/x'),
    fc.webPath(),
  );
  await fc.assert(
    fc.asyncProperty(texts, urls, fc.constantFrom('POST', 'PUT'), async (text, path, method) => {
      const { fetch, events, invalid } = receiver();
      const sent = { method, body: text };
      const { status } = await fetch(new Request(`http://127.0.0.1${path}`, sent));
      // A delivery is acknowledged by handlers or refused by onInvalid, never both, and never by neither.
      expect([events.length > 0, invalid.length]).toEqual(status === 200 ? [true, 0] : [false, 1]);
      if (status !== 200) expect([422, 404, 400]).toContain(status);
      for (const delivery of invalid) expect(delivery.text).toBe(text);
    }),
    { numRuns: runsOf(2000) },
  );
});

describe('the table of widened properties in spec/README.md', () => {
  const rows = readSpec('README.md')
    .split('## An open question widens')[1]
    ?.split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const listed = new Map(
    rows?.flatMap(([, property = '', , form = '', ids = '']) =>
      [...ids.matchAll(/`(?<id>[^`]+)`/gu)].map(
        (match) => [match.groups?.['id'] ?? '', { property, form }] as const,
      ),
    ),
  );

  test('names entries of the ledger', () => {
    const ids = new Set(ledger.map(({ id }) => id));
    expect(listed.size).toBeGreaterThan(0);
    expect([...listed.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });

  test('names every entry whose answer narrows what a receiver accepts', () => {
    // A call; those of whose answers each accepts more than before; and what an option of the receiver decides.
    const otherEntries = [
      'repeated-request-id',
      'lower-case-forms',
      'member-presence',
      'notification-authentication',
    ];
    const narrowing = [...Object.keys(witnesses), 'delivery-identity'].filter(
      (id) => !otherEntries.includes(id),
    );
    expect(narrowing.filter((id) => !listed.has(id))).toEqual([]);
    expect(readings.flatMap(({ entry }) => entry ?? []).filter((id) => !listed.has(id))).toEqual(
      [],
    );
  });

  test('names every member for which a value stands as if it were missing', () => {
    const membersOfFiles = [...contractFiles()].flatMap(([, file]) => membersWithVariants(file));
    expect(membersOfFiles.length).toBeGreaterThan(0);
    for (const { name, ids } of membersOfFiles) {
      const row = ids.map((id) => listed.get(id)).find((candidate) => candidate !== undefined);
      expect(row?.property, name).toContain(name);
      expect(row?.form, name).toContain('missing');
    }
  });
});

/** Properties with a variant that is read as a missing member, with the ids of their questions. */
function membersWithVariants(
  file: JsonObject,
): readonly { readonly name: string; readonly ids: readonly string[] }[] {
  const { properties } = file;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isJsonObject(property) || property['x-variants'] === undefined) return [];
    return [{ name, ids: Object.keys(objectAt(property, 'x-unstated')) }];
  });
}

function receiver(): ReturnType<typeof createWebhooks> & {
  readonly events: { readonly kind: string | null; readonly data: unknown }[];
  readonly invalid: InvalidDelivery[];
} {
  const events: { kind: string | null; data: unknown }[] = [];
  const invalid: InvalidDelivery[] = [];
  const webhooks = createWebhooks({
    authenticate: unauthenticated(),
    on: {},
    otherwise: { rest: (event) => void events.push(event) },
    onInvalid: (delivery) => void invalid.push(delivery),
  });
  return { ...webhooks, events, invalid };
}

/** Sends a body to the label of an example's kind, or to the webhook's URL. */
async function deliver(example: string, body: Json): Promise<Received> {
  const { fetch, events, invalid } = receiver();
  const kind = example.split('.')[0] ?? '';
  const sent = {
    method: kind === 'chargeReversal' ? 'PUT' : 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  const url = `http://127.0.0.1/hooks${paths.get(kind) ?? ''}`;
  const { status } = await fetch(new Request(url, sent));
  return { status, events, invalid };
}

/** The body of an example with other members, in `Pix`, in the elements of `pix`, or at the root. */
function changed(example: string, members: Readonly<Record<string, Json | undefined>>): Json {
  const body = bodies.get(example);
  if (!isJsonObject(body)) throw new TypeError(`no example ${example}`);
  const { Pix = null, pix } = body;
  const edit = (value: Json): object => ({ ...(value as JsonObject), ...members });
  if (Array.isArray(pix)) return { pix: (pix as readonly Json[]).map(edit) } as unknown as Json;
  return (Pix === null ? edit(body) : { ...body, Pix: edit(Pix) }) as Json;
}

function membersOf(data: Json): JsonObject {
  const object = isJsonObject(data) && isJsonObject(data['Pix']) ? data['Pix'] : data;
  return isJsonObject(object) ? object : {};
}
