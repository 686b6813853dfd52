import { describe, expect, test } from 'vitest';
import { choicesOf } from '../../generator/documents/unstated-entries.ts';
import { isJsonObject, type Json } from '../../generator/json/json.ts';
import { type Pointer, pointerMembers, toMember } from '../../generator/json/pointer.ts';
import { importCompiled, ledger, readAnswered } from './answered-contract.ts';
import { wrongDeliveries } from './delivered-examples.ts';

/** A choice of an entry. */
interface Choice {
  readonly id: string;
  readonly choice: string;
}

/** The pairs that are an error: one requires another answer, or the contract cannot keep both. */
const contradictions = [
  'request-id-on-retry: renew, repeated-request-id: not-executed-again',
  'failed-cashout-end-to-end-id: present, cashout-confirmed-meaning: succeeded',
];

const { contract: open } = await readAnswered({});
if (open === undefined) throw new TypeError('the contract has errors');
const root: Json = open.documents.asyncapi ?? {};

function childAt(...path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const member of path) value = isJsonObject(value) ? value[member] : undefined;
  return value;
}

function namesAt(...path: readonly string[]): readonly string[] {
  return Object.keys(childAt(...path) ?? {});
}

/** The parts of the document that a part refers to, directly and by others: `schemas DateTime`, `x-conditions isList`. */
function reachedFrom(
  section: string,
  name: string,
  reachedKeys: Set<string> = new Set(),
): Set<string> {
  const key = `${section} ${name}`;
  if (reachedKeys.has(key)) return reachedKeys;
  reachedKeys.add(key);
  const text = JSON.stringify(childAt('components', section, name) ?? childAt(section, name) ?? {});
  for (const [, kind = '', of = ''] of text.matchAll(/"#\/(?:components\/)?(\w+)\/(\w+)["/]/gu))
    reachedFrom(kind, of, reachedKeys);
  for (const condition of namesAt('components', 'x-conditions'))
    if (text.includes(`"${condition}":`)) reachedKeys.add(`x-conditions ${condition}`);
  return reachedKeys;
}

const messages = open.notifications.map(({ name, payload }) => {
  // The message itself refers to the schema of the wire formats.
  const reached = reachedFrom('schemas', payload, reachedFrom('messages', name));
  for (const section of ['channels', 'operations'])
    for (const user of namesAt(section))
      if (reachedFrom(section, user).has(`messages ${name}`)) reached.add(`${section} ${user}`);
  return { name, reached };
});

/** The places of notes about entries, by the id of the entry. */
const noted = Map.groupBy(
  (['openapi', 'asyncapi'] as const).flatMap((name) => notesIn(open.documents[name], `${name}#`)),
  ([id]) => id,
);

function notesIn(value: Json | undefined, at: Pointer): readonly (readonly [string, Pointer])[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => notesIn(item, toMember(at, index)));
  if (!isJsonObject(value)) return [];
  const notes = [value['x-note'] ?? []].flat();
  const ids = notes
    .flatMap((note) => (isJsonObject(note) ? [note['about'] ?? []].flat() : []))
    .filter((id) => typeof id === 'string');
  return [
    ...ids.map((id) => [id, at] as const),
    ...Object.entries(value).flatMap(([name, member]) => notesIn(member, toMember(at, name))),
  ];
}

/**
 * The parts of the contract that the answers to each entry concern, by the id of the entry: messages, where the part is
 * one of them or of their schemas, conditions, channels and operations, and otherwise the part itself. Notes about an
 * entry change with its answer.
 */
const concerned = new Map(
  open.unstated.map((entry) => [
    entry.id,
    new Set(
      [
        entry.pointer,
        ...entry.usedBy,
        ...entry.affects,
        ...(noted.get(entry.id) ?? []).map(([, at]) => at),
      ].flatMap((pointer) => {
        const [first = '', second = '', third] = pointerMembers(pointer);
        const [section, name] = first === 'components' ? [second, third] : [first, second];
        if (name === undefined || section === 'x-unstated') return [];
        const key = `${section} ${name}`;
        const reaching = messages.filter(({ reached }) => reached.has(key));
        return reaching.length > 0 ? reaching.map((message) => message.name) : [key];
      }),
    ),
  ]),
);

/** The choices that change what is generated. Another one confirms the contract as it is. */
const choices = ledger.flatMap(({ id, at }): readonly Choice[] => {
  const isOption = open.unstated.some((entry) => entry.id === id && entry.usedBy.length > 0);
  return choicesOf({ at })
    .filter(({ name }) => {
      const choice = at.child('choices').child(name);
      return (
        isOption ||
        choice.child('actions').value !== undefined ||
        choice.child('requires').value !== undefined
      );
    })
    .map(({ name }) => ({ id, choice: name }));
});

const cases = choices.flatMap((first, index) =>
  choices.slice(index + 1).flatMap((second) => {
    const places = concerned.get(second.id);
    const isShared = [...(concerned.get(first.id) ?? [])].some((place) => places?.has(place));
    if (first.id === second.id || !isShared) return [];
    return [
      { name: `${first.id}: ${first.choice}, ${second.id}: ${second.choice}`, first, second },
    ];
  }),
);

describe('two answers that concern the same message or scheme', () => {
  test('are computed from what messages refer to', () => {
    const idsBeside = (id: string): readonly string[] =>
      cases.flatMap(({ first, second }) =>
        first.id === id ? [second.id] : second.id === id ? [first.id] : [],
      );
    expect(idsBeside('lower-case-forms')).toEqual(
      expect.arrayContaining([
        'payer-when-withheld',
        'reversal-party-data',
        'decimal-form',
        'charge-completed-status',
        'cashout-form',
        'notification-authentication',
      ]),
    );
    expect(idsBeside('customer-errors-form')).not.toContain('decimal-form');
    expect(idsBeside('timestamp-format')).toContain('signed-separator');
    expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(contradictions));
  });

  test.each(cases.map((pair) => [pair.name, pair] as const))(
    '%s',
    async (name, { first, second }) => {
      const { contract, diagnostics } = await readAnswered({
        [first.id]: first.choice,
        [second.id]: second.choice,
      });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if (contradictions.includes(name)) {
        expect(errors).toHaveLength(1);
        expect(['contradicting-answers', 'unkept-value']).toContain(errors[0]?.code);
        for (const { id } of [first, second]) expect(errors[0]?.message).toContain(`"${id}"`);
        expect(contract).toBeUndefined();
        return;
      }
      expect(errors).toEqual([]);
      if (contract === undefined) throw new TypeError('the contract has errors');
      expect(await wrongDeliveries(contract, await importCompiled(contract))).toEqual([]);
    },
  );
});
