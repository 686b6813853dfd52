import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createYamlPositions } from '../../../generator/load/text/yaml-text.ts';
import { createOracle, pathsIn } from './oracle.ts';
import { runsOf } from '../../some.ts';

/** Expects the places of all members where another parser has them. */
function compare(text: string): void {
  const [{ locate }, oracle] = [createYamlPositions(text), createOracle(text)];
  for (const path of pathsIn(parse(text, { merge: true, maxAliasCount: -1 }))) {
    expect(locate(path), `${path.join(' > ')} of\n${text}`).toEqual(oracle(path));
  }
}

const name = fc.constantFrom(
  'a',
  'b-c',
  '200',
  '/books/{id}',
  'x-y',
  '$ref',
  'a b',
  'a: b',
  '- a',
  '# a',
  'ä',
  'true',
  '~',
  '"',
  "it's",
  '\\',
  '<<a',
  '1.0',
  '',
);
const scalar = fc.constantFrom<unknown>(
  0,
  -1.5e-7,
  null,
  true,
  '',
  'text',
  '- a\n- b\n',
  'a: 1\nb: 2',
  '# no comment',
  'several words\nin lines\n\n  further in\n',
  `a long line ${'of words '.repeat(20)}`,
  '{',
  "'",
  '"a": 1',
  '---\na: 1',
  'tab\there',
);
const yaml = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('the places of a YAML text', () => {
  test('are where another parser finds them, however a text is written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, yaml),
        fc.record({
          indent: fc.constantFrom(2, 4),
          indentSeq: fc.boolean(),
          directives: fc.constantFrom(true, null),
          defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const),
          collectionStyle: fc.constantFrom('any' as const, 'any' as const, 'flow' as const),
        }),
        (value, options) => {
          compare(stringify(value, { ...options, aliasDuplicateObjects: false }));
        },
      ),
      { numRuns: runsOf(1000) },
    );
  });

  test.each([
    'a:\n- b\n- c: 1\n  d: 2\ne: 3\n',
    'a:\n  - - 1\n    - 2\n  -\n    b: 1\n  - # c\n    b: 1\nb: 2\n',
    'a: &a\n  b: 1\nc:\n  <<: *a\n  d: 2\n  e: *a\nf: !!str 1\ng: 2\n',
    '# a: 1\na: # b: 2\n  # c: 3\n  b: 1 # d: 4\n\n  c: |\n    d: 5\n   # e\n  d: 6\n',
    'a: {\n  b: 1,\n  c: [1,\n    2] }\nd: 1\n',
    'a: "b\n  c: 1"\nc: 2\n',
    'a: b\n  c\nd: 1\n',
    '? a\n: b\nc: 1\n',
    "\"a\\u0062\": 1\n'it''s': 2\nc: 3\n",
    '---\na: 1\nb:\n  c: 2\n',
    'a:\n  b: |2\n      c: 1\n    d: 2\n  e: 3\n',
    '- a: 1\n  b: 2\n- c\n',
    'a   : 1\nb:   2\n"c" : 3\n',
    '1.0: a\n200: b\n0x10: c\n',
    '- |2\n    a\n- >- # c\n  b\n- "c"\n- &d\n  - e\n- *d\n- [f, {g: h}]\n- !!str i\n',
    '# a\n\n- ? b\n  : c\n',
    'a: &x\n  b: 1\nc: *x\nd: &x\n  e: 2\n  b: 3\nf: *x\n',
  ])('are where another parser finds them in %j', (text) => {
    compare(text);
  });

  test('are where another parser finds them in a contract', async () => {
    const folder = join(import.meta.dirname, '../../../spec');
    const files = (await readdir(folder, { recursive: true })).filter((file) =>
      file.endsWith('.yaml'),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) compare(await readFile(join(folder, file), 'utf8'));
  });
});
