import type { Documents } from '../documents/documents.ts';
import { workflowPatterns } from '../documents/workflow-patterns.ts';
import { normalizePattern } from '../patterns/normalize-pattern.ts';
import { checkSimplePattern, isSimple, type PatternCheck } from '../patterns/pattern-check.ts';
import type { VerdictStore } from '../patterns/safe-pattern.ts';
import { type WrittenPattern, writtenPatterns } from './written-patterns.ts';

/**
 * Returns the check of a contract's patterns. The same documents have the same check, which judges each pattern once.
 * Most contracts have only simple patterns, which need no analysis.
 */
export async function loadPatternCheck(
  documents: Documents,
  verdicts?: VerdictStore,
): Promise<PatternCheck> {
  const cachedCheck = checks.get(documents);
  if (cachedCheck !== undefined) return cachedCheck;
  const patterns: readonly Pick<WrittenPattern, 'pattern' | 'isCondition'>[] = [
    ...writtenPatterns(documents),
    ...(await workflowPatterns(documents)),
  ];
  const isAllSimple = patterns.every(({ pattern }) =>
    isSimple(normalizePattern(pattern).pattern ?? '^'),
  );
  const isAnyDeciding = patterns.some(({ isCondition }) => isCondition === true);
  const safe = isAllSimple
    ? checkSimplePattern
    : (await import('../patterns/safe-pattern.ts')).createPatternCheck(verdicts);
  const check: PatternCheck = isAnyDeciding
    ? Object.assign((pattern: string, maxLength?: number) => safe(pattern, maxLength), {
        proofs: (await import('../patterns/pattern-proofs.ts')).createPatternProofs(),
      })
    : safe;
  checks.set(documents, check);
  return check;
}

const checks = new WeakMap<Documents, PatternCheck>();
