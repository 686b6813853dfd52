import type { Contract } from '../../../generator/contract/contract.ts';
import { readAnswered as readWith } from '../../spec/answered-contract.ts';

/** Reads the contract of this repository with an answer to every ledger entry that has choices. */
export async function readAnswered(
  choose: (entry: Contract['unstated'][number]) => string | undefined,
): Promise<Contract> {
  const open = await read({});
  const chosen = open.unstated.flatMap((entry) => {
    const choice = entry.choices.length === 0 ? undefined : choose(entry);
    return choice === undefined ? [] : [[entry.id, choice] as const];
  });
  return chosen.length === 0 ? open : await read(Object.fromEntries(chosen));
}

async function read(answers: Readonly<Record<string, string>>): Promise<Contract> {
  const { contract, diagnostics } = await readWith(answers);
  if (contract === undefined) throw new Error(JSON.stringify(diagnostics));
  return contract;
}
