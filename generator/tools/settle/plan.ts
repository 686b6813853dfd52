import { posix, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import type { Unstated } from '../../contract/contract.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import { toJsonPath } from '../../json/json-path.ts';
import {
  type DocumentName,
  type Pointer,
  pointerDocument,
  pointerMembers,
} from '../../json/pointer.ts';
import { isSameJson } from '../../json/same-json.ts';
import type { ContractFiles } from '../../load/contract-files.ts';
import type { Documents } from '../../documents/documents.ts';
import { toPath, toRelativeReference } from '../../load/reference.ts';
import {
  choicesOf,
  unstatedEntries,
  type UnstatedEntry,
} from '../../documents/unstated-entries.ts';
import { CommandError } from '../command-error.ts';
import type { UserFileChanges } from '../../output/user-files.ts';
import { addOverlays } from './add-to-configuration.ts';
import type { Answer } from './answer.ts';
import { createOverlay, editOverlay, type ReplacedAnswer } from './edit-overlay.ts';

/** What answers are written to. */
export interface SettleContext {
  readonly contract: ContractFiles;
  /** The folder that the paths of the contract are relative to, absolute. */
  readonly folder: string;
  readonly documents: Documents;
  /** The overlay that the user wants, relative to the folder. Default: one that the contract has, or a new one. */
  readonly overlay?: string | undefined;
  /** Returns the text of a file, by its path relative to the folder; `undefined` if there is none. */
  readonly readText: (path: string) => string | undefined;
  /** The configuration, relative to the folder. */
  readonly configuration: string;
}

/** An answer, and the one that it replaces. */
interface SettledAnswer {
  readonly id: string;
  readonly answer: string;
  /** The answer before; left out where the entry was not settled. */
  readonly before?: string;
}

/** The changes of files that settle entries of the ledger. */
export interface SettlePlan extends UserFileChanges {
  readonly settled: readonly SettledAnswer[];
  /** The entries that have the answer already. */
  readonly unchanged: readonly string[];
  /** The files of the contract after the changes. */
  readonly contract: ContractFiles;
}

/**
 * Plans the changes that settle entries: a changed answer is replaced where it is written, a new one is appended to the
 * overlay of its document. Every other character of an existing file stays as it is.
 * @throws CommandError `usage` for an overlay of another document, `occupied` for a new overlay that exists already,
 * `not-editable` for a file that cannot be changed without damage
 */
export function planSettle(answers: readonly Answer[], context: SettleContext): SettlePlan {
  const { contract } = context;
  const wanted = answers.filter((answer) => !isSettledSo(answer));
  const changes = new Map<string, OverlayChanges>();
  const changesOf = (path: string): OverlayChanges => {
    const overlayChanges = changes.get(path) ?? { replaced: [], added: [] };
    changes.set(path, overlayChanges);
    return overlayChanges;
  };
  const created = new Map<string, DocumentName>();
  for (const answer of wanted) {
    for (const entry of answer.entries) {
      const { pointer } = entry.at;
      const existing = findWritten(entry, context);
      const document = documentOf(pointer);
      const target = existing ?? chooseOverlay(document, context);
      if (target.isNew === true) {
        const other = created.get(target.path) ?? document;
        if (other !== document)
          throw new CommandError(
            'usage',
            `The answers concern two documents, and an overlay changes one. Settle the entries of ${other} and ${document} one after the other.`,
          );
        created.set(target.path, document);
      }
      const { replaced, added } = changesOf(target.path);
      if (existing !== undefined) replaced.push({ at: existing.at, answer: answer.text });
      const update = updateOf(answer, existing !== undefined);
      if (update === undefined) continue;
      const description = entry.at.text('question') ?? answer.id;
      added.push({
        target: toJsonPath(entry.at.root, pointerMembers(pointer)),
        description,
        update,
      });
    }
  }
  const edits = [...changes].flatMap(([path, { replaced, added }]) => {
    if (created.has(path)) return [];
    const before = context.readText(path) ?? '';
    const after = editOverlay(before, replaced, added);
    if (after !== undefined) return [{ path, before, after }];
    const text = createOverlay('…', added);
    throw new CommandError(
      'not-editable',
      `${path} cannot be changed without damage. Nothing was written. Settle the entries there by hand:\n\n${text}`,
    );
  });
  const creates = [...created].map(([path, document]) => {
    const extended = toRelativeReference(
      resolve(context.folder, path),
      resolve(context.folder, contract[document] ?? ''),
    );
    return { path, text: createOverlay(extended, changes.get(path)?.added ?? []) };
  });
  const paths = creates.map(({ path }) => path);
  return {
    creates,
    edits: [...configurationEdit(creates, context), ...edits],
    contract: { ...contract, overlays: [...(contract.overlays ?? []), ...paths] },
    settled: wanted.map(({ id, text, entries }) => {
      const before = entries[0]?.at.text('settled');
      return { id, answer: text, ...(before === undefined ? {} : { before }) };
    }),
    unchanged: answers.filter((answer) => !wanted.includes(answer)).map(({ id }) => id),
  };
}

/**
 * Checks that a contract has the answers that were planned, and that no other answer has changed.
 * @param ledger the entries of the contract after the changes
 * @throws CommandError `usage` for a choice with a value that nothing in the contract takes, `not-editable` otherwise
 */
export function assertSettled(
  answers: readonly Answer[],
  before: Documents,
  after: Documents,
  ledger: readonly Pick<Unstated, 'id' | 'answers'>[],
): void {
  for (const { id, choice, isCompleted } of answers) {
    const places = ledger.filter((entry) => entry.id === id).flatMap((entry) => entry.answers);
    if (choice !== undefined && isCompleted !== true && places.length === 0)
      throw new CommandError(
        'usage',
        `No value of the contract is the answer to ${id}, so a value settles nothing. Write a choice with \`actions\` in an overlay.`,
      );
  }
  const answersById = new Map(answers.map((answer) => [answer.id, answer]));
  const earlier = new Map(unstatedEntries(before).map(({ id, at }) => [id, at.text('settled')]));
  for (const entry of unstatedEntries(after)) {
    const answer = answersById.get(entry.id);
    const expected = answer?.text ?? earlier.get(entry.id);
    const value = choicesOf(entry).find(({ name }) => name === expected)?.value;
    const isExpected = entry.at.text('settled') === expected;
    if (isExpected && (answer?.choice === undefined || isSameJson(value, answer.choice.value)))
      continue;
    const { file, line } = after.locate(entry.at.child('settled').pointer);
    throw new CommandError(
      'not-editable',
      `The answer to ${entry.id} would not be the expected one: ${file}:${line} shares it with another entry, or changes it. Nothing was written. Settle it there by hand.`,
    );
  }
}

/** Returns the texts of the changed files, by their absolute paths. */
export function plannedTexts(
  { creates, edits }: UserFileChanges,
  folder: string,
): ReadonlyMap<string, string> {
  return new Map([
    ...creates.map(({ path, text }) => [resolve(folder, path), text] as const),
    ...edits.map(({ path, after }) => [resolve(folder, path), after] as const),
  ]);
}

interface OverlayChanges {
  readonly replaced: ReplacedAnswer[];
  readonly added: JsonObject[];
}

/** An overlay to write answers to. */
interface OverlayPlace {
  /** Relative to the folder of the configuration. */
  readonly path: string;
  readonly isNew?: true;
}

function isSettledSo({ text, choice, entries }: Answer): boolean {
  return choice === undefined && entries.every(({ at }) => at.text('settled') === text);
}

function updateOf(
  { text, choice }: Answer,
  isReplaced: boolean,
): Readonly<Record<string, Json>> | undefined {
  const settled = isReplaced ? {} : { settled: text };
  if (choice !== undefined) return { choices: { [text]: { ...choice } }, ...settled };
  return isReplaced ? undefined : settled;
}

/** Returns the overlay in which an entry is settled, and where. An answer in a document is left as it is. */
function findWritten(
  { at }: UnstatedEntry,
  { contract, documents }: SettleContext,
): (OverlayPlace & { readonly at: ReplacedAnswer['at'] }) | undefined {
  if (at.text('settled') === undefined) return undefined;
  const { file, line, column } = documents.locate(at.child('settled').pointer);
  const path = contract.overlays?.find((overlay) => posix.normalize(overlay) === file);
  return path === undefined ? undefined : { path, at: { line, column } };
}

/** Chooses the overlay for new answers about a document. */
function chooseOverlay(document: DocumentName, context: SettleContext): OverlayPlace {
  const { contract, overlay: asked } = context;
  const { overlays = [] } = contract;
  if (asked === undefined) {
    const settling = overlays.findLast(
      (path) => extendedBy(path, context) === document && isSettling(context.readText(path)),
    );
    if (settling !== undefined) return { path: settling };
    const last = overlays.at(-1);
    const folder = last === undefined ? besideOf(contract[document]) : posix.dirname(last);
    return newOverlay(posix.join(folder, `answers-${document}.yaml`), context);
  }
  const path = overlays.find((overlay) => posix.normalize(overlay) === posix.normalize(asked));
  if (path === undefined) return newOverlay(asked, context);
  const extended = extendedBy(path, context);
  if (extended === document) return { path };
  throw new CommandError(
    'usage',
    `${path} changes ${extended ?? 'another document'}, and the entry is in ${document}. Name another file with --overlay.`,
  );
}

function besideOf(document = ''): string {
  return posix.join(posix.dirname(document), 'overlays');
}

function newOverlay(path: string, { readText }: SettleContext): OverlayPlace {
  if (path.startsWith('../'))
    throw new CommandError('usage', `${path} is outside of the folder of the configuration.`);
  if (readText(path) === undefined) return { path, isNew: true };
  throw new CommandError(
    'occupied',
    `${path} exists, and the configuration does not name it. Add it to \`overlays\`, or name another file with --overlay.`,
  );
}

/** Returns the document that an overlay extends. */
function extendedBy(path: string, context: SettleContext): DocumentName | undefined {
  const { contract, folder, readText } = context;
  const names = (['openapi', 'asyncapi'] as const).filter((name) => contract[name] !== undefined);
  const extended: unknown = parseDocument(readText(path) ?? '').get('extends');
  if (typeof extended !== 'string') return names.length === 1 ? names[0] : undefined;
  const to = toPath(resolve(folder, path), extended);
  return names.find((name) => 'path' in to && to.path === resolve(folder, contract[name] ?? ''));
}

/** Returns whether an overlay has an action that settles an entry. */
function isSettling(text = ''): boolean {
  const value: unknown = parseDocument(text).toJS();
  const actions = isJsonObject(value) ? value['actions'] : undefined;
  return JSON.stringify(actions ?? null).includes('"settled":');
}

/** Adds new overlays to the configuration. */
function configurationEdit(
  creates: UserFileChanges['creates'],
  { configuration, contract, readText }: SettleContext,
): UserFileChanges['edits'] {
  if (creates.length === 0) return [];
  const before = readText(configuration) ?? '';
  const overlays = creates.map(({ path }) => path);
  const after = addOverlays(configuration, before, contract, overlays);
  if (after !== undefined) return [{ path: configuration, before, after }];
  const files = creates.map(({ path, text }) => `${path}:\n\n${text}`);
  const names = creates.map(({ path }) => JSON.stringify(path)).join(' and ');
  throw new CommandError(
    'not-editable',
    `${configuration} does not have the files of this contract as literals in one place, so nothing was written. Add ${names} to its \`overlays\`, and create ${files.join('\n')}`,
  );
}

function documentOf(pointer: Pointer): DocumentName {
  return pointerDocument(pointer) === 'asyncapi' ? 'asyncapi' : 'openapi';
}
