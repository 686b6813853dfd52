import { expect, it } from 'vitest';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.ts';
import { toAnnotations } from '../../../generator/tools/lint/github-annotations.ts';

const diagnostic: Diagnostic = {
  code: 'unbounded-number',
  severity: 'warning',
  message: 'The number "weight" has no bound.',
  file: 'spec/a.yaml',
  line: 3,
  column: 7,
  help: 'Add one.',
};
const inRoot = (file: string): string => `api/${file}`;

it.each([
  ['error', 'error'],
  ['warning', 'warning'],
  ['info', 'notice'],
] as const)('an %s is the command %s, with its place from the root', (severity, command) => {
  expect(toAnnotations([{ ...diagnostic, severity }], inRoot)).toBe(
    `::${command} file=api/spec/a.yaml,line=3,col=7,title=unbounded-number::The number "weight" has no bound.%0AAdd one.\n`,
  );
});

it.each([
  [
    'a line of its own',
    'a\n::error::b\r::stop-commands::c\r\n::d',
    'a%0A::error::b%0D::stop-commands::c%0D%0A::d',
  ],
  ['signs that the runner unescapes', '100 %0A', '100 %250A'],
  ['what steers a terminal', 'a\u001b[31mb\u2028c\u0000', 'a\ufffd[31mb\ufffdc\ufffd'],
])('text of a contract cannot bring %s', (_, message, expected) => {
  const text = toAnnotations([{ ...diagnostic, message }], inRoot);
  expect(text).toContain(`::${expected}%0AAdd one.\n`);
  expect(text.split(/\r\n|[\n\r]/u)).toHaveLength(2);
});

it('the name of a file cannot end its property', () => {
  const text = toAnnotations([{ ...diagnostic, file: 'a,line=1::x:\n.yaml' }], (file) => file);
  expect(text).toContain('file=a%2Cline=1%3A%3Ax%3A%0A.yaml,line=3,');
});
