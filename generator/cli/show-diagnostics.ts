import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../load/documents.ts';
import type { Flags } from './command.ts';
import { count } from './describe-generation.ts';
import { type Terminal, wantsColor } from './terminal.ts';

/**
 * Writes the diagnostics that the flags select, then the number of diagnostics of each severity. Each diagnostic has
 * its code frame. Without `--verbose`, many diagnostics of one code are shown as a group. Groups of warnings come
 * first, so that errors are nearest to the end.
 */
export async function showDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const shown = diagnostics.filter(
    ({ severity }) =>
      severity === 'error' || (!flags.quiet && (severity === 'warning' || flags.verbose)),
  );
  if (shown.length > 0) {
    const [{ renderDiagnostics, renderGroups }, { summarizeDiagnostics }] = await Promise.all([
      import('../diagnostics/code-frame.ts'),
      import('../diagnostics/summary.ts'),
    ]);
    const color = wantsColor(terminal, flags, 'error');
    const { single, groups } = flags.verbose
      ? { single: shown, groups: [] }
      : summarizeDiagnostics(shown);
    const texts = [
      renderGroups(
        groups.filter(({ severity }) => severity !== 'error'),
        { color },
      ),
      renderDiagnostics(single, files, { color }),
      renderGroups(
        groups.filter(({ severity }) => severity === 'error'),
        { color },
      ),
    ];
    for (const text of texts) if (text !== '') terminal.error(`${text}\n`);
  }
  const number = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = [
    number('error') > 0 ? count(number('error'), 'error') : '',
    number('warning') > 0 ? count(number('warning'), 'warning') : '',
    number('info') > 0
      ? `${count(number('info'), 'note')}${flags.verbose ? '' : ' (--verbose shows them)'}`
      : '',
  ].filter(Boolean);
  if (counts.length > 0 && (!flags.quiet || number('error') > 0)) {
    terminal.error(`contract: ${counts.join(', ')}\n`);
  }
}
