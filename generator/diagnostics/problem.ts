import type { DiagnosticCode } from './catalogue.ts';

/** A problem that a tool reports at a place in a bundled document. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** The way to the place from the document's root. */
  readonly members: readonly string[];
  /** Left out where the usual help of the code is enough. */
  readonly help?: string;
}

/** Leaves out what is said of a place above, at or below a place that a more precise tool has spoken of. */
export function addLessPrecise(
  precise: readonly Problem[],
  others: readonly Problem[],
): readonly Problem[] {
  return [
    ...precise,
    ...others.filter(({ members }) => !precise.some((known) => onOneWay(known.members, members))),
  ];
}

function onOneWay(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((member, index) => member === b[index]);
}
