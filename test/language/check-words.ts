import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * Part of `npm run lint`: reports phrases of an older style in the comments of the sources, with the words to use
 * instead. Exits with 1 when it finds any.
 */
const phrases: readonly (readonly [source: string, instead: string])[] = [
  ['mend(?:s|ed|ing|able)?', 'repair, recover, normalize'],
  ['whoever|whomever|nobody|somebody', 'the caller, the user, another process: name the actor'],
  ['(?:is|are|was|were) told', 'receives, reports'],
  ['(?:stand|stands|stood) (?:in|at|beside|behind|there|alone)', 'is, is in'],
  ['(?:lie|lies) (?:in|at|beside|below|behind|there)', 'is in, is located'],
  ['for sure|all the same|be it that', 'leave it out'],
  ['in halves', 'incomplete'],
  ['known again', 'cached, recognized'],
  ['(?:goes|go|went) on', 'continues'],
  ['(?:looked|looks|look) (?:at|through)', 'checks, reads, traverses'],
  ['wire forms?|form of the wire', 'wire format, wire variant'],
];
const patterns = phrases.map(
  ([source, instead]) => [new RegExp(`\\b(?:${source})\\b`, 'giu'), instead] as const,
);

const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = execFileSync('git', ['ls-files', 'generator', 'packages', 'templates'], {
  cwd: root,
  encoding: 'utf8',
});
let found = 0;
for (const path of listed.split('\n').filter((one) => one.endsWith('.ts'))) {
  const text = readFileSync(root + path, 'utf8');
  for (const { start, comment } of commentsOf(text)) {
    for (const [pattern, instead] of patterns) {
      for (const { 0: phrase, index } of comment.matchAll(pattern)) {
        const line = text.slice(0, start + index).split('\n').length;
        console.error(`${path}:${line} "${phrase}": write ${instead}`);
        found += 1;
      }
    }
  }
}
process.exitCode = found === 0 ? 0 : 1;

/** Yields the comments of a source; code in backticks within them is left out. */
function* commentsOf(text: string): Iterable<{ readonly start: number; readonly comment: string }> {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const seen = new Set<number>();
  const tokens: ts.Node[] = [file];
  for (let node = tokens.pop(); node !== undefined; node = tokens.pop()) {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const comment = text
        .slice(pos, end)
        .replaceAll(/`[^`\n]*`/gu, (code) => ' '.repeat(code.length));
      yield { start: pos, comment };
    }
    tokens.push(...node.getChildren(file));
  }
}
