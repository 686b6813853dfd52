import { isWithin } from '../../json/pointer.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Severity } from '../../diagnostics/severity.ts';
import { isLintCode, lintCatalogue } from '../../diagnostics/lint-catalogue.ts';
import type { FrameFile } from '../../diagnostics/code-frame.ts';
import type { LintException, LintSettings } from '../../config/lint-settings.ts';

/** The findings that remain after the settings are applied. */
export interface LintResult {
  readonly diagnostics: readonly Diagnostic[];
  /** How many findings have an exception. */
  readonly excepted: number;
  /** The exceptions that no finding matched. Empty where not every rule was checked. */
  readonly unused: readonly LintException[];
}

/**
 * Removes findings that are off or excepted, and gives the others their configured severity. Reports exceptions without
 * effect. Does not change errors that stop generation. Reports a place once per code, even if both documents use it.
 * @param config the file of the settings, where an exception without effect is reported
 * @param isComplete whether every rule was checked; if not, only an exception of an error is known to have no effect
 */
export function applySettings(
  findings: readonly Diagnostic[],
  { rules = {}, exceptions = [] }: LintSettings,
  config: FrameFile,
  isComplete: boolean,
): LintResult {
  const used = new Set<LintException>();
  const refused = new Set<LintException>();
  const diagnostics: Diagnostic[] = [];
  let excepted = 0;
  for (const alike of groupByPlace(findings)) {
    const [first] = alike;
    if (first === undefined) continue;
    const fitting = exceptions.filter((exception) =>
      alike.some((finding) => matchesException(exception, finding)),
    );
    if (!isLintCode(first.code) && alike.some(({ severity }) => severity === 'error')) {
      diagnostics.push(...alike);
      for (const exception of fitting) refused.add(exception);
      continue;
    }
    for (const exception of fitting) used.add(exception);
    const wanted = rules[first.code];
    if (wanted === 'off') continue;
    if (fitting.length > 0) excepted += 1;
    else diagnostics.push({ ...first, severity: wanted ?? first.severity });
  }
  const unused = isComplete
    ? exceptions.filter((exception) => !used.has(exception) && !refused.has(exception))
    : [];
  const severity = rules['unused-exception'] ?? lintCatalogue['unused-exception'].severity;
  if (severity === 'off') return { diagnostics, excepted, unused };
  const reports = exceptions.flatMap((exception) => {
    const { rule, at } = exception;
    if (refused.has(exception)) {
      const message = `\`${rule}\` at \`${at}\` is an error that stops \`generate\`; exceptions do not apply to it.`;
      const help = 'Correct the error and remove the exception.';
      return [report(exception, severity, config, message, help)];
    }
    if (!unused.includes(exception)) return [];
    const message = `No finding of \`${rule}\` is at \`${at}\` or below.`;
    return [report(exception, severity, config, message, lintCatalogue['unused-exception'].help)];
  });
  return { diagnostics: [...diagnostics, ...reports], excepted, unused };
}

/**
 * Groups the findings that report the same fact: a schema that both documents use is checked once for each document.
 */
function groupByPlace(diagnostics: readonly Diagnostic[]): Iterable<readonly Diagnostic[]> {
  const groups = Map.groupBy(diagnostics, ({ code, file, line, column, message }) =>
    // The rules of Redocly for OpenAPI and AsyncAPI word the same finding differently. Other diagnostics of one code at
    // one place differ.
    JSON.stringify([code, file, line, column, code.startsWith('redocly/') ? '' : message]),
  );
  return groups.values();
}

function matchesException({ rule, at }: LintException, { code, pointer }: Diagnostic): boolean {
  return rule === code && pointer !== undefined && isWithin(pointer, at);
}

function report(
  { at }: LintException,
  severity: Severity,
  { path, text }: FrameFile,
  message: string,
  help: string,
): Diagnostic {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.includes(at));
  return {
    code: 'unused-exception',
    severity,
    message,
    file: path,
    line: Math.max(index, 0) + 1,
    column: Math.max(lines[index]?.indexOf(at) ?? 0, 0) + 1,
    help,
  };
}
