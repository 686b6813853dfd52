import { describe, expect, test } from 'vitest';
import { findNames } from './names.ts';

describe('names that are only a participle or a pronoun', () => {
  const cases: readonly (readonly [text: string, names: readonly string[]])[] = [
    ['export interface Result {\n  readonly valid?: readonly string[];\n}\n', ['2 valid']],
    ['type Known = { readonly known: string; own(): void };\n', ['1 Known', '1 known', '1 own']],
    ['const found = new Map();\n', ['1 found']],
    ['function given(value: string): boolean {\n  return true;\n}\n', ['1 given']],
    [
      'class Cache {\n  readonly #known = 1;\n  get written() {\n    return 1;\n  }\n}\n',
      ['2 #known', '3 written'],
    ],
    ['interface Result {\n  readonly ownMembers: string;\n  readonly isKnown: boolean;\n}\n', []],
    [
      'function find(list: string[]) {\n  const found = list[0];\n  return { found };\n}\n',
      ['2 found'],
    ],
    ['for (const one of [1]) {\n}\n', ['1 one']],
    ['const texts = list.map((one) => one.text);\n', ['1 one']],
    ['const { first: given, own } = options;\n', ['1 given', '1 own']],
    ['const text = read<Found>(value);\n', []],
  ];

  test.each(cases)('%j', (text, names) => {
    const reported = findNames(text).map(({ line, phrase }) => `${line} ${phrase}`);
    expect(reported.toSorted()).toEqual(names.toSorted());
  });

  test('members of tests and elements of pages are read as what they are', () => {
    const member = 'interface Format {\n  readonly valid: boolean;\n}\n';
    expect(findNames(member, 'test/formats.test.ts')).toEqual([]);
    const page = 'const list = <ul>{all.map((one) => <li>{one}</li>)}</ul>;\n';
    expect(findNames(page, 'page.tsx')).toHaveLength(1);
  });
});
