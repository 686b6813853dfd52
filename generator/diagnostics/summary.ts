import { describeConsequences } from './consequences.ts';
import { type Diagnostic, entryOf, withUntil } from './diagnostic.ts';
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

/** How many different consequences a group lists beside what is left out. */
const maxOthers = 3;

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
    const consequences = members.flatMap(({ until = [] }) => until);
    const isSame = alike.every((other) => other.help === help);
    groups.push({
      code,
      severity,
      title: entry.title,
      help: isSame ? help : withUntil(entry.help, describeConsequences(consequences, maxOthers)),
      members,
    });
  }
  const single = diagnostics.filter((diagnostic) => !grouped.has(diagnostic));
  return { single: single.map(withShortHelp), groups: groups.map(withShortHelp) };
}

/**
 * Shortens each help with details, such as an overlay, that a diagnostic before has had, for users that request all
 * diagnostics.
 */
export function withoutRepeatedDetails(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const shown = new Set<string>();
  return diagnostics.map((diagnostic) => {
    const { help } = diagnostic;
    const [text, details] = splitHelp(help);
    if (details === undefined || !shown.has(help)) {
      shown.add(help);
      return diagnostic;
    }
    return { ...diagnostic, help: `${text}\n\n… as above` };
  });
}

/** The size of details that are reported unless users request all. A longer text hides all other diagnostics. */
const maxDetailLines = 30;
const maxDetailCharacters = 4_000;

function withShortHelp<Item extends { readonly help: string }>(item: Item): Item {
  const [text, details = ''] = splitHelp(item.help);
  const lines = details.split('\n').length;
  if (lines <= maxDetailLines && details.length <= maxDetailCharacters) return item;
  return { ...item, help: `${text}\n\n… ${lines} lines (--verbose shows them)` };
}

/** Divides a help into its text and its details, which follow an empty line. */
function splitHelp(help: string): readonly [text: string, details?: string] {
  const end = help.indexOf('\n\n');
  return end === -1 ? [help] : [help.slice(0, end), help.slice(end + 2)];
}
