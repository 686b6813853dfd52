import type { FrameFile } from '../diagnostics/code-frame.ts';
import {
  createDiagnostic,
  type Diagnostic,
  hasErrors,
  sortDiagnostics,
} from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import { diagnose } from '../documents/diagnose.ts';
import type { Documents } from '../documents/documents.ts';
import { rootsOf } from '../documents/places.ts';
import { entryPlace } from './entry-place.ts';
import { matchUnits, type UnmatchedEntry } from './match.ts';
import { unreachedParts } from './reach.ts';
import { adaptToPart, withUnits } from './selected-part.ts';
import type { Selection } from './selection.ts';
import { type Unit, unitsOf } from './units.ts';
import { withoutDangling } from './without-dangling.ts';

/** The selection, and the perspective of the contract. */
export interface SelectOptions {
  readonly include?: Selection | undefined;
  readonly exclude?: Selection | undefined;
  readonly perspective?: 'service' | 'integrator' | undefined;
  /** The configuration file, in which entries that match nothing are reported. */
  readonly configFile?: FrameFile | undefined;
  /** Whether the contract is not the one that the selection is written for, such as an older revision of it. */
  readonly isOtherRevision?: boolean | undefined;
}

/**
 * Returns the selected part of a contract: the chosen units, what they refer to, and the diagnostics about both. With
 * `exclude` alone, parts stay that nothing referred to before. `locate` returns the places in the original files.
 * Documents without the vocabulary also lose what needs a target that does not exist.
 */
export function select(documents: Documents, options: SelectOptions): Documents {
  const { include, exclude, perspective = 'service' } = options;
  const selected =
    include === undefined && exclude === undefined ? documents : selectUnits(documents, options);
  return withoutDangling(selected, perspective);
}

/** Returns the part of documents that a selection names, and what this part refers to. */
function selectUnits(documents: Documents, options: SelectOptions): Documents {
  const { include, exclude, perspective = 'service' } = options;
  const units = unitsOf(documents, perspective);
  const { kept, excluded, unmatched } = matchUnits(units, include, exclude);
  const start = rootsOf(documents)[0]?.pointer ?? 'openapi#';
  const diagnostics = unmatched.map((entry) => diagnoseUnmatched(documents, entry, options));
  // An entry that matches nothing is the reason, and the help about it is more specific.
  if (kept.size === 0 && !hasErrors(diagnostics)) {
    const message = 'The selection matches no operation and no notification of the contract.';
    diagnostics.push(diagnose(documents, 'nothing-selected', { pointer: start, message }));
  }

  const unused = include === undefined ? unreachedParts(documents) : [];
  const wanted = new Set(kept);
  for (;;) {
    const selected = withUnits(documents, units, wanted, unused);
    const needed = tokenOperations(selected, units).filter(({ unit }) => !wanted.has(unit));
    if (needed.length === 0) {
      const left = adaptToPart(documents, selected);
      return { ...left, diagnostics: sortDiagnostics([...left.diagnostics, ...diagnostics]) };
    }
    for (const { unit, at } of needed) {
      wanted.add(unit);
      if (excluded.has(unit)) diagnostics.push(diagnoseNeeded(documents, unit, at));
    }
  }
}

/**
 * Reports an entry that matches no unit. In `include`, it is an error, because the output would lack what the entry
 * names, and files that an earlier run wrote for it would be removed. In `exclude`, it is a warning: the output has all
 * that it should have, and a service that removes what is excluded stops no generation.
 */
function diagnoseUnmatched(
  documents: Documents,
  { member, entry, message, help }: UnmatchedEntry,
  { configFile, isOtherRevision = false }: SelectOptions,
): Diagnostic {
  const severity = member === 'include' && !isOtherRevision ? 'error' : 'warning';
  const place =
    configFile === undefined
      ? documents.locate(rootsOf(documents)[0]?.pointer ?? 'openapi#')
      : entryPlace(configFile, member, entry);
  return createDiagnostic('unmatched-selection', message, place, { help, severity });
}

/** Returns the operations that issue the access tokens of a document's security schemes. */
function tokenOperations(
  documents: Documents,
  units: readonly Unit[],
): readonly { readonly unit: Unit; readonly at: Cursor }[] {
  return rootsOf(documents).flatMap((root) =>
    root.entries('components', 'securitySchemes').flatMap(([, scheme]) => {
      const at = scheme.follow().child('x-access-token', 'operation');
      const unit = units.find(({ kind, names: [id] }) => kind === 'operation' && id === at.text());
      return unit === undefined ? [] : [{ unit, at }];
    }),
  );
}

function diagnoseNeeded(documents: Documents, { names }: Unit, at: Cursor): Diagnostic {
  const message = `The operation ${quote(names[0] ?? '')} is excluded, but selected operations require the access token that it issues. It is kept.`;
  return diagnose(documents, 'needed-operation', { pointer: at.pointer, message });
}
