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

/** What of a contract is chosen, and from whose side it is written. */
export interface SelectOptions {
  readonly include?: Selection | undefined;
  readonly exclude?: Selection | undefined;
  readonly perspective: 'service' | 'integrator';
}

/**
 * The contract as though it had never had what is not chosen: neither that nor what only that referred to is left, and
 * no diagnostic speaks of it. With `include`, nothing is left that the chosen parts do not refer to. Places are located
 * where they were written.
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

/** Components and channels that nothing refers to while everything is there: they are there for their own sake. */
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

/** The operations that issue the tokens of the schemes left, and are not wanted yet. */
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

/** Whether what a diagnostic is about is left; what is written once may stand in both documents and be said of one. */
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

/** How many members of a way exist. */
function depthOf(root: Cursor['root'] | undefined, members: readonly string[]): number {
  if (root === undefined) return -1;
  const start = toCursor(root, 'openapi');
  let depth = members.length;
  while (depth > 0 && child(start, ...members.slice(0, depth)).value === undefined) depth -= 1;
  return depth;
}

/** Where a place of the reduced documents stood before. */
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
