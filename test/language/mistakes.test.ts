import { describe, expect, test } from 'vitest';
import { findMistakes } from './mistakes.ts';

describe('mistakes of English', () => {
  const cases: readonly (readonly [path: string, text: string, found: readonly string[]])[] = [
    ['a.ts', '// An authorised and normalised request.\n', ['1 authorised', '1 normalised']],
    ['a.ts', '// An authorized and normalized request.\n', []],
    ['a.ts', "\nthrow new Error('It is in the the list.');\n", ['2 the the']],
    [
      'a.ts',
      'const text = `a error of ${id}, and ${name} belongs into the list`;\n',
      ['1 a error', '1 belongs into'],
    ],
    ['a.ts', "const authorised = read('authorised', `${authorised}`);\n", []],
    ['a.ts', "const text = 'That that is, is: an error, a user, an hour, a URL.';\n", []],
    ['a.md', '# A page\n\nEach has an unique name.\n', ['3 an unique']],
    [
      'a.md',
      'As `organise` does:\n\n```sh\necho organise\n```\n\nIt organises folders.\n',
      ['7 organises'],
    ],
    ['a.ts.hbs', '/** Customises the the receiver: {{name}}. */\n', ['1 Customises', '1 the the']],
  ];

  test.each(cases)('%s: %j', (path, text, expected) => {
    const mistakes = findMistakes(path, text).map(({ line, words }) => `${line} ${words}`);
    expect(mistakes.toSorted()).toEqual(expected.toSorted());
  });
});
