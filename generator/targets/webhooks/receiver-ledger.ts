import type { Contract, Unstated } from '../../contract/contract.ts';
import { describeAnswer, entriesAt } from '../../contract/ledger-entries.ts';
import { generalEntries } from '../../contract/shared-entries.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { isWithin } from '../../json/pointer.ts';
import { indexSchemas, reachableFrom } from '../../schema/references.ts';
import type { SignatureCode } from '../printing/signature-code.ts';

/** The entries that decide about one step of a delivery. */
interface LedgerGroup {
  readonly outcome: string;
  /** The entries, each in one group only, with what holds. */
  readonly entries: readonly (Unstated & { readonly holds: string })[];
}

/**
 * Returns for the README the entries that can decide what a receiver refuses, by the step of a delivery, with the
 * outcome for a delivery that contradicts what holds. Leaves out entries that are only documentation.
 */
export function describeReceiverLedger(
  contract: Contract,
  signatures: readonly SignatureCode[],
): readonly LedgerGroup[] {
  const { notifications } = contract;
  const groups: readonly (readonly [outcome: string, entries: readonly Unstated[]])[] = [
    [
      'Every delivery: the response is 401 if `authenticate` refuses it. An authentic delivery whose body violates the schema is passed to `onInvalid`, and the response is 422.',
      generalEntries(contract),
    ],
    ...signatures.map(
      ({ verify, security }) =>
        [
          `Signatures: \`${verify}\` refuses a delivery that is signed in another way, and the response is 401.`,
          entriesAt(contract, security.pointer),
        ] as const,
    ),
    [
      'Bodies: a body that violates the schema is passed to `onInvalid`, and the response is 422.',
      payloadEntries(contract),
    ],
    [
      'Repetitions: a delivery that is taken for a repetition is acknowledged, and no handler is called.',
      contract.unstated.filter(({ id }) =>
        notifications.some(({ dedupeBy }) => unstatedId(dedupeBy) === id),
      ),
    ],
    [
      'Order: an inbox keeps the order of deliveries with the same key.',
      contract.unstated.filter(({ id }) =>
        notifications.some(({ orderedBy }) => unstatedId(orderedBy) === id),
      ),
    ],
    [
      'Kinds: a delivery that contradicts one of these is passed to the handler of another kind or of a union, to `otherwise`, or to `onInvalid` with the response 422.',
      entriesAt(contract, ...notifications.flatMap(({ places }) => places)),
    ],
  ];
  const shown = new Set<Unstated>();
  return groups.flatMap(([outcome, entries]) => {
    const newEntries = entries.filter(
      (entry) => entry.documentation !== true && !shown.has(entry) && shown.add(entry),
    );
    if (newEntries.length === 0) return [];
    const described = newEntries.map((entry) => ({ ...entry, holds: describeAnswer(entry) }));
    return [{ outcome, entries: described }];
  });
}

/** Returns the names of the schemas of everything that a receiver gets. */
export function receivedSchemas(contract: Contract): readonly string[] {
  const index = indexSchemas(contract);
  return contract.notifications.flatMap(({ payload }) => reachableFrom(index, payload));
}

/** Returns the entries that the schemas of bodies state, and those whose answers change these schemas. */
function payloadEntries(contract: Contract): readonly Unstated[] {
  const index = indexSchemas(contract);
  const places = new Set(
    receivedSchemas(contract).flatMap((name) => index.get(name)?.pointer ?? []),
  );
  return contract.unstated.filter(({ pointer, affects, answers }) =>
    [pointer, ...affects, ...answers].some((at) =>
      [...places].some((place) => isWithin(at, place)),
    ),
  );
}
