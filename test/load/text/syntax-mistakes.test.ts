import { expect, it } from 'vitest';
import { findSyntaxMistakes } from '../../../generator/load/text/syntax-mistakes.ts';

it('reports each repeated key of a mapping, but no repeated merge', () => {
  const text =
    'a: &a { x: 1 }\nb: &b { y: 2 }\nc:\n  <<: *a\n  <<: *b\n  z: 1\n  z: 2\n  "z": 3\na: 4\n';
  expect(findSyntaxMistakes(text)).toMatchObject([
    { line: 7, column: 3, message: 'The key `z` is written twice in one mapping.' },
    { line: 8, column: 3 },
    { line: 9, column: 1, message: 'The key `a` is written twice in one mapping.' },
  ]);
});

// Comparing each key with all others would take minutes.
it('ends for a mapping with very many keys', () => {
  const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}: 1\n`).join('');
  expect(findSyntaxMistakes(`${keys}k1: 2\n`)).toMatchObject([{ line: 50_001, column: 1 }]);
});
