import type { Documents } from '../documents/documents.ts';
import type { Cursor } from '../json/cursor.ts';
import { normalizePattern } from '../patterns/normalize-pattern.ts';
import {
  checkSimplePattern,
  isSimple,
  maxSearchedLength,
  type PatternCheck,
} from '../patterns/pattern-check.ts';
import type { VerdictStore } from '../patterns/safe-pattern.ts';
import { maxLengthOf } from '../schema/normalize-keyword.ts';
import type { Finding, Rule } from './rule.ts';
import { workflowPatterns } from './workflow-patterns.ts';
import { optional } from '../json/json.ts';
import { quote } from '../diagnostics/quote.ts';
import { conditionsAt } from './expressions.ts';
import { type Place, hasAny, walk } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';

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

/**
 * Returns the check of a contract's patterns. The same documents have the same check, which judges each pattern once.
 * Most contracts have only simple patterns, which need no analysis.
 */
export async function loadPatternCheck(
  documents: Documents,
  verdicts?: VerdictStore,
): Promise<PatternCheck> {
  const known = checks.get(documents);
  if (known !== undefined) return known;
  const written: readonly Pick<WrittenPattern, 'pattern' | 'isCondition'>[] = [
    ...writtenPatterns(documents),
    ...(await workflowPatterns(documents)),
  ];
  const isAllSimple = written.every(({ pattern }) =>
    isSimple(normalizePattern(pattern).pattern ?? '^'),
  );
  const isAnyDeciding = written.some(({ isCondition }) => isCondition === true);
  const safe = isAllSimple
    ? checkSimplePattern
    : (await import('../patterns/safe-pattern.ts')).createPatternCheck(verdicts);
  const check: PatternCheck = isAnyDeciding
    ? Object.assign((pattern: string, maxLength?: number) => safe(pattern, maxLength), {
        proofs: (await import('../samples/pattern-proofs.ts')).createPatternProofs(),
      })
    : safe;
  checks.set(documents, check);
  return check;
}

const checks = new WeakMap<Documents, PatternCheck>();

/** A regular expression of a contract, and its place. */
export interface WrittenPattern {
  readonly pattern: string;
  readonly at: Cursor;
  /** The `maxLength` beside a `pattern`. */
  readonly maxLength?: number | undefined;
  /** Set for a pattern that decides what a delivery is. */
  readonly isCondition?: true;
}

/** Yields every `pattern` and every key of `patternProperties`, including those in conditions. */
export function* writtenPatterns(documents: Documents): Iterable<WrittenPattern> {
  for (const place of placesOf(documents)) {
    if (place.kind === 'schema') yield* patternsOf(place);
    for (const { schema } of conditionsAt(place)) {
      for (const inner of walk(schema, 'schema'))
        for (const found of patternsOf(inner)) yield { ...found, isCondition: true };
    }
  }
}

function patternsOf(schema: Place): readonly WrittenPattern[] {
  if (!hasAny(schema.value, ['pattern', 'patternProperties'])) return [];
  const at = schema.child('pattern');
  const own = at.text();
  return [
    ...(own === undefined ? [] : [{ pattern: own, at, maxLength: maxLengthOf(schema) }]),
    ...schema.entries('patternProperties').map(([pattern, property]) => ({
      pattern,
      at: property,
    })),
  ];
}
