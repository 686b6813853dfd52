import { expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { ContractChange } from '../../../packages/diff/src/change.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { readAnswered } from './answered.ts';

type Entry = Contract['unstated'][number];

/** The changes that only answers together cause: one answer alone leaves the kinds ambiguous. */
const joint = ['union-removed', 'kind-unambiguous'];

test.each([0, 1])(
  'the answer of each change also causes it if the base is settled with it alone: choice %d',
  async (index) => {
    const open = await readAnswered(() => undefined);
    // Where labels are in the URL, conditions about the body are removed, which other answers add to.
    const entries = open.unstated.filter(
      ({ id, choices }) => choices.length > 0 && id !== 'label-in-url',
    );
    const chosen = ({ choices }: Entry): string | undefined =>
      (choices[index] ?? choices.at(-1))?.name;
    const settled = await readAnswered((entry) =>
      entries.some(({ id }) => id === entry.id) ? chosen(entry) : undefined,
    );

    const causes = new Map<string, string[]>();
    for (const { id } of entries) {
      const contract = await readAnswered((entry) => (entry.id === id ? chosen(entry) : undefined));
      for (const change of contractChanges(open, contract))
        causes.set(keyOf(change), [...(causes.get(keyOf(change)) ?? []), id]);
    }

    const changes = contractChanges(open, settled);
    const alone = changes.filter((change) => causes.has(keyOf(change)));
    for (const change of alone) {
      if (change.answer === undefined) continue;
      expect(causes.get(keyOf(change)), keyOf(change)).toContain(change.answer);
    }
    expect(alone.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(20);
    // Settling one answer alone does not cause these, although each follows from answers.
    const jointChanges = changes.filter((change) => !causes.has(keyOf(change)));
    expect(jointChanges).toHaveLength(3);
    for (const { code, answer } of jointChanges) {
      expect(joint).toContain(code);
      expect(answer).toBeDefined();
    }
  },
);

/** Returns the changes of the contract itself, without those of the ledger. */
function contractChanges(base: Contract, head: Contract): readonly ContractChange[] {
  return diffContracts({ base, head }).filter(({ subject }) => !subject.startsWith('question '));
}

/** What a change is compared by. One change of authentication lists all of its notifications, which other answers change. */
function keyOf({ code, subject }: ContractChange): string {
  return code === 'notification-security-changed' ? code : `${code} of ${subject}`;
}
