import { expect, test } from 'vitest';
import { closeOver } from '../../../generator/emit/runtime/closure.ts';
import { openRuntimeSources } from '../../../generator/targets/package/runtime-sources.ts';
import { runtimeEntries } from '../../../generator/targets/package/runtime-package.ts';

const texts: Readonly<Record<string, string>> = {
  'client/index.ts': [
    "import { one } from './one.ts';",
    'import {',
    '  type Two,',
    '  two,',
    "} from '../base/two.ts';",
    "export * from './three.ts';",
    "export { type Four } from './four.ts';",
    "const later = await import('./later.ts');",
    "// import { no } from './comment.ts';",
    "export const text = './text.ts';",
  ].join('\n'),
  'client/one.ts': "import { readFileSync } from 'node:fs';\nimport './index.ts';\n",
  'base/two.ts': "import type { Pool } from 'pg';\n",
  'client/three.ts':
    "export const start = () => new Worker(new URL(`./thread.${'ts'}`, import.meta.url));\n",
  'client/four.ts': 'export type Four = 4;\n',
  'client/later.ts': '',
  'client/thread.ts': "import { hono } from 'hono/tiny';\n",
  'webhooks/index.ts': '',
};

const sources = {
  entries: new Map([
    ['client', 'client/index.ts'],
    ['webhooks', 'webhooks/index.ts'],
  ]),
  read(path: string): string {
    const text = texts[path];
    if (text === undefined) throw new Error(`read ${path}`);
    return text;
  },
};

test('a part consists of all that its module refers to, and of nothing else', () => {
  const { modules, imports } = closeOver(['client'], sources);
  expect([...modules.keys()]).toEqual([
    'base/two.ts',
    'client/four.ts',
    'client/index.ts',
    'client/later.ts',
    'client/one.ts',
    'client/thread.ts',
    'client/three.ts',
  ]);
  expect(imports).toEqual(new Set(['node:fs', 'pg', 'hono/tiny']));
});

test('an unknown part is an error', () => {
  expect(() => closeOver(['server'], sources)).toThrow('the runtime has no part "server"');
});

test('the parts that templates and options can name are those of the runtime', () => {
  const { entries } = openRuntimeSources();
  expect([...entries.keys()]).toEqual(runtimeEntries);
});

test('no part needs another file, or a package that it does not state', () => {
  const opened = openRuntimeSources();
  const { modules, imports } = closeOver(opened.entries.keys(), opened);
  expect(modules.size).toBeGreaterThan(opened.entries.size);
  const packages = Array.from(imports, (name) => name.split('/', name.startsWith('@') ? 2 : 1));
  const unstated = packages
    .map((words) => words.join('/'))
    .filter((name) => !name.startsWith('node:') && !opened.ranges.has(name));
  expect(unstated).toEqual([]);
});
