import { normalizePattern } from '../../../patterns/normalize-pattern.ts';
import { TimeLimit } from '../../../execution/time-limit.ts';
import { writtenPatterns } from '../../../contract/written-patterns.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { LintRule } from '../rule.ts';

/**
 * Reports patterns that no text matches. Reports only proven cases and skips undecidable ones, such as look-aheads of
 * unbounded length.
 */
export const unmatchablePatterns: LintRule = {
  codes: ['unmatchable-pattern'],
  async check({ documents }) {
    // Generation reports patterns that it has to normalize; skip these here.
    const patterns = [...writtenPatterns(documents)].filter(
      ({ pattern }) => normalizePattern(pattern).problem === undefined,
    );
    // A pattern without assertions and without classes that can be empty always matches at least one text.
    const suspects = patterns.filter(({ pattern }) => /[$^]|\\[bB]|\(\?|\[\]|\\[PS]/.test(pattern));
    if (suspects.length === 0) return [];
    const isUnmatchable = await createProof();
    return suspects.flatMap(({ pattern, at }) => {
      if (!isUnmatchable(pattern)) return [];
      const message = `No text matches the pattern ${quote(pattern)}.`;
      return [{ pointer: at.pointer, message }];
    });
  },
};

/**
 * Creates a function that returns whether a pattern is proven to match no text: no alternative is left once its
 * assertions are applied. A hostile pattern is limited by a time limit.
 */
async function createProof(): Promise<(pattern: string) => boolean> {
  const { combineTransformers, JS, transform, Transformers } = await import('refa');
  const apply = combineTransformers([
    Transformers.inline(),
    Transformers.removeDeadBranches(),
    Transformers.applyAssertions(),
    Transformers.removeUnnecessaryAssertions(),
  ]);
  const limit = new TimeLimit();
  return (pattern) => {
    try {
      return limit.run(() => {
        const literal = JS.Parser.fromLiteral({ source: pattern, flags: 'u' });
        return transform(apply, literal.parse().expression).alternatives.length === 0;
      });
    } catch {
      // The pattern is invalid, which another code reports, or too complex to decide in time.
      return false;
    }
  };
}
