import { type Diagnostic, createDiagnostic, locationKey } from '../diagnostics/diagnostic.ts';
import { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type DocumentName, type Pointer, toMember, toPointer } from '../json/pointer.ts';
import type { Budgets } from './budgets.ts';
import type { BundleResult } from './bundle.ts';
import type { UnbundledDocument } from './validate/check-references.ts';
import { usesVocabulary } from '../documents/declared-vocabulary.ts';
import type { LoadedDocument, PendingAction } from '../documents/documents.ts';
import { refersToFiles } from './follow.ts';
import { descend, objectsIn, referenceOf } from '../json/descend.ts';
import { recoveryNote } from './recovery-note.ts';
import { type MutableObject, type Origins, isMutableObject, originMembers } from './origins.ts';
import type { Overlay } from './overlays/overlay.ts';
import type { Source, Sources } from './sources.ts';
import type { SpecVersion } from './validate/redocly-modules.ts';
import type { LocatedProblem } from '../diagnostics/problem.ts';
import { validateDocument } from '../specification/validate-document.ts';
import { type VersionedDocument, toSpecVersion } from './version.ts';
import { FormattedSchemas, toAsyncapi2Types, toAsyncapi3Types } from './asyncapi-types.ts';

/** The state that the documents of one contract share while they are loaded. */
export interface LoadContext {
  readonly sources: Sources;
  readonly origins: Origins;
  readonly budgets: Budgets;
}

/**
 * A document with its overlays, whose settled answers are not applied yet. Loading turns a `VersionedDocument` into an
 * `UnbundledDocument`, a `BundledDocument`, a `ValidatedDocument` and a `LoadedDocument`.
 */
export interface BundledDocument {
  readonly name: DocumentName;
  readonly entry: Source;
  readonly versioned: VersionedDocument;
  /** Left out where references cannot be followed, or lead to more than the budgets allow. */
  readonly root?: JsonObject | MutableObject;
  /** The result of validation, if the document is still as it was read and conforms to its specification. */
  readonly validationProblems?: readonly LocatedProblem[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A bundled document, with all problems that were found while loading it. */
export interface ValidatedDocument {
  /**
   * Left out where references cannot be followed, or lead to more than the budgets allow. If the diagnostics contain
   * errors, an unresolved reference may remain in it.
   */
  readonly root?: JsonObject;
  /** The version that `root` follows, where the document was converted to another one. */
  readonly version?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Bundles a document and applies its overlays in order. A valid document without overlays and references to other files
 * is returned as it was read: it is not copied, and the specification's tools are not loaded.
 */
export async function bundleDocument(
  name: DocumentName,
  entry: Source,
  versioned: VersionedDocument,
  overlays: readonly Overlay[],
  context: LoadContext,
): Promise<BundledDocument> {
  const { root: source, version } = versioned;
  const { origins } = context;
  const document = { name, entry, versioned };
  const validationProblems = refersToFiles(source)
    ? undefined
    : validateDocument(source, name, version, usesVocabulary(source));
  if (validationProblems !== undefined && overlays.length === 0)
    return { ...document, root: source, validationProblems, diagnostics: [] };
  const adopted = origins.adopt(source, { source: entry });
  if (!isMutableObject(adopted)) return { ...document, diagnostics: [] };
  const draft = await toUnbundled(document, adopted, context);
  const { dangling, diagnostics, ...bundled } = await bundleWithOverlays(
    draft,
    {
      isValid: validationProblems !== undefined,
      isOneFile: !refersToFiles(source) && !namesExamples(source),
    },
    overlays,
    context,
  );
  return { ...document, ...bundled, diagnostics: [...diagnostics, ...dangling] };
}

/**
 * Applies the settled answers of the ledger, across all documents that declare `x-countersign: 1`. Returns the
 * documents with what the answers change, and the places that the actions of each entry wrote.
 */
export async function applyAnswers(
  documents: readonly BundledDocument[],
  { origins }: LoadContext,
): Promise<{
  readonly documents: readonly BundledDocument[];
  readonly answerPlaces?: ReadonlyMap<string, readonly Pointer[]>;
}> {
  const { entriesIn, isSettled, settleEntries } = await import('./overlays/settle.ts');
  const withLedger = documents.filter(({ root }) => root !== undefined && usesVocabulary(root));
  const bundledRoots = new Map(withLedger.map(({ name, root = {} }) => [name, root]));
  if (entriesIn(bundledRoots, isSettled).size === 0) return { documents };
  const roots = new Map<DocumentName, MutableObject>();
  for (const { name, entry, root = {}, validationProblems } of withLedger) {
    // A document that is still as it was read may be shared with the file's text.
    const changed =
      validationProblems === undefined ? root : origins.adopt(root, { source: entry });
    roots.set(name, changed as MutableObject);
  }
  const settled = await settleEntries(roots, origins);
  const [first] = withLedger;
  const answered = documents.map((document): BundledDocument => {
    const root = roots.get(document.name);
    if (root === undefined) return document;
    // The answers can have changed the document, so that it must be validated again.
    const { validationProblems: _, ...changed } = document;
    const added = document.name === first?.name ? settled.diagnostics : [];
    return { ...changed, root, diagnostics: [...document.diagnostics, ...added] };
  });
  return { documents: answered, answerPlaces: settled.answerPlaces };
}

/** Returns the actions of the open entries of the ledger, across all documents that declare `x-countersign: 1`. */
export async function pendingActionsOf(
  documents: ReadonlyMap<DocumentName, LoadedDocument>,
): Promise<readonly PendingAction[]> {
  const withLedger = [...documents].filter(([, { root }]) => usesVocabulary(root));
  if (withLedger.length === 0) return [];
  const { findPendingActions } = await import('./overlays/pending-actions.ts');
  // The actions are only evaluated; nothing changes the documents.
  return await findPendingActions(
    new Map(withLedger.map(([name, { root }]) => [name, root as MutableObject])),
  );
}

/** Validates a bundled document against its specification. */
export async function validateBundled(
  document: BundledDocument,
  context: LoadContext,
): Promise<ValidatedDocument> {
  const { name, entry, versioned, root, validationProblems } = document;
  const { version } = versioned;
  const { origins } = context;
  if (root === undefined) return { diagnostics: document.diagnostics };
  if (validationProblems !== undefined) {
    origins.keep(root, entry);
    return { root, diagnostics: explain(validationProblems, root, document, origins) };
  }
  const unreplaced = findIdentifierProblems(root, name, context);
  const replaced = new Set(unreplaced.map(locationKey));
  const diagnostics = [
    ...unreplaced,
    ...document.diagnostics.filter((diagnostic) => !replaced.has(locationKey(diagnostic))),
  ];
  const isAsyncapi2 = toSpecVersion(name, version) === 'async2';
  let problems = validateDocument(root, name, version, usesVocabulary(versioned.root));
  if (problems === undefined) {
    const { checkStructure } = await import('./validate/check-structure.ts');
    const unbundled = await toUnbundled(document, root as MutableObject, context);
    if (name === 'asyncapi') unbundled.formattedSchemas.add(root);
    problems = await checkStructure(root, name, version, unbundled);
  }
  const all = [...diagnostics, ...explain(problems, root, { ...document, diagnostics }, origins)];
  const isTooLarge = all.some(({ code }) => code === 'contract-too-large');
  if (isTooLarge) return { diagnostics: all };
  if (!isAsyncapi2) return { root, diagnostics: all };
  const { convertAsyncapi2, convertedVersion } = await import('./asyncapi2/convert.ts');
  const lost = convertAsyncapi2(root as MutableObject, { entry, ...context });
  return { root, version: convertedVersion, diagnostics: [...all, ...lost] };
}

async function toUnbundled(
  { name, entry, versioned }: Pick<BundledDocument, 'name' | 'entry' | 'versioned'>,
  root: MutableObject,
  context: LoadContext,
): Promise<UnbundledDocument> {
  const [{ importTypes }, { toOpenapi32Types, toRedoclyTypes }] = await Promise.all([
    import('./validate/redocly-modules.ts'),
    import('../specification/redocly-types.ts'),
  ]);
  const specVersion = toSpecVersion(name, versioned.version);
  const isDeclared = usesVocabulary(versioned.root);
  const read = toRedoclyTypes(await importTypes(specVersion), name, isDeclared);
  const corrections: Partial<Record<SpecVersion, typeof toAsyncapi2Types>> = {
    async2: toAsyncapi2Types,
    async3: toAsyncapi3Types,
    oas3_2: toOpenapi32Types,
  };
  const formattedSchemas = new FormattedSchemas();
  const types = corrections[specVersion]?.(read, formattedSchemas) ?? read;
  return { ...context, entry, root, types, specVersion, formattedSchemas };
}

/**
 * Bundles the document and applies every overlay, as far as possible. An overlay may add the target of a dangling
 * reference. Overlays change a document of one file before its references are followed, so that they can also repair
 * references that cannot be followed.
 */
async function bundleWithOverlays(
  draft: UnbundledDocument,
  { isValid, isOneFile }: { readonly isValid: boolean; readonly isOneFile: boolean },
  overlays: readonly Overlay[],
  { origins, budgets }: LoadContext,
): Promise<BundleResult> {
  const { bundle } = await import('./bundle.ts');
  if (overlays.length === 0) return await bundle(draft, budgets);
  const bundled = isOneFile
    ? { root: draft.root, diagnostics: [], dangling: [] }
    : await bundle(draft, budgets);
  const { root } = bundled;
  if (root === undefined) return { ...bundled, diagnostics: beforeOverlays(bundled.diagnostics) };
  const { applyOverlay } = await import('./overlays/apply-overlay.ts');
  const diagnostics: Diagnostic[] = [];
  for (const overlay of overlays) {
    diagnostics.push(...(await applyOverlay(overlay, root, origins)));
  }
  const isComplete =
    isValid || (!isOneFile && bundled.diagnostics.length + bundled.dangling.length === 0);
  if (isComplete && !overlays.some((overlay) => overlay.refersToFiles)) {
    return { root, diagnostics, dangling: [] };
  }
  const { toBundledPlaces } = await import('./bundled-places.ts');
  const places = toBundledPlaces(root, draft.entry.path, origins);
  const bundledAgain = await bundle({ ...draft, root }, budgets, places);
  return { ...bundledAgain, diagnostics: [...diagnostics, ...bundledAgain.diagnostics] };
}

/** Adds to the help of problems that overlays cannot repair, because they prevent overlays from being applied. */
export function beforeOverlays(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    help: `${diagnostic.help} An overlay cannot change this: overlays are applied later.`,
  }));
}

/** Returns whether a document refers to a file with an example, which bundling reads. */
function namesExamples(root: JsonObject): boolean {
  for (const { externalValue } of objectsIn(root)) if (externalValue !== undefined) return true;
  return false;
}

/**
 * Returns a diagnostic for each reference by an identifier that no JSON Pointer could replace, and that overlays have
 * left in the document.
 */
function findIdentifierProblems(
  root: JsonObject,
  name: DocumentName,
  { sources, origins }: LoadContext,
): readonly Diagnostic[] {
  const problems = new Map<string, LocatedProblem>();
  const keyOf = (path: string, members: readonly string[]): string =>
    JSON.stringify([path, members]);
  for (const source of sources.all()) {
    for (const problem of source.problems)
      problems.set(keyOf(source.path, problem.members), problem);
  }
  if (problems.size === 0) return [];
  return [...Cursor.ofDocument(root, name).withDescendants()].flatMap(({ value, pointer }) =>
    ['$ref', '$dynamicRef', '$dynamicAnchor'].flatMap((keyword) => {
      if (!isJsonObject(value) || !Object.hasOwn(value, keyword)) return [];
      const origin = origins.ofMember(value, keyword);
      const members = origin === undefined ? [] : originMembers(origin);
      const problem = problems.get(keyOf(origin?.source.path ?? '', members));
      if (problem === undefined || origin === undefined) return [];
      const { code, message, help } = problem;
      const at = origin.source.locate(members);
      // A reference without a target has no pointer, like all others: one of a file can be at several places.
      const place = keyword === '$ref' ? {} : { pointer: toMember(pointer, keyword) };
      return createDiagnostic(code, message, at, { ...place, help });
    }),
  );
}

/** Converts problems to diagnostics, without those at a place that already has a diagnostic. */
function explain(
  problems: readonly LocatedProblem[],
  root: JsonObject,
  { name, entry, versioned, diagnostics }: BundledDocument,
  origins: Origins,
): readonly Diagnostic[] {
  const lenient = !usesVocabulary(versioned.root);
  const reportedPlaces = new Set(diagnostics.map(locationKey));
  return problems.flatMap((problem) => {
    const { code, message, members, help } = problem;
    const written = origins.find(root, members, entry);
    const at = written.source.locate(written.members);
    // A broken reference has its own diagnostic; that its target is missing is not a second problem.
    if (reportedPlaces.has(locationKey(at)) || isDangling(descend(root, members).value)) return [];
    const pointer = toPointer(`${name}#`, ...members);
    const until = lenient ? recoveryNote(problem) : undefined;
    return createDiagnostic(code, message, at, { pointer, help, until });
  });
}

function isDangling(value: Json): boolean {
  return referenceOf(value)?.startsWith('#') === false;
}
