import { expect, test } from 'vitest';
import { renderDiagnostics } from '../../generator/diagnostics/code-frame.ts';
import { createDiagnostic, type Diagnostic } from '../../generator/diagnostics/diagnostic.ts';

function at(line: number, column: number, message = 'It is wrong.', file = 'a.yaml'): Diagnostic {
  return createDiagnostic(
    'invalid-schema',
    message,
    { file, line, column },
    { help: 'Repair it.' },
  );
}

test('a diagnostic is shown with its place, its line, a caret and help', () => {
  const text = 'type: object\nproperties:\n  a: { type: strng }\n';
  expect(renderDiagnostics([at(3, 8)], [{ path: 'a.yaml', text }], { color: false })).toBe(
    `error[invalid-schema] a.yaml:3:8
  It is wrong.
  2 | properties:
  3 |   a: { type: strng }
    |        ^
  help: Repair it.
`,
  );
});

test('several are divided by an empty line, and severities have names', () => {
  const warning = createDiagnostic('needed-operation', 'Nothing.', {
    file: 'b.yaml',
    line: 1,
    column: 1,
  });
  const shown = renderDiagnostics([at(1, 1), warning], [{ path: 'a.yaml', text: 'a' }], {
    color: false,
  });
  expect(shown.split('\n\n')).toHaveLength(2);
  expect(shown).toContain('warning[needed-operation] b.yaml:1:1');
});

test.each([
  ['a file that was not read', at(1, 1, 'x', 'b.yaml')],
  ['a line that the file does not have', at(9, 1)],
])('%s has no frame', (_, diagnostic) => {
  const shown = renderDiagnostics([diagnostic], [{ path: 'a.yaml', text: 'a: 1' }], {
    color: false,
  });
  expect(shown).not.toContain('|');
});

const hostile = '\u001b[2Ja\u0007\r\u009b1m\u202eevil\u2028\u200b\u0000\u007f\ud800';
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e]|\p{Cs}/u;

test('nothing of a contract can steer a terminal', () => {
  const diagnostics = [
    createDiagnostic(
      'invalid-schema',
      `message ${hostile}`,
      { file: `file${hostile}`, line: 2, column: 20 },
      { help: `help ${hostile}` },
    ),
  ];
  const files = [{ path: `file${hostile}`, text: `before ${hostile}\nline ${hostile}: x\n` }];
  const shown = renderDiagnostics(diagnostics, files, { color: false });
  expect(shown).not.toMatch(steering);
  expect(shown).toContain('␛[2Ja␇');
  expect(shown.split('\n')).toHaveLength(7);
});

test('colours appear when asked for, and change no text', () => {
  const files = [{ path: 'a.yaml', text: 'a: 1\nb: 2\n' }];
  const plain = renderDiagnostics([at(2, 1)], files, { color: false });
  const colored = renderDiagnostics([at(2, 1)], files, { color: true });
  expect(plain).not.toContain('\u001b');
  expect(colored).toContain('\u001b[');
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  expect(colored.replaceAll(/\u001b\[\d+m/gu, '')).toBe(plain);
});

test.each([
  ['a tab', '\tx', 2, 1],
  ['a wide character', '\u7530: x', 2, 2],
  ['an emoji', '\u{1f600}: x', 3, 2],
  ['a combining mark', 'e\u0301: x', 3, 1],
])('the caret stands under its column after %s', (_, text, column, cells) => {
  const shown = renderDiagnostics([at(1, column)], [{ path: 'a.yaml', text }], { color: false });
  expect(shown.split('\n')).toContain(`    | ${' '.repeat(cells)}^`);
});

test('a very long line is cut to the part around the column', () => {
  const text = `${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`;
  const shown = renderDiagnostics([at(1, 5001)], [{ path: 'a.yaml', text }], { color: false });
  const [line = '', caret = ''] = shown.split('\n').slice(2);
  expect(line.length).toBeLessThan(140);
  expect(line.slice(caret.indexOf('^'))).toMatch(/^HEREb+…$/u);
});
