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
  additional: readonly LocatedProblem[],
): readonly LocatedProblem[] {
  const precisePlaces = precise.map(({ members }) => members);
  return [...precise, ...atOtherPlaces(precisePlaces, additional)];
}

/** Returns the problems that are not above, at or below one of several places. */
export function atOtherPlaces(
  reportedPlaces: readonly (readonly string[])[],
  problems: readonly LocatedProblem[],
): readonly LocatedProblem[] {
  return problems.filter(
    ({ members }) => !reportedPlaces.some((place) => onOneWay(place, members)),
  );
}

function onOneWay(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((member, index) => member === b[index]);
}
