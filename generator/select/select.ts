import type { Selection } from './selection.ts';
import { type Diagnostic, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../json/pointer.ts';
import { type Cursor, child, entries, follow, text, toCursor } from '../json/cursor.ts';
import { diagnose } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { rootsOf } from '../load/places.ts';
import { choose } from './choose.ts';
import { describeUnmatched } from './describe-unmatched.ts';
import { dropUnits } from './drop-units.ts';
import { keepLedger } from './keep-ledger.ts';
import { reachedParts, sharedParts } from './reach.ts';
import { type Reduced, replaceRoots } from './reduced.ts';
import { restoreReferences } from './restore-references.ts';
import { type Unit, unitsOf } from './units.ts';
import { withoutPlaces } from './without.ts';

/** The selection, and the perspective of the contract. */
export interface SelectOptions {
  readonly include?: Selection | undefined;
  readonly exclude?: Selection | undefined;
  readonly perspective: 'service' | 'integrator';
}

/**
 * Returns the contract without the units that are not chosen, without the parts that only these referred to, and
 * without the diagnostics about either. With `include`, only parts that the chosen units refer to are left. `locate`
 * returns the places in the original files.
 */
export function select(documents: Documents, options: SelectOptions): Documents {
  const { include, exclude, perspective } = options;
  if (include === undefined && exclude === undefined) return documents;
  const units = unitsOf(documents, perspective);
  const { kept, excluded, unmatched } = choose(units, include, exclude);
  const diagnostics = unmatched.map((entry) => describeUnmatched(entry, units, documents));
  if (kept.size === 0) diagnostics.push(nothingLeft(documents));
  const standing = include === undefined ? unreferredParts(documents) : [];
  const wanted = new Set(kept);
  const reduceTo = (): Reduced =>
    dropParts(restoreReferences(documents, dropUnits(documents, units, wanted)), standing);
  let reduced = reduceTo();
  for (
    let needed = issuing(reduced.documents, units, wanted);
    needed.length > 0;
    needed = issuing(reduced.documents, units, wanted)
  ) {
    for (const { unit, at } of needed) {
      wanted.add(unit);
      if (excluded.has(unit)) diagnostics.push(keptAllTheSame(documents, unit, at));
    }
    reduced = reduceTo();
  }
  const { documents: left, moved } = keepLedger(documents, reduced);
  const known = documents.diagnostics.filter((one) => isStillThere(one, documents, left));
  return {
    ...left,
    diagnostics: sortDiagnostics([...known, ...diagnostics]),
    locate: (pointer) => documents.locate(toWritten(pointer, moved)),
  };
}

function nothingLeft(documents: Documents): Diagnostic {
  const [root] = rootsOf(documents);
  const message = 'No operation and no notification of the contract is left.';
  return diagnose(documents, 'nothing-selected', root?.pointer ?? 'openapi#', message);
}

function keptAllTheSame(documents: Documents, { names }: Unit, at: Cursor): Diagnostic {
  const message = `The operation ${quote(names[0] ?? '')} is excluded, and kept all the same: it issues the access token of what stays.`;
  return diagnose(documents, 'needed-operation', at.pointer, message);
}

/**
 * Returns the components and channels that are unused before anything is removed. The author keeps them deliberately.
 */
function unreferredParts(documents: Documents): readonly Pointer[] {
  return rootsOf(documents).flatMap(({ root, pointer }) => {
    const document = pointerDocument(pointer);
    const reached = reachedParts(root, document);
    return [...sharedParts(root, document).keys()].filter((part) => !reached.has(part));
  });
}

function dropParts({ documents, moved }: Reduced, standing: readonly Pointer[]): Reduced {
  const reduced = replaceRoots(documents, (root, document) => {
    const also = standing.filter((part) => pointerDocument(part) === document);
    const reached = reachedParts(root, document, also);
    const parts = [...sharedParts(root, document).keys()];
    return withoutPlaces(
      root,
      parts.filter((part) => !reached.has(part)),
    );
  });
  return { documents: reduced, moved };
}

/** Returns the operations that issue the tokens of the remaining security schemes and are not yet wanted. */
function issuing(
  documents: Documents,
  units: readonly Unit[],
  wanted: ReadonlySet<Unit>,
): readonly { readonly unit: Unit; readonly at: Cursor }[] {
  return rootsOf(documents).flatMap((root) =>
    entries(child(root, 'components', 'securitySchemes')).flatMap(([, scheme]) => {
      const at = child(follow(scheme), 'x-access-token', 'operation');
      const id = text(at);
      const unit = units.find(({ kind, names }) => kind === 'operation' && names[0] === id);
      return unit === undefined || wanted.has(unit) ? [] : [{ unit, at }];
    }),
  );
}

/**
 * Returns whether the subject of a diagnostic is left. A component can be in both documents and have a diagnostic in
 * one.
 */
function isStillThere({ pointer }: Diagnostic, before: Documents, after: Documents): boolean {
  if (pointer === undefined) return true;
  const members = pointerMembers(pointer);
  const document = pointerDocument(pointer);
  const other = document === 'openapi' ? 'asyncapi' : 'openapi';
  const depth = depthOf(before[document]?.root, members);
  return (
    depthOf(after[document]?.root, members) >= depth ||
    (members[0] === 'components' && depthOf(after[other]?.root, members) >= depth)
  );
}

/** Returns how many members of a path exist. */
function depthOf(root: Cursor['root'] | undefined, members: readonly string[]): number {
  if (root === undefined) return -1;
  const start = toCursor(root, 'openapi');
  let depth = members.length;
  while (depth > 0 && child(start, ...members.slice(0, depth)).value === undefined) depth -= 1;
  return depth;
}

/** Returns the original place of a place in the reduced documents. */
function toWritten(pointer: Pointer, moved: ReadonlyMap<Pointer, Pointer>): Pointer {
  if (moved.size === 0) return pointer;
  const members = pointerMembers(pointer);
  const root: Pointer = `${pointerDocument(pointer)}#`;
  for (let length = members.length; length > 0; length -= 1) {
    const written = moved.get(toPointer(root, ...members.slice(0, length)));
    if (written !== undefined) return toPointer(written, ...members.slice(length));
  }
  return pointer;
}
