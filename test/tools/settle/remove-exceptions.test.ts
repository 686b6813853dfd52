import { expect, it } from 'vitest';
import { removeExceptions } from '../../../generator/tools/settle/remove-exceptions.ts';

const exception = { rule: 'unbounded-number', at: 'openapi#/info', reason: '' } as const;
const literal = "{ rule: 'unbounded-number', at: 'openapi#/info', reason: 'No.' }";
const other = "{ rule: 'uncited-fact', at: 'openapi#/info', reason: 'No.' }";

it.each<[what: string, name: string, before: string, after: string]>([
  [
    'the only one on a line of its own, with its comments',
    'countersign.config.ts',
    `export default { lint: { exceptions: [\n  // Asked.\n  ${literal}, // soon\n] } };\n`,
    'export default { lint: { exceptions: [\n] } };\n',
  ],
  [
    'the first of two',
    'countersign.config.mjs',
    `export default {\r\n  lint: {\r\n    exceptions: [\r\n      ${literal},\r\n      // Stays.\r\n      ${other},\r\n    ],\r\n  },\r\n};\r\n`,
    `export default {\r\n  lint: {\r\n    exceptions: [\r\n      // Stays.\r\n      ${other},\r\n    ],\r\n  },\r\n};\r\n`,
  ],
  [
    'the last of two without a comma after it',
    'countersign.config.js',
    `export default { lint: { exceptions: [${other}, ${literal}] } };\n`,
    `export default { lint: { exceptions: [${other}] } };\n`,
  ],
  [
    'the first of two on one line',
    'countersign.config.js',
    `export default { lint: { exceptions: [${literal}, ${other}] } };\n`,
    `export default { lint: { exceptions: [${other}] } };\n`,
  ],
  [
    'the last of JSON',
    'countersign.config.json',
    '{\n  "lint": {\n    "exceptions": [\n      { "rule": "uncited-fact", "at": "openapi#/info", "reason": "" },\n      { "rule": "unbounded-number", "at": "openapi#/info", "reason": "" }\n    ]\n  }\n}\n',
    '{\n  "lint": {\n    "exceptions": [\n      { "rule": "uncited-fact", "at": "openapi#/info", "reason": "" }\n    ]\n  }\n}\n',
  ],
])('removes %s', (_, name, before, after) => {
  expect(removeExceptions(name, before, [exception])).toBe(after);
  expect(removeExceptions(name, `\ufeff${before}`, [exception])).toBe(`\ufeff${after}`);
});

it('removes several', () => {
  const both = [exception, { ...exception, rule: 'uncited-fact' }] as const;
  const text = `export default { lint: { exceptions: [${literal}, ${other}] } };`;
  expect(removeExceptions('a.ts', text, both)).toBe('export default { lint: { exceptions: [] } };');
});

it.each<[what: string, text: string]>([
  ['one that is not there', `export default { lint: { exceptions: [${other}] } };`],
  ['one that is there twice', `export default { lint: { exceptions: [${literal}, ${literal}] } };`],
  ['one that is not in a list', `const exception = ${literal};`],
  ['one whose rule is computed', "const exceptions = [{ rule, at: 'openapi#/info', reason: '' }];"],
  ['one beside a syntax error', `export default { lint: { exceptions: [${literal}] } ];`],
])('changes nothing for %s', (_, text) => {
  expect(removeExceptions('countersign.config.ts', text, [exception])).toBeUndefined();
});
