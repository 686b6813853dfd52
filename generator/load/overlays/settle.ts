import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createTimeLimit, type TimeLimit } from '../../execution/time-limit.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { type DocumentName, type Pointer, toPointer } from '../../json/pointer.ts';
import {
  isMutableObject,
  originMembers,
  type MutableJson,
  type MutableObject,
  type Origins,
} from '../origins.ts';
import { applyOverlay } from './apply-overlay.ts';
import type { Overlay, OverlayAction } from './overlay.ts';

/** The actions of one settled ledger entry. */
interface SettledEntry {
  readonly id: string;
  readonly actions: readonly MutableObject[];
}

/** What the actions of all settled entries share. */
interface SettlingContext {
  readonly documents: ReadonlyMap<DocumentName, MutableObject>;
  readonly holders: ReturnType<typeof holdersOf>;
  readonly origins: Origins;
  /** The id of the entry that wrote a place last. */
  readonly writers: Map<Pointer, string>;
  /** The places that the actions of each entry wrote, by its id. */
  readonly written: Map<string, Pointer[]>;
  readonly limit: TimeLimit;
}

/**
 * Applies the actions of all settled ledger entries to bundled documents, in the ledger's order. Then removes the
 * examples that presume another answer than the settled one. Reports actions that write the same place.
 * @param documents the documents that declare `x-countersign: 1`; they are changed
 * @returns the diagnostics, and the places that the actions of each entry wrote, by its id
 */
export async function settleEntries(
  documents: ReadonlyMap<DocumentName, MutableObject>,
  origins: Origins,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly written: ReadonlyMap<string, readonly Pointer[]>;
}> {
  const settled = new Map<string, string>();
  const entries: SettledEntry[] = [];
  for (const root of documents.values()) {
    for (const [id, entry] of unstatedIn(root)) {
      const answer = entry['settled'];
      if (typeof answer !== 'string' || settled.has(id)) continue;
      settled.set(id, answer);
      const { choices } = entry;
      const choice =
        isMutableObject(choices) && Object.hasOwn(choices, answer) ? choices[answer] : undefined;
      const actions = isMutableObject(choice) ? choice['actions'] : undefined;
      if (!Array.isArray(actions)) continue;
      entries.push({ id, actions: actions.filter(isMutableObject) });
    }
  }
  const diagnostics: Diagnostic[] = [];
  const writers = new Map<Pointer, string>();
  const written = new Map<string, Pointer[]>();
  const holders = holdersOf(documents);
  const context = { documents, holders, origins, writers, written, limit: createTimeLimit() };
  for (const entry of entries) {
    for (const action of entry.actions) {
      diagnostics.push(...(await applyAction(entry, action, context)));
    }
  }
  for (const root of documents.values()) removeOtherExamples(root, settled);
  return { diagnostics, written };
}

/** Returns whether a document has a ledger entry that is settled. */
export function hasSettledEntries(root: JsonObject): boolean {
  for (const [, entry] of unstatedIn(root)) if (typeof entry['settled'] === 'string') return true;
  return false;
}

/**
 * Returns the documents that have each ledger entry, by its id. Actions change all of them by default, because both
 * documents can have a copy of a schema with its entries.
 */
export function holdersOf(
  documents: ReadonlyMap<DocumentName, MutableObject>,
): ReadonlyMap<string, ReadonlySet<DocumentName>> {
  const holders = new Map<string, Set<DocumentName>>();
  for (const [document, root] of documents) {
    for (const [id] of unstatedIn(root)) {
      holders.set(id, (holders.get(id) ?? new Set()).add(document));
    }
  }
  return holders;
}

async function applyAction(
  { id }: SettledEntry,
  action: MutableObject,
  { documents, holders, origins, writers, written, limit }: SettlingContext,
): Promise<readonly Diagnostic[]> {
  const origin = origins.of(action);
  const { target, update, remove, document: named } = action;
  // The vocabulary's schema reports a malformed action.
  if (origin === undefined || typeof target !== 'string') return [];
  const { source } = origin;
  const members = originMembers(origin);
  const applied: OverlayAction = {
    members,
    target,
    remove: remove === true,
    ...(update === undefined ? {} : { update }),
  };
  const conflicts = new Set<string>();
  const places = written.get(id) ?? [];
  written.set(id, places);
  const results: (readonly Diagnostic[])[] = [];
  for (const name of isDocumentName(named) ? [named] : (holders.get(id) ?? [])) {
    const root = documents.get(name);
    if (root === undefined) {
      const message = `The contract has no ${name} document that this action could change.`;
      return [createDiagnostic('invalid-overlay', message, source.locate(members))];
    }
    const overlay: Overlay = { source, extends: name, actions: [applied], refersToFiles: false };
    const found = await applyOverlay(overlay, root, origins, limit, (path, isAppended) => {
      const place = toPointer(`${name}#`, ...path);
      places.push(place);
      const other = writers.get(place);
      if (other !== undefined && other !== id) conflicts.add(other);
      if (!isAppended) writers.set(place, id);
    });
    results.push(found);
  }
  // A target is missed only if no document has it.
  const isMissed = results.every((found) => found.some(isMissedTarget));
  const problems = isMissed ? results[0] : results.flat().filter((one) => !isMissedTarget(one));
  return [
    ...(problems ?? []),
    ...Array.from(conflicts, (other) =>
      createDiagnostic(
        'conflicting-actions',
        `The settled answers of "${other}" and "${id}" write the same place.`,
        source.locate(members),
      ),
    ),
  ];
}

function isMissedTarget({ code }: Diagnostic): boolean {
  return code === 'overlay-target-not-found';
}

/** Returns whether a value is the name of a document that actions can change. */
export function isDocumentName(value: MutableJson | undefined): value is DocumentName {
  return value === 'openapi' || value === 'asyncapi';
}

/** Yields each ledger entry of a document with its id, in the document's order. */
export function* unstatedIn<T extends Json | MutableJson>(
  value: T,
): Generator<readonly [string, MutableObject]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [member, child] of Object.entries(value) as readonly [string, MutableJson][]) {
    if (member === 'x-unstated' && isMutableObject(child)) {
      for (const [id, entry] of Object.entries(child)) {
        if (isMutableObject(entry)) yield [id, entry];
      }
    } else yield* unstatedIn(child);
  }
}

/**
 * Removes the examples that presume another answer than the settled one. `x-presumes` stands on the object that has the
 * examples, and maps their names, or `*` for all, to the answers.
 */
function removeOtherExamples(value: MutableJson, settled: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  const presumes = isMutableObject(value) ? value['x-presumes'] : undefined;
  if (isMutableObject(value) && isMutableObject(presumes)) {
    const isOther = (name: MutableJson | undefined): boolean =>
      [presumes['*'], typeof name === 'string' ? presumes[name] : undefined].some(
        (answers) =>
          isMutableObject(answers) &&
          Object.entries(answers).some(([id, answer]) => (settled.get(id) ?? answer) !== answer),
      );
    for (const key of ['examples', 'x-invalid-examples']) {
      const examples = value[key];
      if (Array.isArray(examples)) {
        value[key] = examples.filter(
          (example) => !(isMutableObject(example) && isOther(example['name'])),
        );
      } else if (isMutableObject(examples)) {
        for (const name of Object.keys(examples)) if (isOther(name)) delete examples[name];
      }
    }
  }
  for (const child of Object.values(value)) removeOtherExamples(child, settled);
}
