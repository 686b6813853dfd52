import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { listSpec, readSpec } from './contract-files.ts';
import { examples, kinds, kindsOf, violationsOf } from './notifications.ts';

const validExamples = examples.filter(({ violates }) => violates === undefined);
const invalidExamples = examples.filter(({ violates }) => violates !== undefined);

/** Examples that more than one kind can claim where no label decides, with all that can. */
const unions: Readonly<Record<string, readonly string[]>> = {
  'charge.with-payer': ['charge', 'chargeReversal'],
  'charge.unlisted-status': ['charge', 'chargeReversal'],
  'charge.pending': ['charge', 'chargeReversal'],
  'charge.without-payer': ['charge', 'chargeReversal'],
  'charge.payer-null': ['charge', 'chargeReversal'],
  'chargeReversal.confirmed': ['charge', 'chargeReversal'],
  'chargeReversal.refund': ['charge', 'chargeReversal'],
  'chargeReversal.pending': ['charge', 'chargeReversal'],
  'dueDateCharge.with-payer': ['dueDateCharge', 'staticCharge'],
  'dueDateCharge.without-payer': ['dueDateCharge', 'staticCharge'],
  'dueDateCharge.amounts-as-text': ['dueDateCharge', 'staticCharge'],
  'staticCharge.amounts-as-text': ['dueDateCharge', 'staticCharge'],
  'staticCharge.with-payer': ['dueDateCharge', 'staticCharge'],
  'staticCharge.without-payer': ['dueDateCharge', 'staticCharge'],
  'cashoutStageOne.denied': ['cashoutStageOne', 'cashoutStageTwo'],
  'cashoutStageTwo.failed': ['cashoutStageOne', 'cashoutStageTwo'],
};

describe('the examples', () => {
  test('are of the eight kinds', () => {
    expect(kinds).toEqual([
      'customer',
      'charge',
      'dueDateCharge',
      'staticCharge',
      'chargeReversal',
      'cashoutStageOne',
      'cashoutStageTwo',
      'cashoutReversal',
    ]);
  });

  test('are each referred to once, and each file is an example', () => {
    const answered = answeredExamples().map(({ file }) => file);
    expect([...examples.map(({ file }) => file), ...answered].toSorted()).toEqual(
      listSpec('examples/').map((name) => `examples/${name}`),
    );
  });

  test('of a cash-out reversal have the `txid` of the cash-out that they return', () => {
    const transactions = examples
      .filter(({ kind }) => kind.startsWith('cashout'))
      .flatMap(({ kind, value }) => transactionsIn(value).map((members) => ({ kind, members })));
    const txids = new Map<unknown, Set<unknown>>();
    for (const { members } of transactions) {
      const cashout = members['EndToEndOriginal'] ?? members['endToEndOriginal'];
      const id = cashout ?? members['endToEndId'];
      if (typeof id !== 'string') continue;
      txids.set(id, (txids.get(id) ?? new Set()).add(members['txid']));
    }
    expect(txids.size).toBeGreaterThan(3);
    expect([...txids].filter(([, ids]) => ids.size > 1)).toEqual([]);
  });

  test('of an answer are named after their kind and their case', () => {
    const answered = answeredExamples();
    expect(answered).toHaveLength(15);
    for (const { file, kind, name } of answered) expect(file).toBe(`examples/${kind}.${name}.json`);
  });

  test.each(kinds)('%s has two to accept and three to refuse, at least', (kind) => {
    expect(validExamples.filter((example) => example.kind === kind).length).toBeGreaterThanOrEqual(
      2,
    );
    expect(
      invalidExamples.filter((example) => example.kind === kind).length,
    ).toBeGreaterThanOrEqual(3);
  });

  test.each(examples)('$file is named after its kind and its case', ({ file, kind, name }) => {
    expect(file).toBe(`examples/${kind}.${name}.json`);
  });

  test.each(validExamples)('$file is accepted', ({ kind, value }) => {
    expect(violationsOf(kind, value)).toEqual([]);
  });

  test.each(invalidExamples)('$file breaks the one rule it names', ({ kind, value, violates }) => {
    expect(violationsOf(kind, value)).toEqual([violates]);
  });

  test.each(validExamples)('$file is identified by its body', (example) => {
    const expected = unions[`${example.kind}.${example.name}`] ?? [example.kind];
    const kindsOfEvents = kindsOf(example);
    expect(kindsOfEvents).not.toEqual([]);
    for (const claimants of kindsOfEvents) expect(claimants).toEqual(expected);
  });

  test('do not mention a union that is none', () => {
    const names = validExamples.map(({ kind, name }) => `${kind}.${name}`);
    expect(Object.keys(unions).filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** Returns the transactions of a notification in any of its forms. */
function transactionsIn(value: Json): readonly JsonObject[] {
  if (!isJsonObject(value)) return [];
  const inside = value['Pix'] ?? value['pix'];
  return (Array.isArray(inside) ? inside : [inside]).filter((part) => isJsonObject(part));
}

/** Returns the examples that an answer adds to a notification. `settling.slow` checks that they are delivered. */
function answeredExamples(): readonly {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
}[] {
  const action =
    /target: [$][.]components[.]messages[.](\w+)[.]examples\n\s+update:\n\s+name: (\S+)\n\s+summary: .+\n\s+payload:\n\s+\$ref: [.][.][/](\S+)/gu;
  return listSpec('schemas/').flatMap((schema) =>
    Array.from(
      readSpec(`schemas/${schema}`).matchAll(action),
      ([, kind = '', name = '', file = '']) => ({
        file,
        kind,
        name,
      }),
    ),
  );
}
