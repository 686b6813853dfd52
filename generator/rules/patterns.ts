import { loadPatternCheck } from '../contract/pattern-check.ts';
import { writtenPatterns } from '../contract/written-patterns.ts';
import { quote } from '../diagnostics/quote.ts';
import { workflowPatterns } from '../documents/workflow-patterns.ts';
import { optional } from '../json/json.ts';
import { normalizePattern } from '../patterns/normalize-pattern.ts';
import { checkSimplePattern, maxSearchedLength } from '../patterns/pattern-check.ts';
import type { Finding, Rule } from './rule.ts';

/** Checks that each pattern is a regular expression of ECMA-262 with the `u` flag, which Ajv uses. */
export const patterns: Rule = {
  codes: ['invalid-pattern'],
  *check({ documents }) {
    for (const { pattern, at, isCondition } of writtenPatterns(documents)) {
      const { pattern: normalized, problem } = normalizePattern(pattern);
      if (problem === undefined) continue;
      const message = `The pattern ${quote(pattern)} ${problem}.`;
      // Without its pattern, a condition would be another one.
      const until =
        normalized !== undefined
          ? `it is read as ${quote(normalized)}`
          : isCondition === true
            ? undefined
            : 'it is not checked';
      yield { pointer: at.pointer, message, ...optional('until', until) };
    }
  },
};

/** Checks that no pattern can take a long time: the sender of a text could block the receiver with it. */
export const slowPatterns: Rule = {
  codes: ['slow-pattern'],
  async check({ documents }) {
    const check = await loadPatternCheck(documents);
    if (check === checkSimplePattern) return [];
    const inWorkflows = (await workflowPatterns(documents)).flatMap(
      ({ pattern, at }): Finding[] => {
        const { pattern: normalized } = normalizePattern(pattern);
        if (normalized === undefined) return [];
        const checked = check(normalized);
        // The simulator matches the pattern as it is written, not a faster one for the same texts.
        const verdict = checked.verdict ?? (checked.pattern === normalized ? undefined : 'slow');
        // The simulator stops a pattern that takes long, so that a search is enough.
        if (verdict === undefined || verdict === 'unproven') return [];
        const message = `The pattern ${quote(pattern)} ${problems[verdict]}.`;
        return [{ pointer: at.pointer, message, until: 'the simulator stops it after a second' }];
      },
    );
    const inSchemas = Array.from(writtenPatterns(documents)).flatMap(
      ({ pattern, at, maxLength, isCondition }): Finding[] => {
        const { pattern: normalized } = normalizePattern(pattern);
        if (normalized === undefined) return [];
        const { verdict } = check(normalized, maxLength);
        if (verdict === undefined) return [];
        const message = `The pattern ${quote(pattern)} ${problems[verdict]}.`;
        return isCondition === true
          ? [{ pointer: at.pointer, message, help: helpInCondition }]
          : [{ pointer: at.pointer, message, until: 'it is not checked' }];
      },
    );
    return [...inSchemas, ...inWorkflows];
  },
};

const helpInCondition =
  'Write the pattern so that each character of a text can be matched in one way only, such as `a+` for `(a+)+`, and start it with `^`. A condition reads texts of any length.';

const problems = {
  slow: 'can take a time that grows with the square of the length of a text, or even exponentially',
  undecided: 'is too complex to decide how long it takes',
  unproven: `is not proven to take limited time for texts of more than ${maxSearchedLength} characters`,
} as const;
