import { unstatedId } from './unstated-id.ts';

/**
 * Returns a value of the contract with the answers to its open questions: each `{ unstated: <id> }` in it, at any depth,
 * is replaced by what `answerOf` returns.
 */
export function withAnswers(value: object, answerOf: (id: string) => unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    const id = unstatedId(member);
    return id === undefined ? member : answerOf(id);
  });
}

/** Returns the ids of the ledger entries that a value of the contract refers to, at any depth and in order. */
export function openIdsIn(value: object): readonly string[] {
  const ids = new Set<string>();
  withAnswers(value, (id) => void ids.add(id));
  return [...ids];
}
