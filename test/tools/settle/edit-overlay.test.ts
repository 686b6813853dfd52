import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../generator/json/json.ts';
import { createOverlay, editOverlay } from '../../../generator/tools/settle/edit-overlay.ts';

const action = { target: '$.info', description: 'Which?', update: { settled: 'b' } };

/** Appends one action, and returns what was inserted, between the text before and after it. */
function append(text: string): string | undefined {
  return editOverlay(text, [], [action]);
}

it.each<[what: string, before: string, after: string]>([
  [
    'a list with its own indentation and comments',
    '# ours\nactions:\n    # first\n    -   target: $.a   # why\n        update: { settled: a } # sure\n\n# the end\n',
    '# ours\nactions:\n    # first\n    -   target: $.a   # why\n        update: { settled: a } # sure\n    - target: $.info\n      description: Which?\n      update:\n        settled: b\n\n# the end\n',
  ],
  [
    'a list without indentation, and members behind it',
    'actions:\n- target: $.a\n  update:\n    settled: "a"\n    # still about a\n# about info\ninfo: { title: x }\n',
    'actions:\n- target: $.a\n  update:\n    settled: "a"\n    # still about a\n- target: $.info\n  description: Which?\n  update:\n    settled: b\n# about info\ninfo: { title: x }\n',
  ],
  [
    'a file without a line break at its end',
    'actions:\n  - target: $.a',
    'actions:\n  - target: $.a\n  - target: $.info\n    description: Which?\n    update:\n      settled: b\n',
  ],
  [
    'line ends of Windows and a byte order mark',
    '\ufeffactions:\r\n  - target: $.a\r\ninfo: x\r\n',
    '\ufeffactions:\r\n  - target: $.a\r\n  - target: $.info\r\n    description: Which?\r\n    update:\r\n      settled: b\r\ninfo: x\r\n',
  ],
  [
    'a block text at its end',
    'actions:\n  - target: $.a\n    description: |\n      One.\n\n      Two.\n',
    'actions:\n  - target: $.a\n    description: |\n      One.\n\n      Two.\n  - target: $.info\n    description: Which?\n    update:\n      settled: b\n',
  ],
  [
    'JSON',
    '{\n\t"actions": [\n\t\t{ "target": "$.a" }\n\t]\n}\n',
    '{\n\t"actions": [\n\t\t{ "target": "$.a" },\n\t\t{\n\t\t\t"target": "$.info",\n\t\t\t"description": "Which?",\n\t\t\t"update": {\n\t\t\t\t"settled": "b"\n\t\t\t}\n\t\t}\n\t]\n}\n',
  ],
  [
    'a list on one line',
    'actions: [{ target: $.a }]\n',
    'actions: [{ target: $.a }, {"target":"$.info","description":"Which?","update":{"settled":"b"}}]\n',
  ],
])('appends to %s', (_, before, after) => {
  expect(append(before)).toBe(after);
});

it.each([
  ['actions: []\n'],
  ['actions: $.a\n'],
  ['info: x\n'],
  ['actions: [\n'],
  ['actions: *none\n'],
])('appends nothing to %j', (text) => {
  expect(append(text)).toBeUndefined();
});

it.each<[before: string, place: string, answer: string, after: string]>([
  ['settled: one # was two\n', 'settled', 'two', 'settled: two # was two\n'],
  ["settled: 'one'\n", 'settled', 'two words', "settled: 'two words'\n"],
  ["settled: 'one'\n", 'settled', "it's", 'settled: "it\'s"\n'],
  ['{ "settled": "one" }\n', '"settled"', 'two', '{ "settled": "two" }\n'],
  ['{ settled: one, at: 1 }\n', 'settled', 'a, b }', '{ settled: "a, b }", at: 1 }\n'],
  ['settled: one\n', 'settled', 'no', 'settled: "no"\n'],
  ['settled: one\n', 'settled', 'a: b', 'settled: "a: b"\n'],
  ['settled: >-\n  One\n  sentence.\nat: 1\n', 'settled', 'two', 'settled: two\nat: 1\n'],
  ['a: 1\r\nsettled: one\r\nb: 2\r\n', 'settled', 'two', 'a: 1\r\nsettled: two\r\nb: 2\r\n'],
  ['\ufeffsettled: one\n', 'settled', 'two', '\ufeffsettled: two\n'],
])('in %j, the answer at %s becomes %j', (before, place, answer, after) => {
  const text = before.replace('\ufeff', '').replaceAll('\r\n', '\n');
  const lines = text.slice(0, text.indexOf(place)).split('\n');
  const at = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  expect(editOverlay(before, [{ at, answer }], [])).toBe(after);
});

it('changes several answers and appends in one pass', () => {
  const text = 'actions:\n  - { a: { settled: x }, b: { settled: y } }\n';
  const [first, second] = [text.indexOf('settled'), text.lastIndexOf('settled')];
  const placeOf = (offset: number): { line: number; column: number } => ({
    line: 2,
    column: offset - text.indexOf('\n'),
  });
  const after = editOverlay(
    text,
    [
      { at: placeOf(first), answer: 'a longer one' },
      { at: placeOf(second), answer: 'z' },
    ],
    [{ target: '$' }],
  );
  expect(after).toBe(
    'actions:\n  - { a: { settled: a longer one }, b: { settled: z } }\n  - target: $\n',
  );
});

it('finds no answer where none is written', () => {
  const at = { line: 9, column: 9 };
  expect(editOverlay('settled: one\n', [{ at, answer: 'two' }], [])).toBeUndefined();
});

const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('#', ': ', '- x', '"', "'", '\n', 'null', '{{', '%', '\u2028', '\u001b[2J', '…'),
);

it('every text survives, in a new overlay and in an existing one', () => {
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 0, max: 6 }), (description, settled, depth) => {
      const added: JsonObject = { target: '$', description, update: { settled } };
      const created = createOverlay('./a.yaml', [added]);
      expect(parse(created)).toMatchObject({ overlay: '1.0.0', actions: [added] });
      const before = `actions:\n${' '.repeat(depth)}- target: $.a\ninfo: x\n`;
      const after = editOverlay(before, [], [added]) ?? '';
      expect(parse(after)).toEqual({ actions: [{ target: '$.a' }, added], info: 'x' });
      const at = { line: 1, column: 1 };
      for (const quoted of ['settled: one', "settled: 'one'", 'settled: "one"', '{ settled: one }'])
        expect(
          parse(
            editOverlay(
              quoted,
              [{ at: { ...at, column: quoted.indexOf('s') + 1 }, answer: settled }],
              [],
            ) ?? '',
          ),
        ).toEqual({ settled });
    }),
  );
});
