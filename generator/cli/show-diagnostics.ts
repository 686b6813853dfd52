import { posix, relative, sep } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../documents/documents.ts';
import type { Flags } from './command.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type Terminal, wantsColor } from './terminal.ts';

/**
 * Writes the diagnostics that the flags select, then the number of diagnostics of each severity. Each diagnostic has
 * its code frame. Without `--verbose`, many diagnostics of one code are shown as a group, and no long overlays. Groups
 * of warnings come first, so that errors are nearest to the end.
 * @param folder the absolute path of the configuration's folder: files are shown relative to the working directory
 */
export async function showDiagnostics(
  located: readonly Diagnostic[],
  sources: readonly SourceFile[],
  flags: Flags,
  terminal: Terminal,
  folder: string = terminal.folder,
): Promise<void> {
  const start = relative(terminal.folder, folder).replaceAll(sep, '/');
  const fromHere = (path: string): string => (start === '' ? path : posix.join(start, path));
  const diagnostics = located.map((it) => ({ ...it, file: fromHere(it.file) }));
  const files = sources.map((it) => ({ ...it, path: fromHere(it.path) }));
  const shown = diagnostics.filter(
    ({ severity }) =>
      severity === 'error' || (!flags.quiet && (severity === 'warning' || flags.verbose)),
  );
  if (shown.length > 0) {
    const [{ renderDiagnostics, renderGroups }, { summarizeDiagnostics, withoutRepeatedDetails }] =
      await Promise.all([
        import('../diagnostics/code-frame.ts'),
        import('../diagnostics/summary.ts'),
      ]);
    const color = wantsColor(terminal, flags, 'error');
    const { single, groups } = flags.verbose
      ? { single: withoutRepeatedDetails(shown), groups: [] }
      : summarizeDiagnostics(shown);
    const { errors = [], warnings = [] } = Object.groupBy(groups, ({ severity }) =>
      severity === 'error' ? 'errors' : 'warnings',
    );
    const texts = [
      renderGroups(warnings, { color }),
      renderDiagnostics(single, files, { color }),
      renderGroups(errors, { color }),
    ];
    for (const text of texts) if (text !== '') terminal.error(`${text}\n`);
  }
  const errors = countSeverity(diagnostics, 'error');
  const warnings = countSeverity(diagnostics, 'warning');
  const notes = countSeverity(diagnostics, 'info');
  const hidden = new Set(
    diagnostics.flatMap(({ severity, code }) => (severity === 'info' ? [code] : [])),
  );
  const counts = [
    errors > 0 ? count(errors, 'error') : '',
    warnings > 0 ? count(warnings, 'warning') : '',
    notes > 0
      ? `${count(notes, 'note')}${flags.verbose ? '' : ` (${[...hidden].join(', ')}; --verbose shows them)`}`
      : '',
  ].filter(Boolean);
  if (counts.length > 0 && (!flags.quiet || errors > 0)) {
    terminal.error(`contract: ${counts.join(', ')}\n`);
    // For people who write a contract; a log has the codes, and README.md states what to do with them.
    const [first] = shown.toSorted((a, b) => rank(a) - rank(b));
    if (terminal.errorIsTerminal && !flags.quiet && first !== undefined)
      terminal.error(
        `Causes and examples: countersign explain <code>, such as countersign explain ${first.code}\n`,
      );
  }
}

function rank({ severity }: Diagnostic): number {
  return severity === 'error' ? 0 : severity === 'warning' ? 1 : 2;
}

/** Returns the number of diagnostics of a severity. */
export function countSeverity(
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic['severity'],
): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}
