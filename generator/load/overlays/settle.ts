import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { TimeLimit } from '../../execution/time-limit.ts';
import { type Json, type JsonObject, optional } from '../../json/json.ts';
import { type DocumentName, type Pointer, toPointer } from '../../json/pointer.ts';
import {
  isMutableObject,
  originMembers,
  type MutableJson,
  type MutableObject,
  type Origins,
} from '../origins.ts';
import { isAnswerUpdate } from '../../documents/unstated-entries.ts';
import { applyOverlay } from './apply-overlay.ts';
import type { Overlay, OverlayAction } from './overlay.ts';

/**
 * Applies the actions of all settled ledger entries to bundled documents, in the ledger's order. Then removes the
 * examples that presume another answer than the settled one, and replaces the notes about settled entries by their
 * answers. Reports actions that write the same place.
 * @param documents the documents that declare `x-countersign: 1`; they are changed
 * @returns the diagnostics, and the places that the actions of each entry wrote, by its id
 */
export async function settleEntries(
  documents: ReadonlyMap<DocumentName, MutableObject>,
  origins: Origins,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly answerPlaces: ReadonlyMap<string, readonly Pointer[]>;
}> {
  const changedBy = findChangedDocuments(documents);
  const limit = new TimeLimit();
  /** The id of the entry that wrote a place last. */
  const writers = new Map<Pointer, string>();
  const answerPlaces = new Map<string, Pointer[]>();

  const apply = async (
    id: string,
    choice: MutableObject,
    action: MutableObject,
  ): Promise<readonly Diagnostic[]> => {
    const origin = origins.of(action);
    const { target, remove, convert, document: named } = action;
    const isAnswer = isAnswerUpdate(action['update'], id);
    const update = isAnswer ? choice['value'] : action['update'];
    const updateOrigin = isAnswer ? origins.ofMember(choice, 'value') : undefined;
    // The vocabulary's schema reports a malformed action.
    if (origin === undefined || typeof target !== 'string') return [];
    const { source } = origin;
    const members = originMembers(origin);
    const applied: OverlayAction = {
      members,
      target,
      remove: remove === true,
      ...optional('update', update),
      ...(convert === 'string' || convert === 'number' ? { convert } : {}),
      ...optional('updateOrigin', updateOrigin),
    };
    const conflicts = new Set<string>();
    const places = answerPlaces.get(id) ?? [];
    answerPlaces.set(id, places);
    const results: (readonly Diagnostic[])[] = [];
    for (const name of changedBy(id, named)) {
      const root = documents.get(name);
      if (root === undefined) {
        const message = `The contract has no ${name} document that this action could change.`;
        return [createDiagnostic('invalid-overlay', message, source.locate(members))];
      }
      const overlay: Overlay = { source, extends: name, actions: [applied], refersToFiles: false };
      const diagnostics = await applyOverlay(overlay, root, origins, limit, (path, isAppended) => {
        const place = toPointer(`${name}#`, ...path);
        if (!isInExamples(path)) places.push(place);
        const other = writers.get(place);
        if (other !== undefined && other !== id) conflicts.add(other);
        if (!isAppended) writers.set(place, id);
      });
      results.push(diagnostics);
    }
    // A target is missed only if no document has it.
    const isMissed = results.every((documentDiagnostics) =>
      documentDiagnostics.some(isMissedTarget),
    );
    const problems = isMissed
      ? results[0]
      : results.flat().filter((diagnostic) => !isMissedTarget(diagnostic));
    const conflicting = Array.from(conflicts, (other) => {
      const message = `The settled answers of "${other}" and "${id}" write the same place.`;
      return createDiagnostic('conflicting-actions', message, source.locate(members));
    });
    return [...(problems ?? []), ...conflicting];
  };

  const diagnostics: Diagnostic[] = [];
  const settled = new Map<string, string>();
  const entries = entriesIn(documents, isSettled);
  for (const [id, entry] of entries) {
    const { settled: answer } = entry;
    if (typeof answer !== 'string') continue;
    settled.set(id, answer);
    const choice = choiceOf(entry, answer) ?? {};
    const actions = actionsOf(entry, answer);
    const isIncomplete =
      choice['value'] === undefined && actions.some(({ update }) => isAnswerUpdate(update, id));
    if (isIncomplete) {
      const origin = origins.ofMember(entry, 'settled');
      if (origin === undefined) continue;
      const message = `The answer ${quote(answer)} to ${quote(id)} requires a \`value\`, which the contract cannot know.`;
      const help = `Run \`countersign settle ${id}=${answer} --value <json>\`, or add \`value\` to the choice in the overlay.`;
      const at = origin.source.locate(originMembers(origin));
      diagnostics.push(createDiagnostic('invalid-overlay', message, at, { help }));
      continue;
    }
    for (const action of actions) diagnostics.push(...(await apply(id, choice, action)));
  }
  const answers = new Map([...entries].map(([id, entry]) => [id, meaningOfAnswer(entry)] as const));
  for (const root of documents.values()) {
    removeOtherExamples(root, settled);
    answerNotes(root, answers);
  }
  return { diagnostics, answerPlaces };
}

/** Objects whose members are named by the author, so that a member `examples` is no list of examples. */
const maps: ReadonlySet<string | number | undefined> = new Set(
  ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'].concat(
    ['schemas', 'responses', 'parameters', 'headers', 'requestBodies', 'securitySchemes', 'links'],
    ['callbacks', 'webhooks', 'servers', 'variables', 'channels', 'operations', 'messages'],
    ['replies', 'correlationIds', 'operationTraits', 'messageTraits', 'tags', 'x-conditions'],
  ),
);

/** Returns whether a place is an example or in one, which nothing that is generated depends on. */
export function isInExamples(path: readonly (string | number)[]): boolean {
  return path.some(
    (member, index) =>
      (member === 'examples' || member === 'x-invalid-examples') && !maps.has(path[index - 1]),
  );
}

/** Returns whether a ledger entry is settled. */
export function isSettled({ settled }: MutableObject): boolean {
  return typeof settled === 'string';
}

/** Returns the actions of a choice of a ledger entry. */
export function actionsOf(entry: MutableObject, name: string): readonly MutableObject[] {
  const actions = choiceOf(entry, name)?.['actions'];
  return Array.isArray(actions) ? actions.filter(isMutableObject) : [];
}

function choiceOf({ choices }: MutableObject, name: string): MutableObject | undefined {
  const choice =
    isMutableObject(choices) && Object.hasOwn(choices, name) ? choices[name] : undefined;
  return isMutableObject(choice) ? choice : undefined;
}

/**
 * Returns the function that returns the documents that an action changes: the one that the action names, or all that
 * have its entry. Both documents can have a copy of a schema with its entries.
 */
export function findChangedDocuments(
  documents: ReadonlyMap<DocumentName, MutableObject>,
): (id: string, named: MutableJson | undefined) => Iterable<DocumentName> {
  const holders = new Map<string, Set<DocumentName>>();
  for (const [document, root] of documents) {
    for (const [id] of unstatedIn(root)) {
      holders.set(id, (holders.get(id) ?? new Set()).add(document));
    }
  }
  return (id, named) =>
    named === 'openapi' || named === 'asyncapi' ? [named] : (holders.get(id) ?? []);
}

function isMissedTarget({ code }: Diagnostic): boolean {
  return code === 'overlay-target-not-found';
}

/** Returns the ledger entries that satisfy a condition, by id. Of entries with the same id, the first counts. */
export function entriesIn(
  documents: ReadonlyMap<DocumentName, JsonObject>,
  isWanted: (entry: MutableObject) => boolean,
): ReadonlyMap<string, MutableObject> {
  const entries = new Map<string, MutableObject>();
  for (const root of documents.values()) {
    for (const [id, entry] of unstatedIn(root)) {
      if (!entries.has(id) && isWanted(entry)) entries.set(id, entry);
    }
  }
  return entries;
}

/** Yields each ledger entry of a document with its id, in the document's order. */
function* unstatedIn(value: Json): Generator<readonly [string, MutableObject]> {
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

/** Returns the meaning of the settled choice of an entry, or the sentence that settles it. */
function meaningOfAnswer({ settled, choices }: MutableObject): string {
  const answer = typeof settled === 'string' ? settled : '';
  const isListed = isMutableObject(choices) && Object.hasOwn(choices, answer);
  const choice = isListed ? choices[answer] : undefined;
  const meaning = isMutableObject(choice) ? choice['meaning'] : choice;
  return typeof meaning === 'string' ? meaning : answer;
}

/** Replaces each note about a settled entry by the answer: what the note says is true only while the question is open. */
function answerNotes(value: MutableJson, answers: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  const note = isMutableObject(value) ? value['x-note'] : undefined;
  if (isMutableObject(value) && note !== undefined) {
    const notes = [note].flat();
    const answered = notes.flatMap((item) => answerNote(item, answers));
    // Two notes can be about one entry.
    const unique = new Map(answered.map((item) => [JSON.stringify(item), item]));
    if (answered.some((item) => !notes.includes(item))) value['x-note'] = [...unique.values()];
  }
  for (const child of Object.values(value)) answerNotes(child, answers);
}

function answerNote(
  note: MutableJson,
  answers: ReadonlyMap<string, string>,
): readonly MutableJson[] {
  if (!isMutableObject(note)) return [note];
  const settled = [note['about'] ?? []]
    .flat()
    .filter((id): id is string => typeof id === 'string' && answers.has(id));
  if (settled.length === 0) return [note];
  return settled.map((id) => ({
    text: `Stated by the operator of the service (\`${id}\`): ${answers.get(id)}`,
    about: id,
  }));
}
