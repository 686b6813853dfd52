import type { Contract, Unstated } from '../../contract/contract.ts';
import { isStatedAt, openEntries, openEntriesAt } from '../../contract/open-entries.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { isWithin, type Pointer, pointerDocument } from '../../json/pointer.ts';
import { indexSchemas, reachableFrom } from '../../schema/references.ts';
import { describeAssumption } from '../jsdoc.ts';
import type { SignatureCode } from './signature-code.ts';

/** An open ledger entry that can decide what a receiver refuses, as the README shows it. */
export interface ReceiverEntry {
  readonly id: string;
  readonly question: string;
  /** What holds while the entry is open. */
  readonly holds: string;
  /** What happens to a delivery that contradicts it. */
  readonly contradicted: string;
}

/** Returns the open entries that concern every notification of a document, without a part of their own. */
export function generalEntries(contract: Contract): readonly Unstated[] {
  const documents = new Set(contract.notifications.map(({ pointer }) => pointerDocument(pointer)));
  const places = [...documents].flatMap((name): readonly Pointer[] => [
    `${name}#`,
    `${name}#/info`,
    `${name}#/components`,
  ]);
  return openEntries(contract).filter(
    (entry) =>
      places.some((place) => isStatedAt(entry, place)) &&
      [...entry.usedBy, ...entry.affects].length === 0,
  );
}

/**
 * Returns the open entries that can decide what a receiver refuses, grouped by the step of a delivery. Leaves out entries
 * that are only documentation.
 */
export function describeReceiverLedger(
  contract: Contract,
  signatures: readonly SignatureCode[],
): readonly ReceiverEntry[] {
  const { notifications } = contract;
  const groups: readonly (readonly [readonly Unstated[], string])[] = [
    [
      generalEntries(contract),
      '401 if `authenticate` refuses it; `onInvalid` with 422 if it violates the schema',
    ],
    ...signatures.map(
      ({ verify, security }) =>
        [openEntriesAt(contract, security.pointer), `401 from \`${verify}\``] as const,
    ),
    [payloadEntries(contract), '`onInvalid` with 422 if it violates the schema'],
    [
      openEntries(contract).filter(({ id }) =>
        notifications.some(({ dedupeBy }) => unstatedId(dedupeBy) === id),
      ),
      'handled again, or acknowledged without a handler',
    ],
    [
      openEntriesAt(contract, ...notifications.flatMap(({ places }) => places)),
      'the handler of another kind or of a union, `otherwise`, or `onInvalid` with 422',
    ],
  ];
  const rows = new Map<Unstated, ReceiverEntry>();
  for (const [entries, contradicted] of groups) {
    for (const entry of entries) {
      if (entry.documentation === true || rows.has(entry)) continue;
      const { id, question } = entry;
      rows.set(entry, { id, question, holds: describeAssumption(entry), contradicted });
    }
  }
  return [...rows.values()];
}

/** Returns the names of the schemas of everything that a receiver gets. */
export function receivedSchemas(contract: Contract): readonly string[] {
  const index = indexSchemas(contract);
  return contract.notifications.flatMap(({ payload }) => reachableFrom(index, payload));
}

/** Returns the open entries that the schemas of bodies state, and those whose answers would change these schemas. */
function payloadEntries(contract: Contract): readonly Unstated[] {
  const index = indexSchemas(contract);
  const places = new Set(
    receivedSchemas(contract).flatMap((name) => index.get(name)?.pointer ?? []),
  );
  return openEntries(contract).filter(({ pointer, affects }) =>
    [pointer, ...affects].some((at) => [...places].some((place) => isWithin(at, place))),
  );
}
