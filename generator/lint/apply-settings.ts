import type { Diagnostic, Severity } from '../diagnostics/diagnostic.ts';
import { isLintCode, lintCatalogue } from '../diagnostics/lint-catalogue.ts';
import type { FrameFile } from '../diagnostics/code-frame.ts';
import type { LintException, LintSettings } from './settings.ts';

/** What settings leave of findings. */
export interface Settled {
  readonly diagnostics: readonly Diagnostic[];
  /** How many findings have an exception. */
  readonly excepted: number;
}

/**
 * Takes out what is off or excepted, gives the rest the severity that is wanted, and reports each exception that fits
 * nothing. What stops generation stays as it is. One place is told of once for each code, though both documents use it.
 * @param config the file of the settings, where an exception that fits nothing is shown
 */
export function applySettings(
  found: readonly Diagnostic[],
  { rules = {}, exceptions = [] }: LintSettings,
  config: FrameFile,
): Settled {
  const used = new Set<LintException>();
  const diagnostics: Diagnostic[] = [];
  let excepted = 0;
  for (const alike of groupByPlace(found)) {
    const [first] = alike;
    if (first === undefined) continue;
    if (!isLintCode(first.code) && alike.some(({ severity }) => severity === 'error')) {
      diagnostics.push(...alike);
      continue;
    }
    const fitting = exceptions.filter((exception) => alike.some((one) => fits(exception, one)));
    for (const exception of fitting) used.add(exception);
    const wanted = rules[first.code];
    if (wanted === 'off') continue;
    if (fitting.length > 0) excepted += 1;
    else diagnostics.push(withSeverity(first, wanted));
  }
  const severity = rules['unused-exception'] ?? lintCatalogue['unused-exception'].severity;
  if (severity === 'off') return { diagnostics, excepted };
  const stale = exceptions.filter((exception) => !used.has(exception));
  const reports = stale.map((exception) => report(exception, severity, config));
  return { diagnostics: [...diagnostics, ...reports], excepted };
}

/** A schema that both documents use is looked at in each of them. */
function groupByPlace(found: readonly Diagnostic[]): Iterable<readonly Diagnostic[]> {
  const groups = Map.groupBy(found, ({ code, file, line, column, message }) =>
    // What is no finding of lint has been told once for each fact already.
    JSON.stringify([code, file, line, column, isRepeatable(code) ? message : '']),
  );
  return groups.values();
}

/** One place can break these in several ways; of the others, two documents say one thing in different words. */
function isRepeatable(code: Diagnostic['code']): boolean {
  return !code.startsWith('redocly/');
}

function withSeverity(diagnostic: Diagnostic, severity: Severity | undefined): Diagnostic {
  return severity === undefined ? diagnostic : { ...diagnostic, severity };
}

function fits({ rule, at }: LintException, { code, pointer }: Diagnostic): boolean {
  return rule === code && (pointer === at || pointer?.startsWith(`${at}/`) === true);
}

function report(
  { rule, at }: LintException,
  severity: Severity,
  { path, text }: FrameFile,
): Diagnostic {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.includes(at));
  return {
    code: 'unused-exception',
    severity,
    message: `No finding of \`${rule}\` is at \`${at}\` or below.`,
    file: path,
    line: Math.max(index, 0) + 1,
    column: Math.max(lines[index]?.indexOf(at) ?? 0, 0) + 1,
    help: lintCatalogue['unused-exception'].help,
  };
}
