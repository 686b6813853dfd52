import { describe, expect, it } from 'vitest';
import { renderGroups } from '../../generator/diagnostics/code-frame.ts';
import type { DiagnosticCode } from '../../generator/diagnostics/catalogue.ts';
import { type Diagnostic, createDiagnostic } from '../../generator/diagnostics/diagnostic.ts';
import type { Severity } from '../../generator/diagnostics/severity.ts';
import {
  summarizeDiagnostics,
  withoutRepeatedDetails,
} from '../../generator/diagnostics/summary.ts';

function many(
  number: number,
  severity: Severity,
  code: DiagnosticCode = 'invalid-example',
): readonly Diagnostic[] {
  return Array.from({ length: number }, (_, index) =>
    createDiagnostic(
      code,
      `Number ${index + 1}.`,
      { file: 'a.yaml', line: index + 1, column: 2 },
      { severity, help: 'Correct it.' },
    ),
  );
}

describe('diagnostics of one code', () => {
  it.each<[number, Severity, single: number, grouped: number]>([
    [3, 'warning', 3, 0],
    [4, 'warning', 0, 4],
    [4, 'info', 0, 4],
    [20, 'error', 20, 0],
    [25, 'error', 20, 5],
  ])('%d times %s: %d are single, %d in a group', (number, severity, single, grouped) => {
    const diagnostics = many(number, severity);
    const summary = summarizeDiagnostics(diagnostics);
    expect(summary.single).toEqual(diagnostics.slice(0, single));
    expect(summary.groups.flatMap(({ members }) => members)).toEqual(
      diagnostics.slice(number - grouped),
    );
  });

  it('are grouped by code and severity, and no diagnostic is lost', () => {
    const diagnostics = [
      ...many(4, 'warning'),
      ...many(3, 'warning', 'empty-enum'),
      ...many(2, 'error'),
      ...many(30, 'error', 'empty-enum'),
    ];
    const { single, groups } = summarizeDiagnostics(diagnostics);
    expect(groups.map(({ severity, code, members }) => [severity, code, members.length])).toEqual([
      ['warning', 'invalid-example', 4],
      ['error', 'empty-enum', 10],
    ]);
    const all = [...single, ...groups.flatMap(({ members }) => members)];
    expect(new Set(all)).toEqual(new Set(diagnostics));
    expect(all).toHaveLength(diagnostics.length);
  });
});

describe('a group', () => {
  const render = (diagnostics: readonly Diagnostic[]): string =>
    renderGroups(summarizeDiagnostics(diagnostics).groups, { color: false });

  it('is shown with its count, three places and the help that its members share', () => {
    expect(render(many(1000, 'warning'))).toBe(`warning[invalid-example] 1000 times
  An example violates its schema, or an invalid example does not violate the rule that it names.
  a.yaml:1:2  Number 1.
  a.yaml:2:2  Number 2.
  a.yaml:3:2  Number 3.
  … and 997 more (--verbose shows all)
  help: Correct it.
`);
  });

  it('of errors says that there are more, and has the usual help where the members differ', () => {
    const [first, ...furtherErrors] = many(22, 'error', 'empty-enum');
    if (first === undefined) throw new Error('there is none');
    const text = render([{ ...first, help: 'Another.' }, ...furtherErrors]);
    expect(text).toMatch(/^error\[empty-enum\] 2 more\n/u);
    expect(text).not.toContain('--verbose');
    expect(text).toContain('help: List the values, or remove the keyword');
  });

  it('names every notification that is left out, and counts the other consequences', () => {
    const diagnostics = many(57, 'warning', 'unresolved-reference').map((_, index) =>
      createDiagnostic(
        'unresolved-reference',
        'There is no file.',
        { file: 'a.yaml', line: index + 1, column: 1 },
        {
          until:
            index % 3 === 0
              ? [
                  { leftOut: 'operation', names: [`o${index}`] },
                  { leftOut: 'notification', names: [`n${index}`, `n${index + 1}`] },
                ]
              : 'any value is accepted',
        },
      ),
    );
    const notifications = Array.from(
      { length: 19 },
      (_, index) => `"n${3 * index}", "n${3 * index + 1}"`,
    );
    expect(render(diagnostics)).toContain(
      `; until then, the notifications ${notifications.join(', ')} are left out, and the operations "o0", "o3", "o6", "o9", "o12", "o15", "o18", "o21", "o24", "o27" and 9 more are left out, and any value is accepted (38 times).`,
    );
  });

  it('takes no text of a contract for a consequence', () => {
    const help = 'Correct "a; until then, the notification "b" is left out.';
    const [first, ...others] = many(9, 'warning', 'empty-enum');
    if (first === undefined) throw new Error('there is none');
    const text = render([{ ...first, help }, ...others]);
    expect(text).toContain('help: List the values');
    expect(text).not.toContain('left out');
  });

  it('shows one bounded line of a message, without control characters', () => {
    const hostile = {
      message: `\u001b[2J${'a'.repeat(1000)}\nerror[x] b.yaml`,
      file: 'a\u202e.yaml',
    };
    const text = render(many(5, 'warning').map((diagnostic) => ({ ...diagnostic, ...hostile })));
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
    expect(text).not.toContain('error[x]');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(230);
  });
});

describe('a help with details', () => {
  const helpOf = (lines: number, width = 10): string =>
    `Add this:\n\n${Array.from({ length: lines }, () => '-'.repeat(width)).join('\n')}`;
  const withHelp = (number: number, help: string): readonly Diagnostic[] =>
    many(number, 'warning').map((warning) => ({ ...warning, help }));

  it.each<[string, number, number, string]>([
    ['30 lines', 30, 10, helpOf(30)],
    ['more lines', 31, 10, 'Add this:\n\n… 31 lines (--verbose shows them)'],
    ['long lines', 5, 1000, 'Add this:\n\n… 5 lines (--verbose shows them)'],
  ])('of %s is shown, or left out if it is long', (_, lines, width, shown) => {
    const single = summarizeDiagnostics(withHelp(2, helpOf(lines, width))).single;
    expect(single.map(({ help }) => help)).toEqual([shown, shown]);
    const { groups } = summarizeDiagnostics(withHelp(9, helpOf(lines, width)));
    expect(groups.map(({ help }) => help)).toEqual([shown]);
  });

  it('is never shortened without details, however long it is', () => {
    const help = 'a'.repeat(10_000);
    expect(summarizeDiagnostics(withHelp(1, help)).single[0]?.help).toBe(help);
  });

  it('is complete once where all diagnostics are shown', () => {
    const plain = many(2, 'warning', 'empty-enum');
    const shown = withoutRepeatedDetails([
      ...withHelp(2, helpOf(40)),
      ...plain,
      ...withHelp(1, helpOf(41)),
    ]);
    expect(shown.map(({ help }) => help)).toEqual([
      helpOf(40),
      'Add this:\n\n… as above',
      'Correct it.',
      'Correct it.',
      helpOf(41),
    ]);
  });
});
