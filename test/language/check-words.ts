import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNames } from './names.ts';
import { findPhrases } from './phrases.ts';

/**
 * Part of `npm run lint`: reports phrases of an older style in comments, messages, templates and pages, and names
 * that are only a participle or a pronoun. Exits with 1 if there are any.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));

const sources = ['generator', 'packages', 'templates', 'bench', 'examples', 'test', 'generated'];
const listed = execFileSync('git', ['ls-files', ...sources, '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
const paths = listed
  .split('\n')
  .filter((path) => /\.(?:tsx?|md|hbs)$/u.test(path))
  // Golden cases have contracts of their own, and `language` the phrases.
  .filter((path) => !/^test\/(?:golden|scaffold|hosts|language)\//u.test(path));

for (const path of paths) {
  const text = readFileSync(root + path, 'utf8');
  const hasNames = /\.tsx?$/u.test(path);
  // The phrases of what `generate` writes are those of templates, and of the contract.
  const phrases = path.startsWith('generated/') ? [] : findPhrases(path, text);
  const findings = [...phrases, ...(hasNames ? findNames(text, path) : [])];
  for (const { line, phrase, instead } of findings) {
    console.error(`${path}:${line} "${phrase}": write ${instead}`);
    process.exitCode = 1;
  }
}
