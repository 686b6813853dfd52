import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../../generator/json/json.ts';
import { referencesIn, replaceReferences } from '../../../packages/pull/src/references.ts';

const text = `# A comment that stays
a: { $ref: 'https://x.example/a.yaml#/A' } # here too
b:
  $ref: https://x.example/b.yaml
c:
  $ref: >-
    https://x.example/a.yaml#/A
default: { "$ref": "https://x.example/b.yaml" }
d: { $ref: '#/a' }
example: { $ref: https://x.example/b.yaml }
examples:
  one: { $ref: https://x.example/c.yaml }
  two: { value: { $ref: https://x.example/c.yaml } }
properties: { value: { $ref: https://x.example/d.yaml } }
discriminator: { mapping: { e: 'https://x.example/e.yaml#/E', f: f/F.yaml, g: Name, h: '#/H' } }
links: { next: { operationRef: '../g.yaml#/paths/~1x/get' } }
`;

test('finds references, and no data', () => {
  expect(referencesIn(parse(text) as Json)).toEqual({
    followed: new Set([
      'https://x.example/a.yaml#/A',
      'https://x.example/b.yaml',
      'https://x.example/c.yaml',
      'https://x.example/d.yaml',
    ]),
    named: new Set(['https://x.example/e.yaml#/E', 'f/F.yaml', '../g.yaml#/paths/~1x/get']),
  });
});

test('replaces references alone, and leaves every other character', () => {
  const changes = new Map([
    ['https://x.example/a.yaml#/A', './x/a.yaml#/A'],
    ['https://x.example/b.yaml', './x/b.yaml'],
    ['https://x.example/c.yaml', './x/c.yaml'],
    ['https://x.example/e.yaml#/E', './x/e.yaml#/E'],
    ['f/F.yaml', './F.yaml'],
    ['Name', 'never'],
    ['../g.yaml#/paths/~1x/get', './g.yaml#/paths/~1x/get'],
  ]);
  expect(replaceReferences(text, changes)).toBe(`# A comment that stays
a: { $ref: "./x/a.yaml#/A" } # here too
b:
  $ref: "./x/b.yaml"
c:
  $ref: "./x/a.yaml#/A"
default: { "$ref": "./x/b.yaml" }
d: { $ref: '#/a' }
example: { $ref: https://x.example/b.yaml }
examples:
  one: { $ref: "./x/c.yaml" }
  two: { value: { $ref: https://x.example/c.yaml } }
properties: { value: { $ref: https://x.example/d.yaml } }
discriminator: { mapping: { e: "./x/e.yaml#/E", f: "./F.yaml", g: Name, h: '#/H' } }
links: { next: { operationRef: "./g.yaml#/paths/~1x/get" } }
`);
});

test('replaces references in JSON', () => {
  const json = '{\r\n\t"a": {"$ref" : "b.json" },"n":1.10}';
  expect(replaceReferences(json, new Map([['b.json', './c/"b.json']]))).toBe(
    '{\r\n\t"a": {"$ref" : "./c/\\"b.json" },"n":1.10}',
  );
});
