import type { Pointer } from '../json/pointer.ts';
import { type CatalogueEntry, type DiagnosticCode, catalogue } from './catalogue.ts';
import { type LintCode, lintCatalogue } from './lint-catalogue.ts';
import { type SimulationCode, simulationCatalogue } from './simulation-catalogue.ts';
import type { Severity } from './severity.ts';

/** A location in a file of the contract. */
export interface Location {
  /** Path relative to the configuration file's folder, with `/` on every system. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number;
}

/** A problem of a contract, as data. Diagnostics are collected and reported together, never thrown. */
export interface Diagnostic extends Location {
  readonly code: DiagnosticCode | LintCode | SimulationCode;
  readonly severity: Severity;
  /** What is wrong, in one sentence that names the object at fault. */
  readonly message: string;
  /** The place in the bundled document. Absent if the file is not part of a bundled document. */
  readonly pointer?: Pointer;
  /** How to correct the problem. */
  readonly help: string;
}

/** Creates a diagnostic. Severity and help come from the catalogue unless `more` has them. */
export function createDiagnostic(
  code: Diagnostic['code'],
  message: string,
  at: Location,
  more: { readonly pointer?: Pointer; readonly help?: string; readonly severity?: Severity } = {},
): Diagnostic {
  const { severity, help } = { ...entries[code], ...more };
  return {
    code,
    severity,
    message,
    file: at.file,
    line: at.line,
    column: at.column,
    help,
    ...(more.pointer === undefined ? {} : { pointer: more.pointer }),
  };
}

/** Returns the default severity and texts of a code. */
export function entryOf(code: Diagnostic['code']): CatalogueEntry {
  return entries[code];
}

const entries = { ...catalogue, ...lintCatalogue, ...simulationCatalogue };

/**
 * Creates a warning about an invalid value that the toolkit recovers from.
 * @param until how the value is treated until it is corrected; it is appended to the help
 */
export function createRecoveredDiagnostic(
  code: Diagnostic['code'],
  message: string,
  at: Location,
  pointer: Pointer,
  until: string,
  help: string = entries[code].help,
): Diagnostic {
  const more = `${help.replace(/\.$/u, '')}; until then, ${until}.`;
  return createDiagnostic(code, message, at, { pointer, help: more, severity: 'warning' });
}

/** Returns a text that is the same for equal locations. */
export function locationKey({ file, line, column }: Location): string {
  return JSON.stringify([file, line, column]);
}

/** Sorts diagnostics by file, line, column and code, and removes duplicates. */
export function sortDiagnostics(diagnostics: Iterable<Diagnostic>): readonly Diagnostic[] {
  const unique = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { file, line, column, code, message } = diagnostic;
    unique.set(JSON.stringify([file, line, column, code, message]), diagnostic);
  }
  return [...unique.values()].toSorted(
    (a, b) =>
      compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code),
  );
}

/** Returns whether a diagnostic is an error, so that generation has to stop. */
export function hasErrors(diagnostics: Iterable<Diagnostic>): boolean {
  for (const { severity } of diagnostics) if (severity === 'error') return true;
  return false;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
