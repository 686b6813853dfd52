import { listTexts } from 'countersign/companion/terminal';

/** Counts operations and notifications, by the first words of their subjects. */
export function countUsers(users: readonly string[]): string {
  const kinds = Map.groupBy(users, (user) => user.slice(0, user.indexOf(' ')));
  const counts = Array.from(kinds, ([kind, { length }]) =>
    length === 1 ? `1 ${kind}` : `${length} ${kind}s`,
  );
  return listTexts(counts, 'and');
}
