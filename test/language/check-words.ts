import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNames } from './names.ts';
import { findPhrases } from './phrases.ts';

/**
 * Part of `npm run lint`: reports phrases of an older style in comments, messages, templates and pages, and names
 * that are only a participle or a pronoun. Exits with 1 where a room has more of them than `remaining.json` allows. `--write` lowers that list to what is left.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const remainingPath = fileURLToPath(new URL('remaining.json', import.meta.url));
const remaining = JSON.parse(readFileSync(remainingPath, 'utf8')) as Readonly<
  Record<string, number>
>;

const sources = ['generator', 'packages', 'templates', 'bench', 'test'];
const listed = execFileSync('git', ['ls-files', ...sources, '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
const paths = listed
  .split('\n')
  .filter((path) => /\.(?:ts|md|hbs)$/u.test(path))
  // What `generate` writes comes from templates and the contract; golden cases have contracts of their own, and `language` the phrases.
  .filter((path) => !/^generated\/|^test\/(?:golden|scaffold|hosts|language)\//u.test(path));

const findings = paths.flatMap((path) => {
  const text = readFileSync(root + path, 'utf8');
  const hasNames = path.endsWith('.ts') && !path.startsWith('test/');
  const ofFile = [...findPhrases(path, text), ...(hasNames ? findNames(text) : [])];
  return ofFile.map((finding) => ({ path, ...finding }));
});
const rooms = Map.groupBy(findings, ({ path }) => path.split('/').slice(0, 2).join('/'));
let hasExcess = false;
for (const [room, phrases] of rooms) {
  if (phrases.length <= (remaining[room] ?? 0)) continue;
  hasExcess = true;
  for (const { path, line, phrase, instead } of phrases)
    console.error(`${path}:${line} "${phrase}": write ${instead}`);
}
process.exitCode = hasExcess ? 1 : 0;

if (process.argv.includes('--write')) {
  const left = Object.keys(remaining).flatMap((room) => {
    const count = Math.min(rooms.get(room)?.length ?? 0, remaining[room] ?? 0);
    return count === 0 ? [] : [[room, count] as const];
  });
  writeFileSync(remainingPath, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`);
}
