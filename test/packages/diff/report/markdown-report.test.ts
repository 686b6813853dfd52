import { expect, test } from 'vitest';
import { toMarkdown } from '../../../../packages/diff/src/report/markdown-report.ts';
import type {
  DiffReport,
  LocatedContractChange,
} from '../../../../packages/diff/src/report/report.ts';

const where = { file: 'new.yaml', line: 7, column: 1 };
const otherSide = { file: 'old.yaml', line: 5, column: 1 };

const changeOf = (
  index: number,
  code: 'member-removed' | 'schema-renamed',
): LocatedContractChange => ({
  code,
  side: 'head',
  pointer: 'openapi#/components/schemas/A',
  subject: `schema A${index}`,
  message: `\`m${index}\` changed.`,
  effects: [
    {
      role: 'response',
      deployed: code === 'member-removed' ? 'breaks' : 'keeps',
      upgrade: 'breaks',
      why: 'It breaks.',
      migrate: 'Change it.',
    },
  ],
  usedBy: ['operation a (GET /a)', 'operation b (GET /b)'],
  where,
  otherSide,
  breaking: true,
});

const reportOf = (removed: number, renamed: number): DiffReport => ({
  changes: [
    ...Array.from({ length: renamed }, (_, index) => changeOf(index, 'schema-renamed')),
    ...Array.from({ length: removed }, (_, index) => changeOf(index, 'member-removed')),
  ],
  breaking: removed + renamed,
  packages: [],
  level: 'major',
  version: { base: '1.0.0', head: '2.0.0', required: '2.0.0' },
});

test('counts consumers, then lists what breaks on the wire, then renamed exports', () => {
  const lines = toMarkdown(reportOf(1, 1)).split('\n');
  expect(lines.slice(0, 11)).toEqual([
    '### Contract: 2 breaking changes',
    '',
    '| Deployed callers | Deployed receivers | Only code that upgrades |',
    '| --- | --- | --- |',
    '| 1 | 0 | 1 |',
    '',
    '| Whom it breaks | Change | Before | After |',
    '| --- | --- | --- | --- |',
    expect.stringContaining('concerns 2 operations, first operation a'),
    '',
    '**Renamed in code**',
  ]);
  expect(lines[8]).toContain('| `old.yaml:5` | `new.yaml:7` |');
});

test('says of a change that is not decided only what is known', () => {
  const report = reportOf(1, 0);
  const changes = report.changes.map((change) => ({ ...change, undecided: true as const }));
  const text = toMarkdown({ ...report, changes });
  expect(text).toContain('| not decided (callers) |');
  expect(text).not.toContain('breaking now');
  expect(text).toContain('No value was found that only one of the two schemas accepts');
  expect(text).not.toContain('It breaks.');
});

test.each([
  [3, 3],
  [500, 100],
  [500, 0],
  [0, 500],
])('has at most 60 lines before the details (%i removed, %i renamed)', (removed, renamed) => {
  const text = toMarkdown(reportOf(removed, renamed));
  expect(text.slice(0, text.indexOf('<details>')).split('\n').length - 1).toBeLessThanOrEqual(60);
  expect(text.match(/<details>/gu)?.length).toBe(text.match(/<\/details>/gu)?.length);
});

test('names the rows that a meaning is of, and folded all that a row stands for', () => {
  const report = reportOf(3, 0);
  const changes = report.changes.map((change) => ({ ...change, message: 'It changed.' }));
  const text = toMarkdown({ ...report, changes });
  expect(text).toContain('- `member-removed`: **schema A0** and 2 more\n');
  const names = text.slice(text.indexOf('All names of the breaking changes'));
  expect(names).toContain('  - schema A0, schema A1, schema A2\n');
  expect(names).toContain('  - concerns operation a (GET /a), operation b (GET /b)\n');
});

test.each([
  ['1.0.0', 'It was `1.0.0` and is `1.0.0`, which is too low.'],
  ['2', 'It was `1.0.0` and is `2`, which is enough.'],
  ['2.0.0-rc.1', 'It was `1.0.0` and is `2.0.0-rc.1`, which is too low.'],
  ['10.0.0', 'It was `1.0.0` and is `10.0.0`, which is enough.'],
])('says whether the version %s is enough', (head, sentence) => {
  const report = reportOf(1, 0);
  const version = { base: '1.0.0', head, required: '2.0.0' };
  expect(toMarkdown({ ...report, version })).toContain(sentence);
});
