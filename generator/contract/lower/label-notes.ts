import { listTexts } from '../../diagnostics/list-texts.ts';
import { memoize } from '../../execution/memoize.ts';
import type { Cursor } from '../../json/cursor.ts';
import { descend } from '../../json/descend.ts';
import { type Pointer, unescapeMember } from '../../json/pointer.ts';
import type { Documents, PendingAction } from '../../documents/documents.ts';
import { cursorAt } from '../../documents/places.ts';
import { messagePlaces } from '../../specification/message-place.ts';
import type { Unstated } from '../contract.ts';
import { ledgerLines } from '../ledger-entries.ts';

/** What a published document states about a label that open ledger entries decide. */
export interface LabelNote {
  /** The note, with the questions. */
  readonly note: string;
  /** The names of the entries, for descriptions from which comments are made. */
  readonly entries: string;
}

/** The notes of a published document, by the pointer of what they are for. */
export interface LabelNotes {
  /** The notes for channels and operations. */
  readonly labels: ReadonlyMap<Pointer, LabelNote>;
  /** The same notes for messages, from which webhooks are derived. */
  readonly messages: ReadonlyMap<Pointer, LabelNote>;
}

/**
 * Returns a note for each channel of the AsyncAPI document whose address, or the HTTP method of one of its operations,
 * would be changed by an answer to an open ledger entry.
 */
export function labelNotes(documents: Documents, unstated: readonly Unstated[]): LabelNotes {
  const labels = new Map<Pointer, LabelNote>();
  const messages = new Map<Pointer, LabelNote>();
  const { pendingActions = [] } = documents;
  if (pendingActions.length === 0) return { labels, messages };
  const root = cursorAt(documents, 'asyncapi#');
  const places = ['send', 'receive'].flatMap((action) => messagePlaces(root, action));
  for (const group of Map.groupBy(places, ({ channel }) => channel.pointer).values()) {
    const addresses = group.flatMap(({ channel }) => addressesOf(channel));
    const methods = group.flatMap(({ operation }) => methodsOf(operation));
    const note = toNote(
      entriesAbout(addresses, pendingActions),
      entriesAbout(methods, pendingActions),
      unstated,
    );
    if (note === undefined) continue;
    for (const { channel, operation, message } of group) {
      labels.set(channel.pointer, note).set(operation.pointer, note);
      messages.set(message.pointer, note);
    }
  }
  return { labels, messages };
}

function addressesOf(channel: Cursor): readonly Pointer[] {
  const address = channel.child('address');
  return address.text() === undefined ? [] : [address.pointer];
}

/** Returns the places of the HTTP method of an operation: where it is, and the path through references to it. */
function methodsOf(operation: Cursor): readonly Pointer[] {
  const method = operation.child('bindings').follow().child('http').follow().child('method');
  if (method.text() === undefined) return [];
  return [method.pointer, operation.child('bindings', 'http', 'method').pointer];
}

/** Returns the ids of the open entries whose answers can change one of several places. */
function entriesAbout(
  places: readonly Pointer[],
  actions: readonly PendingAction[],
): ReadonlySet<string> {
  const deciding = actions.filter((action) => places.some((place) => decides(action, place)));
  return new Set(deciding.map(({ id }) => id));
}

/** Returns whether an action would write or remove a place of a document. */
export function decides(action: PendingAction, place: Pointer): boolean {
  const { update } = action;
  const targets = targetsOf(action);
  const parts = place.split('/');
  return parts.some((_, index) => {
    if (!targets.has(parts.slice(0, index + 1).join('/'))) return false;
    const members = parts.slice(index + 1).map(unescapeMember);
    if (update === undefined) return true;
    return members.length > 0 && descend(update, members).depth === members.length;
  });
}

// A set, because an action can have a target in each of thousands of operations.
const targetsOf = memoize(({ targets }: PendingAction): ReadonlySet<string> => new Set(targets));

function toNote(
  ofAddress: ReadonlySet<string>,
  ofMethod: ReadonlySet<string>,
  unstated: readonly Unstated[],
): LabelNote | undefined {
  const deciding = unstated.filter(({ id }) => ofAddress.has(id) || ofMethod.has(id));
  if (deciding.length === 0) return undefined;
  const questions = deciding.map(({ id, question }) => `\`${id}\` (${question})`);
  const parts = [
    ...(ofAddress.size === 0 ? [] : ['this address']),
    ...(ofMethod.size === 0 ? [] : ['this method']),
  ];
  const open = questions.length === 1 ? 'An open question decides' : 'Open questions decide';
  return {
    note: `${open} whether requests have ${parts.join(' and ')}: ${listTexts(questions, 'and')}.`,
    entries: ledgerLines(deciding).join(' '),
  };
}
