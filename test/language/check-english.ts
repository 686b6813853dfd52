import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findMistakes } from './mistakes.ts';

/**
 * Part of `npm run lint`: reports spellings and mistakes of English in comments, messages, templates and pages. Exits
 * with 1 if there are any.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));

const listed = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'generator',
    'packages',
    'templates',
    'bench',
    'examples',
    'test',
    '*.md',
  ],
  { cwd: root, encoding: 'utf8' },
);
const paths = listed
  .split('\n')
  .filter((path) => /\.(?:tsx?|md|hbs)$/u.test(path))
  // `generate` writes the texts of templates and of the contract, golden cases have contracts of their own, and
  // `language` has the mistakes.
  .filter((path) => !/^(?:generated|test\/(?:golden|scaffold|hosts|language))\//u.test(path));

for (const path of paths)
  for (const { line, words, instead } of findMistakes(path, readFileSync(root + path, 'utf8'))) {
    console.error(`${path}:${line} "${words}": write ${instead}`);
    process.exitCode = 1;
  }
