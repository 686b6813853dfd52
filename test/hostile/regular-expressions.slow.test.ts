import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { recheckModule } from '../../generator/patterns/recheck.ts';

const root = join(import.meta.dirname, '../..');
const load = createRequire(import.meta.url);
const { checkSync: check } = load(recheckModule) as {
  readonly checkSync: (
    source: string,
    flags: string,
    limits: object,
  ) => { readonly status: string };
};

/** Expressions that can take more than linear time, or that the automaton does not decide, and why they are used. */
const exceptions: Readonly<Record<string, string>> = {
  '/\\/+$/': 'the base URL of a client: an option',
  '/^\\/+|\\/+$/gu': 'the path of a NestJS module: an option',
  '/=+$/u': 'a digest in Base64, which the simulator computes',
  '/c2ltdWxhdGVkLXRva2Vu[\\w+/-]{20,}={0,2}/u':
    'undecided; it matches wherever 20 characters follow its start',
  '/^\\.(?:body|payload)(?![\\w-])(.*)$/su': 'undecided; an anchored expression of one path',
  '/^(?=.*\\d)[\\w-]{8,}$/u': 'undecided; anchored, each part is read once',
  '/^\\s*(?:begin|start\\s+transaction|commit|end|abort|prepare\\s+transaction|rollback(?!\\s+(?:work\\s+|transaction\\s+)?to\\b))\\b/i':
    'undecided; the SQL of a handler, anchored',
  '/^ +at (?!(?:.*\\()?(?:async )?(?:node|ext|bun|native):)(.+:\\d+\\)?)$/m':
    'undecided; 4096 characters of a stack',
};

/** Returns the regular expressions in the source of a file. */
function expressionsOf(path: string): readonly string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const expressions: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) expressions.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return expressions;
}

/** Returns whether an automaton proves that the expression searches any text in linear time. */
function isLinear(expression: string): boolean {
  const end = expression.lastIndexOf('/');
  const limits = { checker: 'automaton', timeout: null };
  return check(expression.slice(1, end), expression.slice(end + 1), limits).status === 'safe';
}

// What reads requests, or documents from the network. The other companions read the contract, as the core does.
const files = globSync(
  ['packages/{console,diff,inbox,pull,simulator}/src/**/*.ts', 'packages/runtime/[!d]*/**/*.ts'],
  { cwd: root },
);
const used = new Set(files.flatMap((file) => expressionsOf(join(root, file))));

test('every regular expression of the runtimes takes linear time', { timeout: 120_000 }, () => {
  expect(used.size).toBeGreaterThan(100);
  const proven = [...used].filter((expression) => !Object.hasOwn(exceptions, expression));
  expect(proven.filter((expression) => !isLinear(expression))).toEqual([]);
});

test('each exception is used', () => {
  expect(Object.keys(exceptions).filter((expression) => !used.has(expression))).toEqual([]);
});
