import { mendPattern } from '../../../schema/mend-pattern.ts';
import { createTimeLimit } from '../../../execution/time-limit.ts';
import { writtenPatterns } from '../../../rules/patterns.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type LintRule, find } from '../rule.ts';

/**
 * At least one text matches each pattern. Told only where it is proven that none does: what cannot be decided, as with
 * look-aheads of any length, is passed over.
 */
export const unmatchablePatterns: LintRule = {
  name: 'unmatchable-patterns',
  codes: ['unmatchable-pattern'],
  async check({ documents }): Promise<Iterable<Diagnostic>> {
    // What generation reads otherwise than it is written has been told of.
    const written = [...writtenPatterns(documents)].filter(
      ({ pattern }) => mendPattern(pattern).problem === undefined,
    );
    // Without an assertion and an empty class, something always matches.
    const suspects = written.filter(({ pattern }) => /[$^]|\\[bB]|\(\?|\[\]|\\[PS]/.test(pattern));
    if (suspects.length === 0) return [];
    const isUnmatchable = await createProof();
    return suspects.flatMap(({ pattern, at }) => {
      if (!isUnmatchable(pattern)) return [];
      const message = `No text matches the pattern ${quote(pattern)}.`;
      return [find(documents, 'unmatchable-pattern', at.pointer, message)];
    });
  },
};

/** Tells patterns of which nothing is left once their assertions are applied; a hostile one may take long. */
async function createProof(): Promise<(pattern: string) => boolean> {
  const { combineTransformers, JS, transform, Transformers } = await import('refa');
  const apply = combineTransformers([
    Transformers.inline(),
    Transformers.removeDeadBranches(),
    Transformers.applyAssertions(),
    Transformers.removeUnnecessaryAssertions(),
  ]);
  const limit = createTimeLimit();
  return (pattern) => {
    try {
      return limit.run(() => {
        const literal = JS.Parser.fromLiteral({ source: pattern, flags: 'u' });
        return transform(apply, literal.parse().expression).alternatives.length === 0;
      });
    } catch {
      // Not a regular expression, which has a code of its own, or too intricate to be decided.
      return false;
    }
  };
}
