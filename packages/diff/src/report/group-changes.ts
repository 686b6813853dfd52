import { countUsers } from '../count-users.ts';
import { type Effect } from '../change.ts';
import type { ChangeCode } from '../verdicts/verdicts.ts';
import { isDocumentationOnly } from './levels.ts';
import type { DiffReport, LocatedContractChange } from './report.ts';

/** The changes of a report by their effect on users, the worst first in each. */
export interface ChangeGroups {
  readonly breaking: readonly LocatedContractChange[];
  readonly compatible: readonly LocatedContractChange[];
  readonly documentation: readonly LocatedContractChange[];
}

/** Groups the changes of a report by their effect on users, the worst first. */
export function groupChanges({ changes }: Pick<DiffReport, 'changes'>): ChangeGroups {
  const nonBreakingChanges = changes.filter(({ breaking }) => !breaking);
  return {
    breaking: changes.filter(({ breaking }) => breaking).toSorted((a, b) => rankOf(a) - rankOf(b)),
    compatible: nonBreakingChanges.filter((change) => !isDocumentationOnly(change)),
    documentation: nonBreakingChanges.filter(isDocumentationOnly),
  };
}

/** Returns a smaller number for a worse change: what breaks what runs today is worse than what breaks code. */
function rankOf({ effects, undecided }: LocatedContractChange): number {
  const isNow = effects.some(({ deployed }) => deployed === 'breaks');
  return (isNow ? 0 : 2) + (undecided === true ? 1 : 0);
}

/** The number of breaking changes for each consumer of a contract. */
export interface ConsumerCounts {
  /** Changes that break deployed callers. */
  readonly callers: number;
  /** Changes that break deployed receivers. */
  readonly receivers: number;
  /** Changes that break nothing on the wire, but code that is compiled against the new packages. */
  readonly code: number;
}

/** Counts the breaking changes of a report for each consumer. One change can count for callers and receivers. */
export function countConsumers(changes: readonly LocatedContractChange[]): ConsumerCounts {
  const breaks = (of: readonly Effect['role'][]) => (change: LocatedContractChange) =>
    change.effects.some(({ role, deployed }) => of.includes(role) && deployed === 'breaks');
  const breaking = changes.filter((change) => change.breaking);
  return {
    callers: breaking.filter(breaks(['request', 'response'])).length,
    receivers: breaking.filter(breaks(['notification'])).length,
    code: breaking.filter(({ effects }) => effects.every(({ deployed }) => deployed === 'keeps'))
      .length,
  };
}

/** Changes that rename what code imports, calls or passes. */
const renamingCodes: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'schema-renamed',
  'operation-renamed',
  'parameter-renamed',
  'kind-renamed',
  'enum-name-changed',
  'credential-renamed',
]);

/** Returns whether a change renames what code imports, calls or passes, and changes nothing on the wire. */
export function isRenaming({ code }: LocatedContractChange): boolean {
  return renamingCodes.has(code);
}

/** Changes of one kind with the same effects. */
export interface Kind {
  readonly first: LocatedContractChange;
  readonly count: number;
  /** The changes, of which those that read the same are together, and those of members of one object are one. */
  readonly alike: readonly (readonly LocatedContractChange[])[];
}

/** Groups changes by their kind and their effects, so that what they mean is told once. Keeps the order. */
export function groupByKind(changes: readonly LocatedContractChange[]): readonly Kind[] {
  const kinds = Map.groupBy(changes, ({ code, effects, undecided, answer, override }) =>
    JSON.stringify([code, effects, undecided, answer, override]),
  );
  return [...kinds.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const merged = mergeMembers(all);
    const alike = [...Map.groupBy(merged, ({ message }) => message).values()];
    return { first, count: all.length, alike };
  });
}

/** Makes one change of those that say the same about members of one object, as those of values are one. */
function mergeMembers(changes: readonly LocatedContractChange[]): readonly LocatedContractChange[] {
  const objects = Map.groupBy(changes, (change) => {
    const { member, side, subject } = change;
    return member === undefined ? change : JSON.stringify([side, subject, aboutMember(change)]);
  });
  return [...objects.values()].flatMap((all) => {
    const [first] = all;
    const names = [...new Set(all.flatMap(({ member }) => member ?? []))];
    if (first === undefined || names.length < 2) return all;
    const listed = names.map((name) => `\`${name}\``).join(', ');
    const [said = '', ...sentences] = aboutMember(first).split('. ');
    return {
      ...first,
      message:
        [
          `Each of ${names.length} members ${said.replace(/\.$/u, '')}`,
          `They are ${listed}`,
          ...sentences,
        ].join('. ') + (sentences.length === 0 ? '.' : ''),
      usedBy: [...new Set(all.flatMap(({ usedBy }) => usedBy))],
    };
  });
}

/** Returns what a message says about a member. */
function aboutMember({ member = '', message }: LocatedContractChange): string {
  return message.slice(`\`${member}\` `.length);
}

/** Describes the operations and notifications that changes concern: their number and the first. */
export function describeUsers(
  changes: readonly LocatedContractChange[],
  all: boolean,
): string | undefined {
  const users = [...new Set(changes.flatMap(({ usedBy }) => usedBy))];
  const [first] = users;
  const isOwn = changes.every(({ subject, usedBy }) =>
    usedBy.every((user) => subject.includes(user)),
  );
  if (first === undefined || isOwn) return undefined;
  const counts = countUsers(users);
  if (users.length === 1) return `concerns ${first}`;
  return all ? `concerns ${counts}: ${users.join(', ')}` : `concerns ${counts}, first ${first}`;
}
