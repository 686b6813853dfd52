import { getTypes } from '@redocly/openapi-core';
import {
  createDiagnostic,
  createMendedDiagnostic,
  hasErrors,
  type Diagnostic,
  type Location,
} from '../diagnostics/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toPointer, type DocumentName } from '../pointer.ts';
import { applyOverlay } from './apply-overlay.ts';
import type { Budgets } from './budgets.ts';
import { bundle } from './bundle.ts';
import { toBundledPlaces } from './bundled-places.ts';
import type { Draft } from './check-references.ts';
import { checkStructure } from './check-structure.ts';
import { descend, referenceOf } from './follow.ts';
import { readPast } from './read-past.ts';
import { isMutableObject, type MutableObject, type Origins } from './origins.ts';
import type { Overlay } from './overlay.ts';
import type { Source, Sources } from './sources.ts';
import { toContractTypes } from './specification-types.ts';
import { toSpecVersion, type Versioned } from './version.ts';

/** What the documents of one contract share while they are loaded. */
export interface Workshop {
  readonly sources: Sources;
  readonly origins: Origins;
  readonly budgets: Budgets;
}

/** A document in one piece, with everything that was found wrong on the way. */
export interface Assembled {
  /**
   * Left out where references cannot be followed at all, or lead to too much. With errors among the diagnostics, a reference that leads
   * nowhere still stands in it.
   */
  readonly root?: MutableObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Bundles a document, applies its overlays in order, and checks what came out against the specification. */
export async function assemble(
  name: DocumentName,
  entry: Source,
  { root: written, version }: Versioned,
  overlays: readonly Overlay[],
  { sources, origins, budgets }: Workshop,
): Promise<Assembled> {
  const adopted = origins.adopt(written, { source: entry });
  if (!isMutableObject(adopted)) return { diagnostics: [] };
  const specVersion = toSpecVersion(name, version);
  const types = toContractTypes(getTypes(specVersion), name, usesVocabulary(written));
  const draft: Draft = { entry, root: adopted, types, specVersion, sources, origins };

  const first = await bundle(draft, budgets);
  const diagnostics = [...first.diagnostics];
  let { root } = first;
  if (root !== undefined) {
    for (const overlay of overlays) {
      diagnostics.push(...(await applyOverlay(overlay, root, origins)));
    }
    if (overlays.some((overlay) => overlay.refersToFiles) && !hasErrors(first.diagnostics)) {
      const second = await bundle(
        { ...draft, root },
        budgets,
        toBundledPlaces(root, entry.path, origins),
      );
      diagnostics.push(...second.diagnostics);
      root = second.root;
    }
  }
  if (root !== undefined) {
    const whole: JsonObject = root;
    const told = new Set(diagnostics.map(placeOf));
    const lenient = !usesVocabulary(written);
    for (const problem of await checkStructure(whole, name, version, draft)) {
      const { code, message, members } = problem;
      const at = origins.locate(whole, members, entry);
      // Where a reference is broken, that nothing stands in its place is no second fact.
      if (told.has(placeOf(at)) || isDangling(descend(whole, members).value)) continue;
      const pointer = toPointer(`${name}#`, ...members);
      const until = lenient ? readPast(problem) : undefined;
      diagnostics.push(
        until === undefined
          ? createDiagnostic(code, message, at, { pointer })
          : createMendedDiagnostic(code, message, at, pointer, until),
      );
    }
  }
  const isTooLarge = diagnostics.some(({ code }) => code === 'contract-too-large');
  return root === undefined || isTooLarge ? { diagnostics } : { root, diagnostics };
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
