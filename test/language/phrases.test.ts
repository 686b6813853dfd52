import { describe, expect, test } from 'vitest';
import { findPhrases } from './phrases.ts';

describe('phrases of an older style', () => {
  const cases: readonly (readonly [path: string, text: string, found: readonly string[]])[] = [
    ['a.ts', '// Nobody reads it.\n', ['1 Nobody']],
    ['a.ts', "\nthrow new Error('The value is no list.');\n", ['2 is no list']],
    [
      'a.ts',
      'const text = `the run ${id} goes on and ${name} stands in the ledger`;\n',
      ['1 goes on', '1 stands in'],
    ],
    ['a.ts', "const nobody = read('nobody', `${somebody}`);\n", []],
    ['a.ts', "const text = 'There is no list, and nothing is no longer valid.';\n", []],
    ['a.md', '# A page\n\nIt is mended.\n', ['3 mended']],
    [
      'a.md',
      'As `nobody` does:\n\n```sh\necho nobody knows\n```\n\nIt lies in a folder.\n',
      ['7 lies in'],
    ],
    ['a.ts', '// An authorised and normalised request.\n', ['1 authorised', '1 normalised']],
    ['a.ts.hbs', '/** What a receiver is told: {{name}}. */\n', ['1 is told']],
  ];

  test.each(cases)('%s: %j', (path, text, expectedPhrases) => {
    const phrases = findPhrases(path, text).map(({ line, phrase }) => `${line} ${phrase}`);
    expect(phrases.toSorted()).toEqual(expectedPhrases.toSorted());
  });
});
