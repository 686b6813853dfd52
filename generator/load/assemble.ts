import {
  type Diagnostic,
  type Location,
  createDiagnostic,
  createRecoveredDiagnostic,
  hasErrors,
} from '../diagnostics/diagnostic.ts';
import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { type DocumentName, toPointer } from '../json/pointer.ts';
import type { Budgets } from './budgets.ts';
import type { Bundle } from './bundle.ts';
import type { Draft } from './validate/check-references.ts';
import { refersToFiles } from './follow.ts';
import { descend, referenceOf } from '../json/descend.ts';
import { recoveryNote } from './recovery-note.ts';
import { type Origins, isMutableObject } from './origins.ts';
import type { Overlay } from './overlays/overlay.ts';
import type { Source, Sources } from './sources.ts';
import type { LocatedProblem } from '../diagnostics/problem.ts';
import { validateDocument } from '../specification/validate-document.ts';
import { type Versioned, toSpecVersion } from './version.ts';
import { findOtherPayloads, toAsyncapi2Types } from './asyncapi2/types.ts';

/** The state that the documents of one contract share while they are loaded. */
export interface LoadContext {
  readonly sources: Sources;
  readonly origins: Origins;
  readonly budgets: Budgets;
}

/** A bundled document, with all problems that were found while loading it. */
export interface Assembled {
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
 * Bundles a document, applies its overlays in order, and validates the result against the specification. A valid
 * document without overlays and references to other files is returned as it was read. It is not copied, and the
 * specification's tools are not loaded.
 */
export async function assemble(
  name: DocumentName,
  entry: Source,
  versioned: Versioned,
  overlays: readonly Overlay[],
  context: LoadContext,
): Promise<Assembled> {
  const { root: written, version } = versioned;
  const { origins } = context;
  const subject = { name, entry, lenient: !usesVocabulary(written), origins };
  const found = refersToFiles(written)
    ? undefined
    : validateDocument(written, name, version, usesVocabulary(written));
  if (found !== undefined && overlays.length === 0) {
    origins.keep(written, entry);
    return { root: written, diagnostics: explain(found, written, subject, []) };
  }

  const adopted = origins.adopt(written, { source: entry });
  if (!isMutableObject(adopted)) return { diagnostics: [] };
  const [{ importTypes }, { toRedoclyTypes }] = await Promise.all([
    import('./validate/redocly-modules.ts'),
    import('../specification/redocly-types.ts'),
  ]);
  const specVersion = toSpecVersion(name, version);
  const read = toRedoclyTypes(await importTypes(specVersion), name, usesVocabulary(written));
  const types = specVersion === 'async2' ? toAsyncapi2Types(read) : read;
  const draft: Draft = { ...context, entry, root: adopted, types, specVersion };
  const { root, diagnostics } = await bundleWithOverlays(
    draft,
    found === undefined ? undefined : { root: adopted, diagnostics: [] },
    overlays,
    context,
  );
  if (root === undefined) return { diagnostics };
  if (specVersion === 'async2') findOtherPayloads(root);
  let problems = validateDocument(root, name, version, usesVocabulary(written));
  if (problems === undefined) {
    const { checkStructure } = await import('./validate/check-structure.ts');
    problems = await checkStructure(root, name, version, draft);
  }
  const all = [...diagnostics, ...explain(problems, root, subject, diagnostics)];
  const isTooLarge = all.some(({ code }) => code === 'contract-too-large');
  if (isTooLarge) return { diagnostics: all };
  if (specVersion !== 'async2') return { root, diagnostics: all };
  const { convertAsyncapi2, convertedVersion } = await import('./asyncapi2/convert.ts');
  const lost = convertAsyncapi2(root, { entry, ...context });
  return { root, version: convertedVersion, diagnostics: [...all, ...lost] };
}

/**
 * Bundles the document and applies every overlay, as far as possible.
 * @param whole the document where it needs no bundling
 */
async function bundleWithOverlays(
  draft: Draft,
  whole: Bundle | undefined,
  overlays: readonly Overlay[],
  { origins, budgets }: LoadContext,
): Promise<Bundle> {
  const { bundle } = await import('./bundle.ts');
  const first = whole ?? (await bundle(draft, budgets));
  const { root } = first;
  if (root === undefined || overlays.length === 0) return first;
  const { applyOverlay } = await import('./overlays/apply-overlay.ts');
  const diagnostics = [...first.diagnostics];
  for (const overlay of overlays) {
    diagnostics.push(...(await applyOverlay(overlay, root, origins)));
  }
  if (!overlays.some((overlay) => overlay.refersToFiles) || hasErrors(first.diagnostics)) {
    return { root, diagnostics };
  }
  const { toBundledPlaces } = await import('./bundled-places.ts');
  const places = toBundledPlaces(root, draft.entry.path, origins);
  const second = await bundle({ ...draft, root }, budgets, places);
  return { ...second, diagnostics: [...diagnostics, ...second.diagnostics] };
}

interface Subject {
  readonly name: DocumentName;
  readonly entry: Source;
  readonly lenient: boolean;
  readonly origins: Origins;
}

/** Converts problems to diagnostics, without those at a place that already has a diagnostic. */
function explain(
  problems: readonly LocatedProblem[],
  root: JsonObject,
  { name, entry, lenient, origins }: Subject,
  said: readonly Diagnostic[],
): readonly Diagnostic[] {
  const told = new Set(said.map(placeOf));
  return problems.flatMap((problem) => {
    const { code, message, members, help } = problem;
    const at = origins.locate(root, members, entry);
    // A broken reference has its own diagnostic; that its target is missing is no second problem.
    if (told.has(placeOf(at)) || isDangling(descend(root, members).value)) return [];
    const pointer = toPointer(`${name}#`, ...members);
    const until = lenient ? recoveryNote(problem) : undefined;
    return [
      until === undefined
        ? createDiagnostic(code, message, at, help === undefined ? { pointer } : { pointer, help })
        : createRecoveredDiagnostic(code, message, at, pointer, until, help),
    ];
  });
}

function usesVocabulary({ info }: JsonObject): boolean {
  return isJsonObject(info) && info['x-countersign'] === 1;
}

function placeOf({ file, line, column }: Location): string {
  return JSON.stringify([file, line, column]);
}

function isDangling(value: Json): boolean {
  return referenceOf(value)?.startsWith('#') === false;
}
