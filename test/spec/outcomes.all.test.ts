import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choicesOf } from '../../generator/documents/unstated-entries.ts';
import { isJsonObject, type Json } from '../../generator/json/json.ts';
import { importReceiver, ledger, readAnswered, type Receiver } from './answered-contract.ts';
import { changeMember } from './change-member.ts';

/** What the meaning of an answer says that refuses deliveries which the open contract accepts. */
const saysSo = /\bviolates? the contract\b|\bhandler of invalid deliveries\b/u;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

const { contract: open } = await readAnswered({});
if (open === undefined) throw new TypeError('the contract has errors');

const valid = open.notifications.flatMap(({ label, examples }) =>
  examples.map(({ value }) => ({
    method: label?.method ?? 'POST',
    path: label?.path.replaceAll(/[{}]/gu, '') ?? '',
    value,
  })),
);

/** What stands in the place of a member; `undefined` leaves it out. */
const others: readonly (Json | undefined)[] = [
  undefined,
  null,
  '',
  'other',
  '1',
  '19.90',
  '2026-11-30T00:00:00',
  -1,
  0,
  1,
  2,
  99,
  0.5,
  true,
  {},
  [],
];

/** An example at its label or at the webhook's URL, with up to three members replaced. */
const deliveries: readonly Sent[] = fc.sample(
  fc
    .record({
      example: fc.constantFrom(...valid),
      isLabelled: fc.boolean(),
      edits: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...others)), { maxLength: 3 }),
    })
    .map(({ example: { method, path, value }, isLabelled, edits }) => ({
      method: isLabelled ? method : 'POST',
      path: isLabelled ? path : '',
      body: JSON.stringify(edits.reduce(replaceMember, value)),
    })),
  { seed: 57, numRuns: 2000 },
);

/** Replaces the member at a position, modulo the number of members, or removes it. */
function replaceMember(value: Json, [place, other]: readonly [number, Json | undefined]): Json {
  const count = countMembers(value);
  return count === 0 ? value : changeMember(value, place % count, other);
}

function countMembers(value: Json): number {
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return 0;
  let count = 0;
  for (const member of Object.values(value))
    count += (isList ? 0 : 1) + countMembers(member ?? null);
  return count;
}

/**
 * Returns the handlers that each delivery reaches, behind the status where that is not 200. A delivery that an answer
 * makes a repetition of an earlier one reaches none.
 */
async function outcomesOf({ webhooks }: Receiver): Promise<readonly string[]> {
  const seen: string[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: (event: { kind: string | null }) => void seen.push(event.kind ?? 'otherwise'),
    },
    onInvalid: () => void seen.push('onInvalid'),
  });
  const outcomes: string[] = [];
  for (const { method, path, body } of deliveries) {
    const { status } = await fetch(new Request(`http://127.0.0.1/hooks${path}`, { method, body }));
    outcomes.push([...(status === 200 ? [] : [status]), ...seen.splice(0)].join(' '));
  }
  return outcomes;
}

const before = await outcomesOf(await importReceiver(open));

test('most deliveries reach a handler, and some none', () => {
  const reached = Map.groupBy(before, (outcome) => outcome);
  expect(reached.size).toBeGreaterThan(10);
  expect(before.filter((outcome) => !/^\d/u.test(outcome)).length).toBeGreaterThan(500);
});

const answers = ledger.flatMap((entry) =>
  choicesOf(entry).map(({ name, meaning }) => ({ id: entry.id, choice: name, meaning })),
);

test.each(answers)(
  '$id=$choice refuses nothing more, or says so',
  async ({ id, choice, meaning }) => {
    const { contract } = await readAnswered({ [id]: choice });
    if (contract === undefined) throw new TypeError('the contract has errors');
    const after = await outcomesOf(await importReceiver(contract));
    const moves = Map.groupBy(
      before.map((outcome, index) => ({ outcome, index, now: after[index] ?? '' })),
      ({ outcome, now }) => `${outcome} -> ${now}`,
    );
    const refused = [...moves].filter(
      ([, [move]]) => move !== undefined && !/^\d/u.test(move.outcome) && /^\d/u.test(move.now),
    );
    const examples = refused.map(
      ([name, all]) => `${all.length} ${name}: ${JSON.stringify(deliveries[all[0]?.index ?? 0])}`,
    );
    expect(saysSo.test(meaning) ? [] : examples).toEqual([]);
  },
);
