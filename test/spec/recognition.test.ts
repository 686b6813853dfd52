import { gzipSync } from 'node:zlib';
import { createWebhooks, unauthenticated } from '@instant-payment/webhooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { type Answers, importPackages, type Packages, readAnswered } from './answered-contract.ts';
import { runsOf, someOf } from '../some.ts';

type Members = Readonly<Record<string, Json | undefined>>;

/** How a body is sent. */
interface Sent {
  /** Default: `/hook`, the URL of the webhook. */
  readonly path?: string;
  readonly method?: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
}

const labels = {
  customer: '/client',
  charge: '/v1/apm/pix/charges',
  dueDateCharge: '/v2/apm/pix/charge/due-date/T1',
  staticCharge: '/v2/apm/pix/charge/static',
  chargeReversal: '/v1/apm/pix/E1/reverse/T1',
  cashout: '/v2/apm/pix/cashout',
} as const;

const payer = {
  name: 'Payer',
  document: '99999999999',
  ispb: '99999999',
  agency: '0001',
  accountNumber: '1',
  accountType: 'CHECKING',
};
const transaction = { endToEndId: 'E1', txid: 'T1', chave: 'a@key', Status: 1, OperationType: 0 };
const amounts = {
  Amount: 10.5,
  OriginalAmount: 10.5,
  Discount: null,
  Reduction: 0,
  Penalty: null,
  Interest: 0.25,
};
const reversal = { ...transaction, OperationType: 2 };
const cashout = {
  txid: 'T1',
  endToEndId: null,
  createdAt: '2026-01-30T12:00:00Z',
  confirmedAt: null,
  pixKey: 'a@key',
  receiverDocument: '99999999999',
  receiverPixKey: 'r@key',
  amount: 250.75,
  confirmationKey: 'a-key',
  Status: 0,
  OperationType: 7,
};
const confirmed = { endToEndId: 'E1', confirmedAt: '2026-01-30T12:05:00Z' };
const cashoutReversal = {
  endToEndId: 'E2',
  EndToEndOriginal: 'E1',
  txid: 'T1',
  chave: 'a@key',
  Status: 1,
  OperationType: 10,
  amount: 250.75,
  payerDocument: '99999999999',
  movementType: 1,
};
const customer = {
  protocolId: 'P1',
  externalProtocolId: 'X1',
  platformClientId: 'C1',
  document: { type: 'CNPJ', number: '99999999999999' },
  status: 'DONE',
};

const toPix = (members: Members): object => ({ Pix: members });
const lower = ({ Status, OperationType, ...members }: Members): Members => ({
  ...members,
  status: Status,
  operationType: OperationType,
});
const toArray = (...all: readonly Members[]): object => ({ pix: all.map(lower) });

const eitherCharge = 'chargeOrChargeReversal';
const eitherAmounts = 'dueDateChargeOrStaticCharge';
const eitherStage = 'cashoutStageOneOrCashoutStageTwo';

type Row = readonly [what: string, body: unknown, expected: string, sent?: Sent];

const charges: readonly Row[] = [
  ['a charge', toPix(transaction), eitherCharge],
  ['a charge with payer', toPix({ ...transaction, payer }), eitherCharge],
  ['a charge with payer null', toPix({ ...transaction, payer: null }), eitherCharge],
  ['a reversal', toPix(reversal), eitherCharge],
  ['a reversal with payer', toPix({ ...reversal, payer }), eitherCharge],
  ['a reversal with payer, by PUT', toPix({ ...reversal, payer }), eitherCharge, { method: 'PUT' }],
  [
    'a reversal with payer and its label',
    toPix({ ...reversal, payer }),
    'chargeReversal',
    { method: 'PUT', path: `/hook${labels.chargeReversal}` },
  ],
  [
    'a reversal with payer null and its label',
    toPix({ ...reversal, payer: null }),
    'chargeReversal',
    { method: 'PUT', path: `/hook${labels.chargeReversal}` },
  ],
  [
    'a charge with payer and its label',
    toPix({ ...transaction, payer }),
    'charge',
    { path: `/hook${labels.charge}` },
  ],
  ['a charge with amounts', toPix({ ...transaction, ...amounts }), eitherAmounts],
  [
    'a charge with amounts and the label of a due-date charge',
    toPix({ ...transaction, ...amounts }),
    'dueDateCharge',
    { path: `/hook${labels.dueDateCharge}` },
  ],
  [
    'a charge with amounts and the label of a plain charge',
    toPix({ ...transaction, ...amounts }),
    'onInvalid other-kind',
    { path: `/hook${labels.charge}` },
  ],
  [
    'amounts as texts',
    toPix({ ...transaction, ...amounts, Amount: '10.50', Interest: '0.25' }),
    eitherAmounts,
  ],
];

/** Codes of a cash-out with the kinds that it has without and with a proof of stage 2. */
const codes = [
  [0, 'cashoutStageOne', 'cashoutStageTwo'],
  [1, eitherStage, 'cashoutStageTwo'],
  [2, eitherStage, 'cashoutStageTwo'],
  [3, 'cashoutStageOne', 'cashoutStageTwo'],
] as const;

const cashouts: readonly Row[] = codes.flatMap(([Status, open, proven]): readonly Row[] => {
  const withCode = { ...cashout, Status };
  const { endToEndId, confirmedAt } = confirmed;
  return [
    [`code ${Status}, both null`, toPix(withCode), open],
    [`code ${Status}, both null, in the array`, toArray(withCode), open],
    [`code ${Status}, both set`, toPix({ ...withCode, ...confirmed }), proven],
    [`code ${Status}, an identifier`, toPix({ ...withCode, endToEndId }), proven],
    [`code ${Status}, a time`, toPix({ ...withCode, confirmedAt }), proven],
    [`code ${Status}, a time, in the array`, toArray({ ...withCode, confirmedAt }), proven],
    [
      `code ${Status}, both null, with the label`,
      toPix(withCode),
      open,
      { path: `/hook${labels.cashout}` },
    ],
  ];
});

const { endToEndId: _, ...withoutIdentifier } = cashout;
const { Discount: _discount, ...withoutDiscount } = amounts;
const { name: _name, ...payerWithoutName } = payer;

const otherForms: readonly Row[] = [
  ['the array under Pix', { Pix: [cashout] }, 'onInvalid schema'],
  ['the object under pix', { pix: cashout }, 'onInvalid form'],
  ['lower-case members under Pix', toPix(lower(cashout)), 'onInvalid schema'],
  [
    'lower-case members of stage 2 under Pix',
    toPix(lower({ ...cashout, ...confirmed })),
    'onInvalid schema',
  ],
  ['null under pix', { pix: null }, 'onInvalid form'],
  ['charges in an array under pix', { pix: [transaction] }, 'onInvalid schema'],
  ['charges in an array under Pix', { Pix: [transaction] }, 'onInvalid schema'],
  ['null under Pix', { Pix: null }, 'onInvalid schema'],
  ['customers in an array', [customer], 'onInvalid schema'],
  ['charges in an array', [toPix(transaction)], 'onInvalid schema'],
  ['an empty array under pix', { pix: [] }, 'otherwise'],
  [
    'two stages in one array',
    toArray(cashout, { ...cashout, ...confirmed }),
    'cashoutStageOne, cashoutStageTwo',
  ],
];

const absences: readonly Row[] = [
  ['no identifier at stage 1', toPix(withoutIdentifier), 'onInvalid schema'],
  ['no discount', toPix({ ...transaction, ...withoutDiscount }), 'onInvalid schema'],
  [
    'a null identifier of a canceled charge',
    toPix({ ...transaction, Status: 2, endToEndId: null }),
    'onInvalid schema',
  ],
  [
    'a customer without external identifier',
    { ...customer, externalProtocolId: null },
    'onInvalid schema',
  ],
  ['no key of the receiver', toPix({ ...cashout, receiverPixKey: null }), 'onInvalid schema'],
  [
    'an incomplete payer, with the label',
    toPix({ ...transaction, payer: payerWithoutName }),
    'onInvalid schema',
    { path: labels.charge },
  ],
  ['no confirmation key', toPix({ ...cashout, confirmationKey: undefined }), 'cashoutStageOne'],
  ['a null confirmation key', toPix({ ...cashout, confirmationKey: null }), 'cashoutStageOne'],
  ['no code', toPix({ ...cashout, Status: undefined }), 'onInvalid schema'],
];

const decimals: readonly Row[] = [
  ['a text', toPix({ ...cashout, amount: '250.75' }), 'cashoutStageOne'],
  ['a text in the array', toArray({ ...cashout, amount: '250.75' }), 'cashoutStageOne'],
  ['a text in a reversal', toPix({ ...cashoutReversal, amount: '250' }), 'cashoutReversal'],
  ['a text with a comma', toPix({ ...cashout, amount: '250,75' }), 'onInvalid schema'],
  [
    'a text with more digits than a double',
    toPix({ ...cashout, amount: '9007199254740993' }),
    'onInvalid schema',
  ],
  ['an empty text', toPix({ ...cashout, amount: '' }), 'onInvalid schema'],
];

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const chargeBytes = Buffer.from(JSON.stringify(toPix(transaction)));
const labelled: Sent = { path: `/hook${labels.charge}` };

const transports: readonly Row[] = [
  ['a trailing slash of the URL', customer, 'customer', { path: '/hook//client' }],
  ['a trailing slash of the root', customer, 'customer', { path: '//client' }],
  [
    'a trailing slash of the URL and of the label',
    customer,
    'customer',
    { path: '/hook//client/' },
  ],
  [
    'an empty segment inside a label',
    toPix(transaction),
    'onInvalid path',
    { path: '/hook/v1//apm/pix/charges' },
  ],
  ['an empty segment before the join', customer, 'onInvalid path', { path: '//hook/client' }],
  ['two empty segments', customer, 'onInvalid path', { path: '/hook///client' }],
  ['an empty segment and no label', customer, 'onInvalid path', { path: '/hook//other' }],
  // Without the option `mount`, a URL that ends in a label has that label.
  ['a URL that ends in a label', customer, 'customer', { path: '/webhooks/client' }],
  [
    'a URL that ends in the label of another kind',
    toPix(transaction),
    'onInvalid other-kind',
    { path: '/webhooks/client' },
  ],
  [
    'a URL that ends in a label, with the label of the kind',
    toPix(transaction),
    'charge',
    { path: `/webhooks/client${labels.charge}` },
  ],
  ['a byte order mark', Buffer.concat([mark, chargeBytes]), 'charge', labelled],
  ['two byte order marks', Buffer.concat([mark, mark, chargeBytes]), 'onInvalid body', labelled],
  [
    'gzip',
    gzipSync(chargeBytes),
    'onInvalid encoding',
    { ...labelled, headers: { 'content-encoding': 'gzip' } },
  ],
  [
    'Latin-1',
    Buffer.from(JSON.stringify(toPix({ ...transaction, chave: 'José' })), 'latin1'),
    'onInvalid encoding',
    labelled,
  ],
  [
    'UTF-16',
    Buffer.from(`\uFEFF${chargeBytes.toString()}`, 'utf16le'),
    'onInvalid encoding',
    labelled,
  ],
  ['a body that is not JSON', Buffer.from('Pix=1'), 'onInvalid body', labelled],
  ['a body without anything', Buffer.alloc(0), 'onInvalid body', labelled],
  ['a customer', customer, 'customer'],
  ['a cash-out reversal', toPix(cashoutReversal), 'cashoutReversal'],
  ['a body of another service', { order: 1 }, 'otherwise'],
  ['a text', '"Pix"', 'otherwise'],
];

describe('which notification a delivery is, while every question is open', () => {
  const rows = [
    ...[...charges, ...cashouts].map((row) => ['a body', ...row] as const),
    ...otherForms.map((row) => ['another form', ...row] as const),
    ...absences.map((row) => ['the presence of a member', ...row] as const),
    ...decimals.map((row) => ['the form of a decimal', ...row] as const),
    ...transports.map((row) => ['the request', ...row] as const),
  ];
  for (const [about, what, body, expected, sent] of rows)
    test(`${about}: ${what}: ${expected}`, async () => {
      expect(await deliver(body, sent)).toBe(expected);
    });

  test('a handler gets a decimal as a number, however it is written', async () => {
    const seen: unknown[] = [];
    const { fetch } = createWebhooks({
      authenticate: unauthenticated(),
      on: {},
      otherwise: { rest: ({ data }) => void seen.push((data as { Pix: Members }).Pix['amount']) },
      onInvalid: () => undefined,
    });
    for (const body of [
      toPix({ ...cashout, amount: '250.75' }),
      toArray({ ...cashout, amount: '0250.750' }, { ...cashout, amount: 250.75 }),
      toPix({ ...cashoutReversal, amount: '-0.5' }),
    ])
      await fetch(new Request('http://127.0.0.1/', { method: 'POST', body: JSON.stringify(body) }));
    expect(seen).toEqual([250.75, 250.75, 250.75, -0.5]);
  });
});

/** A delivery in a reading that the source permits, and what may become of it. */
interface Permitted extends Sent {
  readonly body: unknown;
  readonly encode: 'plain' | 'mark' | 'gzip' | 'latin1';
  readonly outcomes: readonly string[];
}

const code = fc.constantFrom(0, 1, 2, 3, 99, -1);
const decimal = fc.constantFrom<Json>(10, 19.99, 0, 1e2, '10', '19.90', '-0.5');
const nullable = fc.oneof(decimal, fc.constant(null));
const payers = fc.constantFrom<Json | undefined>(undefined, null, payer);
const times = fc.constantFrom('2026-01-30T12:05:00Z', '20260130T120500', '2026-W05-5T12:05:00-03');
const unlisted = fc.constantFrom<JsonObject>({}, { extra: 1, tags: ['a', null] }, { origin: {} });

const aTransaction = fc.record({
  endToEndId: fc.constant('E1'),
  txid: fc.constantFrom('T1', 'José'),
  chave: fc.string(),
  Status: code,
  OperationType: code,
});
const someAmounts = fc.record({
  Amount: decimal,
  OriginalAmount: decimal,
  Discount: nullable,
  Reduction: nullable,
  Penalty: nullable,
  Interest: nullable,
});
const aCashout = fc.record({
  txid: fc.string(),
  createdAt: times,
  pixKey: fc.string(),
  receiverDocument: fc.string(),
  receiverPixKey: fc.string(),
  amount: decimal,
  confirmationKey: fc.constantFrom<Json | undefined>(undefined, null, 'a-key'),
  Status: code,
  OperationType: fc.constantFrom(7, 8),
  endToEndId: fc.constantFrom<Json>(null, 'E1'),
  confirmedAt: fc.oneof(fc.constant(null), times),
});
const aCashoutReversal = fc.record({
  ...Object.fromEntries(
    ['endToEndId', 'EndToEndOriginal', 'txid', 'chave', 'payerDocument'].map((name) => [
      name,
      fc.string(),
    ]),
  ),
  Status: code,
  OperationType: fc.constantFrom(10, 11),
  amount: decimal,
  movementType: fc.constantFrom(0, 1, 2),
});
const aCustomer = fc.record({
  protocolId: fc.string(),
  externalProtocolId: fc.string(),
  document: fc.constant({ type: 'CPF', number: '1' }),
  status: fc.constantFrom('PENDING', 'PROCESSING', 'DONE', 'OTHER'),
  errors: fc.constantFrom<Json | undefined>(undefined, null, [], [{ code: 'C', message: 'M' }]),
});

/** Returns the kinds that the source permits for a cash-out. */
function kindOfCashout({ Status, endToEndId, confirmedAt }: Members): string {
  if (endToEndId !== null || confirmedAt !== null) return 'cashoutStageTwo';
  return Status === 1 || Status === 2 ? eitherStage : 'cashoutStageOne';
}

type Content = Pick<Permitted, 'body' | 'outcomes' | 'path'>;

const ofLabel = (
  members: fc.Arbitrary<Members>,
  label: string,
  kind: string,
  union: string,
): fc.Arbitrary<Content> =>
  fc.tuple(members, unlisted, fc.boolean()).map(([some, more, isLabelled]) => ({
    body: toPix({ ...more, ...some }),
    outcomes: [isLabelled ? kind : union],
    path: isLabelled ? label : '',
  }));

const contents: fc.Arbitrary<Content> = fc.oneof(
  fc
    .tuple(aCustomer, unlisted, fc.constantFrom('', labels.customer))
    .map(([some, more, path]) => ({ body: { ...more, ...some }, outcomes: ['customer'], path })),
  ofLabel(
    fc.tuple(aTransaction, payers).map(([some, by]) => ({ ...some, payer: by })),
    labels.charge,
    'charge',
    eitherCharge,
  ),
  ofLabel(
    fc.tuple(aTransaction, payers).map(([some, by]) => ({ ...some, payer: by })),
    labels.chargeReversal,
    'chargeReversal',
    eitherCharge,
  ),
  ofLabel(
    fc
      .tuple(aTransaction, someAmounts, payers)
      .map(([some, of, by]) => ({ ...some, ...of, payer: by })),
    labels.dueDateCharge,
    'dueDateCharge',
    eitherAmounts,
  ),
  ofLabel(
    fc.tuple(aTransaction, someAmounts).map(([some, of]) => ({ ...some, ...of })),
    labels.staticCharge,
    'staticCharge',
    eitherAmounts,
  ),
  fc.tuple(aCashout, unlisted, fc.constantFrom('', labels.cashout)).map(([some, more, path]) => ({
    body: toPix({ ...more, ...some }),
    outcomes: [kindOfCashout(some)],
    path,
  })),
  fc
    .tuple(fc.array(aCashout, { minLength: 1, maxLength: 3 }), fc.constantFrom('', labels.cashout))
    .map(([all, path]) => ({
      body: toArray(...all),
      outcomes: [all.map(kindOfCashout).join(', ')],
      path,
    })),
  // Forms that the ledger asks about, and no table or sample shows.
  aCashout.chain((some) =>
    fc.constantFrom<Content>(
      ...[{ Pix: [some] }, { pix: some }, { pix: lower(some) }, toPix(lower(some))].map((body) => ({
        body,
        outcomes: ['onInvalid schema', 'onInvalid form'],
        path: '',
      })),
    ),
  ),
  aCashoutReversal.map((some) => ({ body: toPix(some), outcomes: ['cashoutReversal'], path: '' })),
);

/** Listed members that are missing or null, where the tables do not say so: they keep the kind, or are refused. */
const incomplete: fc.Arbitrary<Content> = fc
  .tuple(contents, fc.nat(10), fc.constantFrom(null, undefined))
  .map(([content, place, value]) => {
    const { Pix } = content.body as { Pix?: Members | readonly Members[] };
    if (Pix === undefined || Array.isArray(Pix)) return content;
    const names = Object.keys(Pix).filter(
      (name) => name !== 'pixKey' && name !== 'EndToEndOriginal',
    );
    const name = names[place % names.length] ?? '';
    const changed = { ...(Pix as Members), [name]: value };
    const kinds = content.outcomes.flatMap((kind) =>
      kind.includes('ashoutStage') ? ['cashoutStageOne', eitherStage, kind] : [kind],
    );
    return { ...content, body: toPix(changed), outcomes: [...kinds, 'onInvalid schema'] };
  });

const permitted: fc.Arbitrary<Permitted> = fc
  .record({
    content: fc.oneof({ weight: 4, arbitrary: contents }, { weight: 1, arbitrary: incomplete }),
    base: fc.constantFrom('', '/hook', '/a/b'),
    slash: fc.constantFrom('', '/'),
    method: fc.constantFrom<'POST' | 'PUT'>('POST', 'PUT'),
    encode: fc.constantFrom<Permitted['encode']>(
      'plain',
      'plain',
      'plain',
      'mark',
      'gzip',
      'latin1',
    ),
  })
  .map(({ content, base, slash, method, encode }) => ({
    ...content,
    method,
    encode,
    path: `${base}${slash}${content.path ?? ''}` || '/',
  }));

test('2,000 deliveries in readings that the source permits reach their kind, its union or onInvalid', async () => {
  const reached = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(permitted, async ({ body, encode, outcomes, ...sent }) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const isRefused =
        encode === 'gzip' || (encode === 'latin1' && /[\u0080-\u00ff]/u.test(bytes.toString()));
      const headers = encode === 'gzip' ? { 'content-encoding': 'gzip' } : {};
      const reachedKinds = await deliver(encodeBody(bytes, encode), { ...sent, headers });
      for (const kind of reachedKinds.split(', ')) reached.set(kind, (reached.get(kind) ?? 0) + 1);
      expect(isRefused ? ['onInvalid encoding', ...outcomes] : outcomes).toContain(reachedKinds);
    }),
    { numRuns: runsOf(2000) },
  );
  // Every kind and union was reached, and none by mistake.
  expect([...reached.keys()].filter((name) => !name.startsWith('onInvalid')).toSorted()).toEqual(
    [
      'cashoutReversal',
      'cashoutStageOne',
      eitherStage,
      'cashoutStageTwo',
      'charge',
      eitherCharge,
      'chargeReversal',
      'customer',
      'dueDateCharge',
      eitherAmounts,
      'staticCharge',
    ].toSorted(),
  );
});

function encodeBody(bytes: Buffer, encode: Permitted['encode']): Buffer {
  switch (encode) {
    case 'mark':
      return Buffer.concat([mark, bytes]);
    case 'gzip':
      return gzipSync(bytes);
    case 'latin1':
      return Buffer.from(bytes.toString(), 'latin1');
    case 'plain':
      return bytes;
    default:
      throw new TypeError(`There is no encoding ${String(encode satisfies never)}.`);
  }
}

/** Answers, a valid body at the webhook's URL, and what becomes of it: what contradicts an answer is never lost. */
type Contradiction = readonly [answers: Answers, members: Members, expected: string];

const contradictions: readonly Contradiction[] = [
  [
    { 'failed-cashout-end-to-end-id': 'null-value' },
    { Status: 2, endToEndId: 'E1' },
    'onInvalid contradiction',
  ],
  [
    { 'failed-cashout-end-to-end-id': 'null-value' },
    { Status: 2, confirmedAt: confirmed.confirmedAt },
    'cashoutStageTwo',
  ],
  [
    { 'failed-cashout-end-to-end-id': 'present', 'cashout-confirmed-meaning': 'requested' },
    { Status: 2, confirmedAt: confirmed.confirmedAt },
    'onInvalid contradiction',
  ],
  [
    { 'failed-cashout-end-to-end-id': 'present', 'cashout-confirmed-meaning': 'requested' },
    { Status: 2 },
    'cashoutStageOne',
  ],
  [
    { 'cashout-confirmed-meaning': 'succeeded' },
    { Status: 2, ...confirmed },
    'onInvalid contradiction',
  ],
  [
    { 'cashout-confirmed-meaning': 'requested' },
    { Status: 2, endToEndId: 'E1' },
    'onInvalid contradiction',
  ],
  [{ 'cashout-denial-status': 'other' }, { Status: 2 }, 'cashoutStageTwo'],
  [{ 'cashout-denial-status': 'other' }, { Status: 3 }, 'cashoutStageOne'],
];

describe('after an answer, a valid body that contradicts it reaches onInvalid', () => {
  const packages = new Map<string, Promise<Packages>>();
  const packagesOf = (answers: Answers): Promise<Packages> => {
    const key = JSON.stringify(answers);
    const importing = packages.get(key) ?? importAnswered(answers);
    packages.set(key, importing);
    return importing;
  };

  test.each<Contradiction>(someOf(3, contradictions))(
    '%o: a cash-out with %o: %s',
    async (answers, members, expected) => {
      const { webhooks } = await packagesOf(answers);
      const body = toPix({ ...cashout, ...members });
      expect(await deliver(body, {}, webhooks.createWebhooks)).toBe(expected);
    },
  );

  test.each<readonly [Answers, unknown, string, Sent]>([
    [
      { 'charge-or-reversal': 'operation-type' },
      toPix({ ...reversal, payer }),
      'chargeReversal',
      {},
    ],
    [{ 'charge-or-reversal': 'operation-type' }, toPix({ ...transaction, payer }), 'charge', {}],
    [
      { 'charge-or-reversal': 'operation-type' },
      toPix({ ...transaction, OperationType: undefined }),
      'onInvalid schema',
      {},
    ],
    [
      { 'label-in-url': 'appended' },
      toPix({ ...transaction, payer }),
      'onInvalid contradiction',
      {},
    ],
    [{ 'label-in-url': 'appended' }, customer, 'onInvalid contradiction', {}],
    [{ 'label-in-url': 'appended' }, toPix(cashout), 'cashoutStageOne', {}],
    [{ 'label-in-url': 'appended' }, { order: 1 }, 'otherwise', {}],
    [{ 'label-method': 'as-labelled' }, customer, 'onInvalid contradiction', { method: 'PUT' }],
    [{ 'label-method': 'as-labelled' }, customer, 'customer', { method: 'POST' }],
    [{ 'label-method': 'as-labelled' }, toPix(transaction), 'chargeReversal', { method: 'PUT' }],
    [{ 'decimal-form': 'number' }, toPix({ ...cashout, amount: '1.5' }), 'onInvalid schema', {}],
    [{ 'decimal-form': 'string' }, toPix({ ...cashout, amount: '1.5' }), 'cashoutStageOne', {}],
    [{ 'decimal-form': 'string' }, toPix(cashout), 'onInvalid schema', {}],
  ])('%o: %o: %s', async (answers, body, expected, sent) => {
    const { webhooks } = await packagesOf(answers);
    expect(await deliver(body, sent, webhooks.createWebhooks)).toBe(expected);
  });
});

async function importAnswered(answers: Answers): Promise<Packages> {
  const { contract, diagnostics } = await readAnswered(answers);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return await importPackages(contract as Contract);
}

/** Sends a body; returns the names of the kinds that handlers got, `otherwise`, or `onInvalid` with the reason. */
async function deliver(
  body: unknown,
  { path = '/hook', method = 'POST', headers = {} }: Sent = {},
  create: (options: never) => {
    readonly fetch: (request: Request) => Promise<Response>;
  } = createWebhooks,
): Promise<string> {
  const seen: string[] = [];
  const { fetch } = create({
    authenticate: unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind }: { kind: string | null }) => void seen.push(kind ?? 'otherwise'),
    },
    onInvalid: ({ reason, violations }: { reason: string; violations: readonly unknown[] }) => {
      expect(violations.length, reason).toBeGreaterThan(0);
      seen.push(`onInvalid ${reason}`);
    },
  } as never);
  const bytes =
    typeof body === 'string' ? body : Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const { status } = await fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      body: new Uint8Array(Buffer.from(bytes)),
      headers,
    }),
  );
  expect(status === 200, `${status} ${seen.join()}`).toBe(!seen.join().startsWith('onInvalid'));
  return seen.join(', ');
}
