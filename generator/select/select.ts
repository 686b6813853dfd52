import { type Diagnostic, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import { descend } from '../json/descend.ts';
import { pointerDocument, pointerMembers } from '../json/pointer.ts';
import { diagnose } from '../load/diagnose.ts';
import type { Documents, LoadedDocument } from '../load/documents.ts';
import { rootsOf } from '../load/places.ts';
import { keepLedger } from './keep-ledger.ts';
import { matchUnits } from './match.ts';
import { prune } from './prune.ts';
import { unreachedParts } from './reach.ts';
import { removedReferences } from './dangling-references.ts';
import { removeUnits } from './remove-units.ts';
import type { Selection } from './selection.ts';
import { selectWorkflows } from './select-workflows.ts';
import { type Unit, unitsOf } from './units.ts';
import { withoutDerived } from './without-derived.ts';

/** The selection, and the perspective of the contract. */
export interface SelectOptions {
  readonly include?: Selection | undefined;
  readonly exclude?: Selection | undefined;
  readonly perspective?: 'service' | 'integrator' | undefined;
}

/**
 * Returns the selected part of a contract, without what an earlier run has added to published documents. The part has the chosen units, what they refer to, and the diagnostics about both. With
 * `exclude` alone, parts stay that nothing referred to before. `locate` returns the places in the original files.
 */
export function select(loaded: Documents, options: SelectOptions): Documents {
  const { include, exclude, perspective = 'service' } = options;
  const documents = withoutDerived(loaded);
  if (include === undefined && exclude === undefined) return documents;
  const units = unitsOf(documents, perspective);
  const { kept, excluded, unmatched } = matchUnits(units, include, exclude);
  const start = rootsOf(documents)[0]?.pointer ?? 'openapi#';
  const diagnostics = unmatched.map(({ message, help }) =>
    diagnose(documents, 'unmatched-selection', { pointer: start, message, help }),
  );
  if (kept.size === 0) {
    const message = 'The selection matches no operation and no notification of the contract.';
    diagnostics.push(diagnose(documents, 'nothing-selected', { pointer: start, message }));
  }

  const unused = include === undefined ? unreachedParts(documents) : [];
  const wanted = new Set(kept);
  for (;;) {
    const withoutUnits = removeUnits(documents, units, wanted);
    const selected = prune(withoutUnits, unreachedParts(withoutUnits, unused));
    const needed = tokenOperations(selected, units).filter(({ unit }) => !wanted.has(unit));
    if (needed.length === 0) {
      const left = keepLedger(documents, selectWorkflows(documents, selected));
      const isRemoved = removedReferences(documents, left);
      const known = documents.diagnostics.filter(
        (one) => hasSubject(one, documents, left) && !isRemoved(one),
      );
      return { ...left, diagnostics: sortDiagnostics([...known, ...diagnostics]) };
    }
    for (const { unit, at } of needed) {
      wanted.add(unit);
      if (excluded.has(unit)) diagnostics.push(diagnoseNeeded(documents, unit, at));
    }
  }
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

/**
 * Returns whether the object that a diagnostic is about is selected. A component can be in both documents and have a
 * diagnostic in one.
 */
function hasSubject({ pointer }: Diagnostic, before: Documents, after: Documents): boolean {
  if (pointer === undefined) return true;
  const members = pointerMembers(pointer);
  const isLeft = (document: Pick<LoadedDocument, 'root'> | undefined): boolean =>
    depthOf(document, members) >= depthOf(before[pointerDocument(pointer)], members);
  const { openapi, asyncapi } = after;
  return members[0] === 'components'
    ? isLeft(openapi) || isLeft(asyncapi)
    : isLeft(after[pointerDocument(pointer)]);
}

/** Returns how many members of a path exist in a document. */
function depthOf(
  document: Pick<LoadedDocument, 'root'> | undefined,
  members: readonly string[],
): number {
  return document === undefined ? -1 : descend(document.root, members).depth;
}
