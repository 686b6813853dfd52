import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import { choicesOf } from '../../generator/documents/unstated-entries.ts';
import {
  importPackages,
  ledger,
  type OverlayAction,
  type Packages,
  readAnswered,
} from './answered-contract.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { answersAt, options, receive, toArray, type Witness, witnesses } from './witnesses.ts';
import { someOf } from '../some.ts';
import { kindsWithoutExamples, wrongDeliveries } from './delivered-examples.ts';

const entries = ledger
  .map((entry) => ({
    id: entry.id,
    choices: choicesOf(entry).map(({ name }) => name),
    changing: entry.at
      .entries('choices')
      .filter(([, choice]) => choice.items('actions').length > 0)
      .map(([name]) => name),
  }))
  .filter(({ choices }) => choices.length > 0);
const answers = entries.flatMap(({ id, choices, changing }) =>
  choices.map((choice) => ({
    id,
    choice,
    otherChoices: choices.filter((other) => other !== choice),
    changes: changing.includes(choice),
  })),
);

let open: Contract;
let base: string;
let packages: Packages;

beforeAll(async () => {
  open = demand((await readAnswered({})).contract);
  base = withoutLedger(open);
  packages = await importPackages(open);
});

describe('every choice of the ledger, when it is settled', () => {
  test.each(someOf(12, answers))('$id: $choice', async ({ id, choice, otherChoices, changes }) => {
    const { contract, diagnostics } = await readAnswered({ [id]: choice });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).not.toContain('settled-without-effect');
    const proofs = witnesses[id]?.[choice] ?? [];
    const compare = options[id];
    // An answer changes what the packages do, or confirms what they do already.
    if (!changes && compare === undefined) {
      expect(withoutLedger(demand(contract))).toBe(base);
      expect(proofs).toEqual([]);
      expect(kindsWithoutExamples(demand(contract))).toEqual([]);
      return;
    }
    const answered = await importPackages(demand(contract));
    expect(await wrongDeliveries(demand(contract), answered)).toEqual([]);
    if (compare === undefined) expect(proofs, 'a delivery or call that proves it').not.toEqual([]);
    for (const proof of proofs) await check(proof, answered, { [id]: choice });
    if (compare === undefined) return;
    const optionName = demand(open.unstated.find((entry) => entry.id === id)).optionName;
    const chosen = await compare(packages, { [optionName]: choice }, open);
    for (const other of otherChoices) {
      const option = { [optionName]: other };
      expect(await compare(packages, option, open), `${other} as an option`).not.toBe(chosen);
      // Once it is settled, no option chooses otherwise.
      expect(await compare(answered, option, open), `${other} beside the answer`).toBe(chosen);
    }
  });

  test('has no witness for another choice', () => {
    const named = Object.entries(witnesses).flatMap(([id, choices]) =>
      Object.keys(choices).map((choice) => `${id}: ${choice}`),
    );
    const namesOfAnswers = answers.map(({ id, choice }) => `${id}: ${choice}`);
    expect(named.filter((name) => !namesOfAnswers.includes(name))).toEqual([]);
    expect(Object.keys(options).filter((id) => !entries.some((entry) => entry.id === id))).toEqual(
      [],
    );
  });
});

test.each([0, 1, 2, 3])('choice %i of every entry, together, is a contract', async (position) => {
  const { diagnostics } = await readAnswered(answersAt(position, entries));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each([
  ['payer-when-withheld', 'absent', 'chargeReversal.refund', { payer: null }],
  [
    'denial-confirmation-key',
    'present',
    'cashoutStageTwo.completed',
    { confirmationKey: undefined },
  ],
  [
    'denial-confirmation-key',
    'null-value',
    'cashoutStageTwo.completed',
    { confirmationKey: undefined },
  ],
  ['denial-confirmation-key', 'absent', 'cashoutStageTwo.completed', { confirmationKey: null }],
] as const)(
  '%s: %s reaches no further than its question: %s',
  async (id, choice, example, edit) => {
    const answered = await packagesOf({ [id]: choice });
    const kind = example.split('.')[0];
    expect(await receive(answered, open, [[example, { edit }]])).toBe(kind);
  },
);

test('an array of other kinds leaves cash-outs as they are, and mixes no kinds', async () => {
  const answered = await packagesOf({ 'lower-case-forms': 'also-array' });
  for (const example of ['cashoutStageOne.array-of-two', 'cashoutStageTwo.array-of-two'])
    for (const at of ['bare', 'label'] as const) {
      const before = await receive(packages, open, [[example, { at }]]);
      expect(before).toContain('cashoutStage');
      expect(await receive(answered, open, [[example, { at }]])).toBe(before);
    }
  const mixed = (other: Json) => (body: JsonObject) => {
    const { pix } = toArray(body) as JsonObject;
    return { pix: [...(Array.isArray(pix) ? (pix as readonly Json[]) : []), other] };
  };
  const at = 'bare';
  for (const other of [null, { pixKey: 'a' }, { chave: 'a', amount: 1 }])
    expect(
      await receive(answered, open, [['charge.without-payer', { at, rewrite: mixed(other) }]]),
    ).toBe('onInvalid');
  for (const pix of [5, {}, [null]])
    expect(
      await receive(answered, open, [['charge.without-payer', { at, rewrite: () => ({ pix }) }]]),
    ).toBe('onInvalid');
});

test('answers of which one excludes the other are an error that names both', async () => {
  const { diagnostics } = await readAnswered({
    'failed-cashout-end-to-end-id': 'present',
    'cashout-confirmed-meaning': 'succeeded',
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    {
      code: 'contradicting-answers',
      message:
        'The answer "present" to "failed-cashout-end-to-end-id" requires the answer "requested" to "cashout-confirmed-meaning", which is settled as "succeeded".',
    },
  ]);
});

/** A choice that the contract does not list: a format of timestamps as a pattern. */
const ownFormat = (value: object): OverlayAction => ({
  target: "$.components.securitySchemes.signature['x-unstated']['timestamp-format'].choices",
  update: { own: { value, meaning: 'A format of the operator.' } },
});

test.each([
  [{ pattern: "yyyy-MM-dd'T'HH:mm:ssxxx", offset: '-03:00' }, '2026-01-31T09:00:00-03:00'],
  [{ pattern: "EEE, dd MMM yyyy HH:mm:ss 'GMT'" }, 'Sat, 31 Jan 2026 12:00:00 GMT'],
])('calls carry and sign a timestamp in the pattern %j', async (pattern, text) => {
  const compare = demand(options['timestamp-format']);
  const answered = await packagesOf({ 'timestamp-format': 'own' }, [ownFormat(pattern)]);
  const calls = await compare(answered, {}, open);
  expect(calls).toContain(JSON.stringify(['x-timestamp', text]));
  // As an option, while the question is open.
  const asked = await packagesOf({}, [ownFormat(pattern)]);
  expect(await compare(asked, { timestampFormat: 'own' }, open)).toBe(calls);
});

test.each([{ pattern: 'yyyy-MM-dd' }, { pattern: 'yyyy-MM-dd HH:mm:ss', offset: 'Z' }])(
  'a format that is not a pattern is an error: %j',
  async (value) => {
    const { diagnostics } = await readAnswered({ 'timestamp-format': 'own' }, [ownFormat(value)]);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).not.toEqual([]);
    expect(errors[0]?.message).toMatch(/must have the fields|must be an offset/u);
  },
);

test('a method that says nothing about the kind refuses no delivery', async () => {
  const answered = await packagesOf({ 'label-method': 'unrelated' });
  for (const method of ['POST', 'PUT'] as const)
    for (const at of ['bare', 'label'] as const) {
      const deliveries = [['chargeReversal.refund', { at, method }]] as const;
      const before = await receive(packages, open, deliveries);
      expect(before).toContain('hargeReversal');
      expect(await receive(answered, open, deliveries)).toBe(before);
    }
});

test('a form of a header decides between a due-date charge and a static charge', async () => {
  const isForm = (form: string): Json => [{ '$request.header.x-charge-form': { pattern: form } }];
  const declared: OverlayAction = {
    document: 'asyncapi',
    target: "$.components.messages['dueDateCharge', 'staticCharge']",
    update: { headers: { properties: { 'x-charge-form': { type: 'string', 'x-source': '6.1' } } } },
  };
  const answered = await packagesOf({ 'due-date-or-static': 'by-form' }, [declared], {
    'due-date-or-static': {
      'by-form': { isDueDateForm: isForm('^due-'), isStaticForm: isForm('^static-') },
    },
  });
  const handled = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    await receive(answered, open, [['dueDateCharge.with-payer', { at: 'bare', headers }]]);
  expect(await handled({ 'x-charge-form': 'due-1' })).toBe('dueDateCharge');
  expect(await handled({ 'x-charge-form': 'static-1' })).toBe('staticCharge');
  // A header that is missing or has another form contradicts the answer.
  expect(await handled({})).toBe('onInvalid');
  expect(await handled({ 'x-charge-form': 'Xdue-1' })).toBe('onInvalid');
});

test('an answer that changes the form of a value converts the examples', async () => {
  const { contract } = await readAnswered({ 'decimal-form': 'string' });
  const { notifications } = demand(contract);
  const amountsOf = (from: Contract): readonly unknown[] =>
    from.notifications.flatMap(({ examples }) =>
      examples.flatMap(({ value }) =>
        [...JSON.stringify(value).matchAll(/"(?:[aA]mount|Discount)":("?)([\d.]+)/gu)].map(
          ([, quote, digits]) => `${quote}${digits}`,
        ),
      ),
    );
  const expected = amountsOf(open).map((amount) => `"${String(amount).replace('"', '')}`);
  expect(expected.length).toBeGreaterThan(10);
  expect(amountsOf(demand(contract))).toEqual(expected);
  const count = (from: Contract['notifications']): readonly number[] =>
    from.map(({ examples }) => examples.length);
  expect(count(notifications)).toEqual(count(open.notifications));
});

test.each([
  [['nothing', {}], 'The contract has no example of nothing.'],
  [['toString', {}], 'The contract has no example of toString.'],
  [['charge', { example: 'none' }], 'charge has no example none.'],
] as const)('deliver states what the contract does not have: %j', async ([kind, more], message) => {
  await expect(packages.testing.deliver(kind, more)).rejects.toThrow(new TypeError(message));
});

async function check(
  { act, before, after, more }: Witness,
  answered: Packages,
  answer: Readonly<Record<string, string>>,
): Promise<void> {
  const [first, second] =
    more === undefined
      ? [packages, answered]
      : [await packagesOf({}, more), await packagesOf(answer, more)];
  expect([await act(first, open), await act(second, open)]).toEqual([before, after]);
  expect(before).not.toBe(after);
}

async function packagesOf(...changes: Parameters<typeof readAnswered>): Promise<Packages> {
  return importPackages(demand((await readAnswered(...changes)).contract));
}

/** The contract as text, without the ledger, the documents, and the examples that an answer leaves out. */
function withoutLedger(contract: Contract): string {
  const ignored = new Set([
    'x-unstated',
    'unstated',
    'documents',
    'examples',
    'invalidExamples',
    // The answer takes the place of a note about its question.
    'notes',
  ]);
  return JSON.stringify(contract, (key, value: unknown) => (ignored.has(key) ? undefined : value));
}

function demand<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('nothing to test');
  return value;
}
