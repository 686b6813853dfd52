import { describe, expect, test } from 'vitest';
import { choicesOf } from '../../generator/load/unstated-entries.ts';
import { describeChanges } from '../../generator/contract/answer-changes.ts';
import { pointerMembers } from '../../generator/json/pointer.ts';
import { importPackages, ledger, readAnswered } from './answered-contract.ts';
import { wrongDeliveries } from './delivered-examples.ts';

/** A choice of an entry. */
interface Choice {
  readonly id: string;
  readonly choice: string;
}

const { contract: open } = await readAnswered({});
if (open === undefined) throw new TypeError('the contract has errors');

/** Returns the security schemes that the actions of an entry's choices refer to, which can be those of another document. */
function schemesOf(id: string): readonly string[] {
  const choices = ledger.filter((entry) => entry.id === id).map(({ at }) => at.valueIn('choices'));
  const found = JSON.stringify(choices).matchAll(/#\/components\/(securitySchemes)\/(\w+)/gu);
  return Array.from(found, ([, kind = '', name = '']) => `${kind} ${name}`);
}

/** The messages, schemas, conditions and schemes that the answers to each entry concern, by the id of the entry. */
const concerned = new Map(
  open.unstated.map((entry) => [
    entry.id,
    new Set([
      ...schemesOf(entry.id),
      ...[entry.pointer, ...entry.usedBy, ...entry.affects].flatMap((pointer) => {
        const [section = '', kind = '', name] = pointerMembers(pointer);
        if (section !== 'components') return [`${section} ${kind}`];
        return name === undefined || kind === 'x-unstated' ? [] : [`${kind} ${name}`];
      }),
    ]),
  ]),
);
const required = new Map(
  ledger.flatMap(({ id, at }) =>
    at
      .entries('choices')
      .map(([choice, body]) => [`${id}=${choice}`, body.entries('requires')] as const),
  ),
);
const entries = ledger
  .map((entry) => ({ id: entry.id, choices: choicesOf(entry).map(({ name }) => name) }))
  .filter(({ id, choices }) => {
    const entry = open.unstated.find((one) => one.id === id);
    return choices.length > 0 && entry !== undefined && describeChanges(entry).length > 0;
  });
const pairs = entries.flatMap((first, index) =>
  entries.slice(index + 1).flatMap((second) => {
    const others = concerned.get(second.id);
    if (![...(concerned.get(first.id) ?? [])].some((place) => others?.has(place))) return [];
    return first.choices.flatMap((one) =>
      second.choices.map((other): readonly [Choice, Choice] => [
        { id: first.id, choice: one },
        { id: second.id, choice: other },
      ]),
    );
  }),
);

/** Answers that exclude each other by a fact of the contract: the rule of that fact reports them. */
const excluded = ['request-id-on-retry=renew repeated-request-id=not-executed-again'];

/** Returns whether a choice requires another answer to the entry of the other choice. */
function contradicts(one: Choice, other: Choice): boolean {
  return (required.get(`${one.id}=${one.choice}`) ?? []).some(
    ([id, answer]) => id === other.id && answer.text() !== other.choice,
  );
}

function isExcluded(one: Choice, other: Choice): boolean {
  return excluded.includes(`${one.id}=${one.choice} ${other.id}=${other.choice}`);
}

const cases = pairs.map(([one, other]) => ({
  name: `${one.id}: ${one.choice}, ${other.id}: ${other.choice}`,
  answers: { [one.id]: one.choice, [other.id]: other.choice },
  isContradiction: contradicts(one, other) || contradicts(other, one) || isExcluded(one, other),
}));

/** The cases with their names, which `$name` would cut off. */
const named = (isContradiction: boolean): readonly (readonly [string, (typeof cases)[number]])[] =>
  cases.filter((one) => one.isContradiction === isContradiction).map((one) => [one.name, one]);

describe('two answers that concern the same message, schema, condition or scheme', () => {
  test('are many, and some contradict each other', () => {
    expect(cases.length).toBeGreaterThan(50);
    expect(cases.some(({ isContradiction }) => isContradiction)).toBe(true);
  });

  test.each(named(false))('%s', async (_, { answers }) => {
    const { contract, diagnostics } = await readAnswered(answers);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (contract === undefined) throw new TypeError('the contract has errors');
    expect(await wrongDeliveries(contract, await importPackages(contract))).toEqual([]);
  });

  test.each(named(true))('%s contradict each other', async (_, { answers }) => {
    const { contract, diagnostics } = await readAnswered(answers);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code }) => code)).toHaveLength(1);
    expect(['contradicting-answers', 'unkept-value']).toContain(errors[0]?.code);
    for (const id of Object.keys(answers)) expect(errors[0]?.message).toContain(`"${id}"`);
    expect(contract).toBeUndefined();
  });
});
