import { describe, expect, test } from 'vitest';
import {
  emittedNames,
  fieldAt,
  isOpen,
  keyword,
  memberAt,
  memberNames,
  readEmitted,
  type Place,
} from './emitted-schemas.ts';

type Row = readonly [
  path: string,
  type: 'string' | 'integer' | 'decimal' | 'date-time' | 'object' | 'array',
  remark?: 'nullable' | 'optional' | 'optional or null',
];

interface Table {
  readonly section: string;
  readonly schema: string;
  readonly fields: readonly Row[];
}

const payer: readonly Row[] = [
  ['Pix.payer', 'object', 'optional'],
  ['Pix.payer.name', 'string'],
  ['Pix.payer.document', 'string'],
  ['Pix.payer.ispb', 'string'],
  ['Pix.payer.agency', 'string'],
  ['Pix.payer.accountNumber', 'string'],
  ['Pix.payer.accountType', 'string'],
];
const transaction: readonly Row[] = [
  ['Pix', 'object'],
  ['Pix.endToEndId', 'string'],
  ['Pix.txid', 'string'],
  ['Pix.chave', 'string'],
  ['Pix.Status', 'integer'],
  ['Pix.OperationType', 'integer'],
];
const amounts: readonly Row[] = [
  ['Pix.Amount', 'decimal'],
  ['Pix.OriginalAmount', 'decimal'],
  ['Pix.Discount', 'decimal', 'nullable'],
  ['Pix.Reduction', 'decimal', 'nullable'],
  ['Pix.Penalty', 'decimal', 'nullable'],
  ['Pix.Interest', 'decimal', 'nullable'],
];
const cashout: readonly Row[] = [
  ['Pix', 'object'],
  ['Pix.txid', 'string'],
  ['Pix.endToEndId', 'string', 'nullable'],
  ['Pix.createdAt', 'date-time'],
  ['Pix.confirmedAt', 'date-time', 'nullable'],
  ['Pix.pixKey', 'string'],
  ['Pix.receiverDocument', 'string'],
  ['Pix.receiverPixKey', 'string'],
  ['Pix.amount', 'decimal'],
  ['Pix.confirmationKey', 'string', 'optional'],
  ['Pix.Status', 'integer'],
  ['Pix.OperationType', 'integer'],
];
const arrayForm = cashout.map(([path, type, remark]): Row => {
  const inArray = path
    .replace('Pix', 'pix')
    .replace('.Status', '.status')
    .replace('.OperationType', '.operationType');
  if (path === 'Pix') return [inArray, 'array'];
  if (remark === undefined) return [inArray, type];
  // This schema describes what travels, where null can stand for a missing member.
  return [inArray, type, remark === 'optional' ? 'optional or null' : remark];
});

const tables: readonly Table[] = [
  {
    section: '4.1',
    schema: 'TokenRequest',
    fields: [
      ['client_id', 'string'],
      ['client_secret', 'string'],
    ],
  },
  {
    section: '2.1',
    schema: 'Token',
    fields: [
      ['access_token', 'string'],
      ['expires_in', 'integer'],
    ],
  },
  {
    section: '2.2',
    schema: 'Customer',
    fields: [
      ['protocolId', 'string'],
      ['externalProtocolId', 'string'],
      ['platformClientId', 'string', 'optional'],
      ['document', 'object'],
      ['document.type', 'string'],
      ['document.number', 'string'],
      ['status', 'string'],
      ['errors', 'array', 'optional'],
      ['errors.code', 'string'],
      ['errors.message', 'string'],
    ],
  },
  { section: '2.4', schema: 'Charge', fields: [...transaction, ...payer] },
  { section: '2.4', schema: 'DueDateCharge', fields: [...transaction, ...amounts, ...payer] },
  { section: '2.4', schema: 'StaticCharge', fields: [...transaction, ...amounts, ...payer] },
  { section: '2.5', schema: 'ChargeReversal', fields: transaction },
  { section: '2.6', schema: 'Cashout', fields: cashout },
  { section: '2.6', schema: 'the array form of Cashout', fields: arrayForm },
  {
    section: '2.7',
    schema: 'CashoutReversal',
    fields: [
      ['Pix', 'object'],
      ['Pix.endToEndId', 'string'],
      ['Pix.EndToEndOriginal', 'string'],
      ['Pix.txid', 'string'],
      ['Pix.chave', 'string'],
      ['Pix.Status', 'integer'],
      ['Pix.OperationType', 'integer'],
      ['Pix.amount', 'decimal'],
      ['Pix.payerDocument', 'string'],
      ['Pix.movementType', 'integer'],
    ],
  },
];

const cells = tables.flatMap(({ section, schema, fields }) =>
  fields.map(([path, type, remark]) => ({ section, schema, path, type, remark })),
);

describe('every field of parts 2.1 to 2.7', () => {
  test.each(cells)('$section: $path of $schema', ({ schema, path, type, remark }) => {
    expect(fieldAt(emitted(schema), path)).toEqual({
      types:
        type === 'decimal'
          ? // The schema of the array form describes what travels, where a text can be in the place of a number.
            schema.includes('array form')
            ? ['number', 'string']
            : ['number']
          : [type === 'date-time' ? 'string' : type],
      nullable: remark === 'nullable' || remark === 'optional or null',
      required: !remark?.startsWith('optional'),
      // ISO 8601 allows more date-times than RFC 3339, so `format: date-time` would refuse some of them.
      format: type === 'decimal' ? type : undefined,
    });
  });

  test.each(tables)('$section: $schema lists these members and no other', ({ schema, fields }) => {
    const root = emitted(schema);
    const owners = new Set(['', ...fields.map(([path]) => path.split('.').slice(0, -1).join('.'))]);
    for (const owner of owners) {
      const expected = fields
        .map(([path]) => path.split('.'))
        .filter((names) => names.slice(0, -1).join('.') === owner)
        .map((names) => names.at(-1) ?? '');
      const place = owner === '' ? root : memberAt(root, owner);
      expect(
        memberNames(place).toSorted(),
        `${owner}: see "Changing the contract" in CONTRIBUTING.md`,
      ).toEqual(expected.toSorted());
      expect(isOpen(place), `${owner} accepts further members`).toBe(true);
    }
  });
});

interface CodeList {
  readonly section: string;
  readonly schema: string;
  readonly open: boolean;
  readonly codes: readonly (readonly [value: number | string, name: string])[];
  /** Where the list is used: a schema and the path of a member. */
  readonly usedAt: readonly (readonly [schema: string, path: string])[];
}

const lists: readonly CodeList[] = [
  {
    section: '3.1',
    schema: 'PixStatus',
    open: true,
    codes: [
      [0, 'Pending'],
      [1, 'Confirmed'],
      [2, 'Canceled'],
    ],
    usedAt: ['Charge', 'DueDateCharge', 'StaticCharge', 'ChargeReversal', 'CashoutReversal'].map(
      (schema) => [schema, 'Pix.Status'] as const,
    ),
  },
  {
    section: '3.2',
    schema: 'PixOperationType',
    open: true,
    codes: [
      [0, 'Charge'],
      [1, 'Refund'],
      [2, 'Reverse'],
    ],
    usedAt: ['Charge', 'DueDateCharge', 'StaticCharge', 'ChargeReversal'].map(
      (schema) => [schema, 'Pix.OperationType'] as const,
    ),
  },
  {
    section: '3.3',
    schema: 'CashoutOperationType',
    open: true,
    codes: [[7, 'ManualWithdrawal']],
    usedAt: [
      ['Cashout', 'Pix.OperationType'],
      ['the array form of Cashout', 'pix.operationType'],
    ],
  },
  {
    section: '3.4',
    schema: 'CashoutReversalOperationType',
    open: true,
    codes: [[10, 'CashOutReverse']],
    usedAt: [['CashoutReversal', 'Pix.OperationType']],
  },
  {
    section: '3.5',
    schema: 'CashoutReversalMovementType',
    open: true,
    codes: [
      [0, 'Debit'],
      [1, 'Credit'],
    ],
    usedAt: [['CashoutReversal', 'Pix.movementType']],
  },
  {
    section: '3.6',
    schema: 'CustomerStatus',
    open: true,
    codes: [
      ['PENDING', 'Pending'],
      ['PROCESSING', 'Processing'],
      ['DONE', 'Done'],
    ],
    usedAt: [['Customer', 'status']],
  },
  {
    section: '6.4',
    schema: 'CashoutStatus',
    open: true,
    codes: [
      [1, 'Completed'],
      [2, 'Failed'],
    ],
    usedAt: [
      ['Cashout', 'Pix.Status'],
      ['the array form of Cashout', 'pix.status'],
    ],
  },
  {
    section: '2.2',
    schema: 'CustomerDocumentType',
    open: true,
    codes: [['CNPJ', 'Cnpj']],
    usedAt: [['Customer', 'document.type']],
  },
];

const places = lists.flatMap((list) =>
  [[list.schema, ''] as const, ...list.usedAt].map(([schema, path]) => ({
    section: list.section,
    schema,
    path,
    list,
  })),
);

describe('every code of part 3', () => {
  test.each(places)(
    '$section: $schema $path has the codes and their names',
    ({ schema, path, list }) => {
      const root = emitted(schema);
      const place = path === '' ? root : memberAt(root, path);
      const values = list.codes.map(([value]) => value);
      expect({
        type: keyword(place, 'type'),
        open: keyword(place, 'x-extensible-enum'),
        closed: keyword(place, 'enum'),
        names: keyword(place, 'x-enum-varnames'),
      }).toEqual({
        type: typeof values[0] === 'string' ? 'string' : 'integer',
        open: list.open ? values : undefined,
        closed: list.open ? undefined : values,
        names: list.codes.map(([, name]) => name),
      });
    },
  );

  test.each(lists)('$section: $schema describes its codes where the source does', (list) => {
    const descriptions = keyword(readEmitted(list.schema), 'x-enum-descriptions');
    if (!['3.6', '6.4'].includes(list.section)) expect(descriptions).toBeUndefined();
    else expect(descriptions).toHaveLength(list.codes.length);
  });
});

/** The array form has no name of its own in the contract; it is the one body whose root is `pix`. */
function emitted(schema: string): Place {
  if (schema !== 'the array form of Cashout') return readEmitted(schema);
  const arrayForms = emittedNames()
    .map(readEmitted)
    .filter((place) => memberNames(place).includes('pix'));
  expect(arrayForms, 'schemas with the member pix').toHaveLength(1);
  const [form] = arrayForms;
  if (form === undefined) throw new TypeError('no array form');
  return form;
}
