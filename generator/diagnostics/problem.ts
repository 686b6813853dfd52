import type { DiagnosticCode } from './catalogue.ts';

/** A problem that a tool reports at a place in a bundled document. */
export interface LocatedProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** The path of the place from the document's root. */
  readonly members: readonly string[];
  /** Absent if the default help of the code suffices. */
  readonly help?: string;
}

/**
 * Returns the problems of a more precise tool, and those of another tool at other places. A problem above, at or below
 * a place of a precise problem is omitted.
 */
export function addLessPrecise(
  precise: readonly LocatedProblem[],
  others: readonly LocatedProblem[],
): readonly LocatedProblem[] {
  return [
    ...precise,
    ...others.filter(({ members }) => !precise.some((known) => onOneWay(known.members, members))),
  ];
}

function onOneWay(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((member, index) => member === b[index]);
}
