import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { replaceSpecifiers } from '../../../generator/emit/folder/specifiers.ts';

const cases: readonly (readonly [string, string])[] = [
  [`import a from './x.ts';`, `import a from '<./x.ts>';`],
  [`import type { A } from "./x.ts";\n`, `import type { A } from "<./x.ts>";\n`],
  [
    `import { a, type B } from '@s/x';import './y.ts'`,
    `import { a, type B } from '<@s/x>';import '<./y.ts>'`,
  ],
  [
    `export * from './x.ts';\nexport { a } from './y.ts';`,
    `export * from '<./x.ts>';\nexport { a } from '<./y.ts>';`,
  ],
  [`type A = import('./x.ts').A;`, `type A = import('<./x.ts>').A;`],
  [
    `const a = async () => await import('./x.ts');`,
    `const a = async () => await import('<./x.ts>');`,
  ],
];

test.for(cases)('%j imports from elsewhere', ([text, expected]) => {
  expect(replaceSpecifiers(ts, text, (specifier) => `<${specifier}>`)).toBe(expected);
});

const untouched: readonly string[] = [
  `// import a from './x.ts';\n/** export * from './x.ts'; import('./x.ts') */\n`,
  `const a = "import b from './x.ts'";`,
  'const a = `import b from \'./x.ts\'; ${1} import("./x.ts")`;',
  `const a = /'; import b from '.\\/x.ts'; import("x") '/u;`,
  `const a = { from: './x.ts', import: './y.ts' };`,
];

test.for(untouched)('%j stays as it is', (text) => {
  expect(replaceSpecifiers(ts, text, (specifier) => `<${specifier}>`)).toBe(text);
});
