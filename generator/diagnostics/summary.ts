import { type Diagnostic, entryOf } from './diagnostic.ts';
import type { Severity } from './severity.ts';

/** Diagnostics of one code and severity that are reported together. */
export interface DiagnosticGroup {
  readonly code: Diagnostic['code'];
  readonly severity: Severity;
  /** What the diagnostics have in common, in one sentence. */
  readonly title: string;
  readonly help: string;
  /** In the order of the input. */
  readonly members: readonly Diagnostic[];
}

/** Diagnostics as reported to users, unless they request all of them. */
export interface DiagnosticSummary {
  readonly single: readonly Diagnostic[];
  readonly groups: readonly DiagnosticGroup[];
}

/**
 * How many diagnostics of one code are reported individually. The limit for errors is higher, because each has to be
 * corrected.
 */
const maxSingle: Readonly<Record<Severity, number>> = { error: 20, warning: 3, info: 3 };

/**
 * Groups the diagnostics of one code and severity if there are many of them. The first errors of a code stay single.
 */
export function summarizeDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticSummary {
  const kinds = Map.groupBy(diagnostics, ({ severity, code }) => `${severity} ${code}`);
  const grouped = new Set<Diagnostic>();
  const groups: DiagnosticGroup[] = [];
  for (const alike of kinds.values()) {
    const [first] = alike;
    if (first === undefined || alike.length <= maxSingle[first.severity]) continue;
    const { code, severity, help } = first;
    const members = severity === 'error' ? alike.slice(maxSingle.error) : alike;
    for (const member of members) grouped.add(member);
    const entry = entryOf(code);
    const isSame = alike.every((other) => other.help === help);
    groups.push({ code, severity, title: entry.title, help: isSame ? help : entry.help, members });
  }
  return { single: diagnostics.filter((diagnostic) => !grouped.has(diagnostic)), groups };
}
