import type { Pointer } from '../json/pointer.ts';
import { type CatalogueEntry, type DiagnosticCode, catalogue } from './catalogue.ts';
import { type Consequence, describeConsequences } from './consequences.ts';
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
  /** How to correct the problem, and what follows until then. */
  readonly help: string;
  /** How the toolkit treats the place until then, if it goes on. */
  readonly until?: readonly Consequence[];
}

/** The members of a diagnostic that can differ from its entry in the catalogue. */
export interface DiagnosticDetails {
  readonly pointer?: Pointer | undefined;
  readonly help?: string | undefined;
  readonly severity?: Severity | undefined;
  /**
   * How the toolkit treats an invalid value until it is corrected. It is appended to the help, and the diagnostic is a
   * warning.
   */
  readonly until?: string | readonly Consequence[] | undefined;
}

/** Creates a diagnostic. Severity and help come from the catalogue unless the details have them. */
export function createDiagnostic(
  code: Diagnostic['code'],
  message: string,
  { file, line, column }: Location,
  { pointer, until, ...details }: DiagnosticDetails = {},
): Diagnostic {
  const { severity, help } = entries[code];
  const helpText = details.help ?? help;
  const consequences = typeof until === 'string' ? [until] : until;
  return {
    code,
    severity: until === undefined ? (details.severity ?? severity) : 'warning',
    message,
    file,
    line,
    column,
    help: consequences ? withUntil(helpText, describeConsequences(consequences)) : helpText,
    ...(consequences === undefined ? {} : { until: consequences }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

/** Adds to a help how the toolkit treats the place until it is corrected. */
export function withUntil(help: string, until: string): string {
  return until === '' ? help : `${help.replace(/\.$/u, '')}; until then, ${until}.`;
}

/** Returns the default severity and texts of a code. */
export function entryOf(code: Diagnostic['code']): CatalogueEntry {
  return entries[code];
}

/** Returns whether a text is the code of a diagnostic. */
export function isDiagnosticCode(code: string): code is Diagnostic['code'] {
  return Object.hasOwn(entries, code);
}

/** The codes of all diagnostics, in the order of the catalogues. */
export function diagnosticCodes(): readonly string[] {
  return Object.keys(entries);
}

const entries = { ...catalogue, ...lintCatalogue, ...simulationCatalogue };

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
      compareCodeUnits(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compareCodeUnits(a.code, b.code),
  );
}

/** Returns whether a diagnostic is an error, so that generation has to stop. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** Compares two texts by their UTF-16 code units, for `sort`. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
