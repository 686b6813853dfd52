import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { descend } from '../json/descend.ts';
import { pointerDocument, pointerMembers, type Pointer } from '../json/pointer.ts';
import type { Documents, LoadedDocument } from '../documents/documents.ts';
import { removedReferences } from './dangling-references.ts';
import { keepLedger } from './keep-ledger.ts';
import { prune } from './prune.ts';
import { unreachedParts } from './reach.ts';
import { removeUnits } from './remove-units.ts';
import { selectWorkflows } from './select-workflows.ts';
import type { Unit } from './units.ts';

/**
 * Returns documents with some of their units, and with the parts that these refer to.
 * @param needed shared parts that stay although no unit refers to them
 */
export function withUnits(
  documents: Documents,
  units: readonly Unit[],
  kept: ReadonlySet<Unit>,
  needed: readonly Pointer[],
): Documents {
  const withoutUnits = removeUnits(documents, units, kept);
  return prune(withoutUnits, unreachedParts(withoutUnits, needed));
}

/** Adapts the ledger, the workflows and the diagnostics of documents to a selected part of them. */
export function adaptToPart(documents: Documents, selected: Documents): Documents {
  const left = keepLedger(documents, selectWorkflows(documents, selected));
  const isRemoved = removedReferences(documents, left);
  const diagnostics = documents.diagnostics.filter(
    (diagnostic) => hasSubject(diagnostic, documents, left) && !isRemoved(diagnostic),
  );
  return { ...left, diagnostics };
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
