import type { Contract, Notification } from '../contract/contract.ts';
import { openEntries } from '../contract/ledger-entries.ts';
import { isWithin, toPointer } from '../json/pointer.ts';
import { unionsBySchema } from '../recognition/recognition.ts';
import { labelWords } from '../recognition/union-words.ts';
import { memoize } from '../execution/memoize.ts';
import type { ContractRule, ContractRuleInput } from './rule.ts';
import { listFirst, quote } from '../diagnostics/quote.ts';
import { helpToDistinguish } from './distinguishing-overlay.ts';
import { helpToExclude } from './excluding-condition.ts';

/**
 * Checks that notifications with the same label, or without one, differ in their conditions. This is an error if the
 * document declares the vocabulary, because `x-identified-by` could distinguish them. Otherwise, and where all of them
 * state the same conditions, it is a warning, and a receiver passes them as a union. Where an open question of the
 * ledger can still distinguish them, it is a note. Reports each group of such
 * notifications once. The help distinguishes them from all others that can match the same delivery, too.
 */
export const indistinctNotifications: ContractRule = {
  codes: ['indistinct-notifications'],
  *check({ contract, documents }) {
    const groups = indistinctGroups(contract);
    const helpOf = createHelp(groups, { contract, documents });
    const joined = groupsToDistinguish(contract);
    const joinedHelpOf = memoize(createHelp(joined, { contract, documents }));
    for (const group of groups) {
      const [first, second] = group;
      if (first === undefined || second === undefined) continue;
      // Copies of a notification have the same id. The diagnostic itself is at the second one.
      const places = group.map(({ id, pointer }, index) => {
        if (index === 1 || (index === 0 ? second : first).id !== id) return quote(id);
        const { file, line } = documents.locate(pointer);
        return `${quote(id)} (${file}:${line})`;
      });
      const { pointer } = second;
      const message = `The notifications ${listShortly(places)} cannot be distinguished.`;
      const isStated = group.every(({ identifiedByOrigin }) => identifiedByOrigin === 'declared');
      yield {
        pointer,
        message,
        help:
          joinedHelpOf(joined.find((joinedGroup) => joinedGroup.includes(first)) ?? group) ??
          helpOf(group),
        severity: !isStated ? 'by-vocabulary' : isAsked(group, contract) ? 'info' : 'warning',
      };
    }
  },
};

/** Returns whether an open question of the ledger has an answer that changes how one of the notifications is recognized. */
function isAsked(group: Group, contract: Contract): boolean {
  return openEntries(contract).some(({ affects }) =>
    affects.some((place) =>
      group.some(({ pointer }) => isWithin(place, toPointer(pointer, 'x-identified-by'))),
    ),
  );
}

/** The number of findings that are shown one by one. */
const maxSingle = 3;

type Group = readonly Notification[];

function indistinctGroups({ notifications, recognition }: Contract): readonly Group[] {
  const byName = new Map(notifications.map((notification) => [notification.name, notification]));
  return recognition.indistinct.map((names) => names.flatMap((name) => byName.get(name) ?? []));
}

/**
 * Creates the function that returns the help for one of the groups. Many findings are shown as one group, with the help
 * that all of them have.
 */
function createHelp(
  groups: readonly Group[],
  { contract, documents }: Pick<ContractRuleInput, 'contract' | 'documents'>,
): (group: Group) => string | undefined {
  const commonOf = memoize((all: typeof groups) =>
    all.length > maxSingle ? helpToDistinguish(all, contract, documents) : undefined,
  );
  return (group) => commonOf(groups) ?? helpToDistinguish([group], contract, documents);
}

/**
 * Reports groups of notifications that can match the same delivery, each at its first notification. The help
 * distinguishes all notifications that groups with common notifications have, or states what excludes them. It is the
 * default one where the warning about indistinct notifications has the same.
 */
export const ambiguousNotifications: ContractRule = {
  codes: ['ambiguous-notifications'],
  *check({ contract, documents }) {
    const groups = groupsInOneDelivery(contract);
    const indistinct = indistinctGroups(contract);
    const starts = new Set(indistinct.map(([notification]) => notification));
    const joined = joinGroups([...indistinct, ...groups]).filter(
      (group) => !group.some((notification) => starts.has(notification)),
    );
    const joinedOf = new Map(
      joined.flatMap((group) => group.map((notification) => [notification, group] as const)),
    );
    const helpOf = memoize(createHelp(joined, { contract, documents }));
    for (const group of groups) {
      const [first] = group;
      if (first === undefined) continue;
      const names = group.map(({ id }) => quote(id));
      const words = labelWords(
        contract.recognition,
        group.map(({ name }) => name),
      );
      const delivery = words === '' ? 'A delivery' : `A delivery ${words}`;
      const message = `${delivery} can match ${listShortly(names)}.`;
      const joinedGroup = joinedOf.get(first);
      const help = joinedGroup && (helpOf(joinedGroup) ?? helpToExclude(group, contract));
      yield { pointer: first.pointer, message, help };
    }
  },
};

/** Returns the groups of notifications that an overlay has to distinguish, with all others that a delivery can match. */
export function groupsToDistinguish(contract: Contract): readonly Group[] {
  const groups = indistinctGroups(contract);
  const starts = new Set(groups.map(([notification]) => notification));
  return joinGroups([...groups, ...groupsInOneDelivery(contract)]).filter((group) =>
    group.some((notification) => starts.has(notification)),
  );
}

/** Returns groups of notifications that can match one delivery. */
function groupsInOneDelivery({ notifications }: Contract): readonly Group[] {
  return Array.from(ambiguousGroups(notifications), ([first, later]) => [first, ...later]);
}

/** Joins groups with common members. Members are in the order of the groups. */
function joinGroups(groups: readonly Group[]): readonly Group[] {
  const groupOf = new Map<Notification, Set<Notification>>();
  for (const group of groups) {
    const overlappingSets = new Set(
      group.flatMap((notification) => groupOf.get(notification) ?? []),
    );
    const [joinedSet = new Set<Notification>(), ...otherSets] = overlappingSets;
    for (const notification of [...otherSets.flatMap((set) => [...set]), ...group]) {
      joinedSet.add(notification);
      groupOf.set(notification, joinedSet);
    }
  }
  return Array.from(new Set(groupOf.values()), (group) => [...group]);
}

/**
 * Reports `x-identified-by-schema` where it decides nothing: for data that is not in JSON, and where no set of kinds
 * remains of which each states it.
 */
export const schemaIdentification: ContractRule = {
  codes: ['unused-schema-identification'],
  *check({ contract: { notifications, recognition } }) {
    const bySchema = new Set(recognition.bySchema);
    const decided = new Set(unionsBySchema(recognition).flat());
    const unions = recognition.groups.filter(({ length }) => length > 1);
    for (const { id, name, pointer, identifiedBySchema } of notifications) {
      if (identifiedBySchema !== true || decided.has(name)) continue;
      const remaining = new Set(unions.filter((union) => union.includes(name)).flat());
      const indistinct = notifications.filter(
        (notification) => remaining.has(notification.name) && !bySchema.has(notification.name),
      );
      const reason = !bySchema.has(name)
        ? 'its data is not in JSON'
        : indistinct.length === 0
          ? 'other parts of a delivery decide it'
          : `a delivery can also match ${listFirst(indistinct.map((other) => quote(other.id)))}, whose schema does not decide`;
      yield {
        pointer: toPointer(pointer, 'x-identified-by-schema'),
        message: `The schema of ${quote(id)} decides nothing: ${reason}.`,
      };
    }
  },
};

/**
 * Returns notifications with the later ones that can match the same delivery. Of notifications with the same
 * conditions, which can match the same others, only the first is returned.
 */
export function* ambiguousGroups(
  notifications: readonly Notification[],
): Iterable<readonly [Notification, readonly Notification[]]> {
  const position = new Map(notifications.map(({ name }, index) => [name, index]));
  const returned = new Set<string>();
  for (const [index, notification] of notifications.entries()) {
    const conditions = JSON.stringify(notification.identifiedBy);
    if (returned.has(conditions)) continue;
    returned.add(conditions);
    const later = notification.ambiguousWith.flatMap((name) => {
      const other = position.get(name) ?? -1;
      return other > index ? (notifications[other] ?? []) : [];
    });
    if (later.length > 0) yield [notification, later];
  }
}

/** Lists the first ten names, and the number of the others. */
export function listShortly(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  const more = names.length - shown.length;
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '');
  return `${shown.join(', ')} and ${last}`;
}
