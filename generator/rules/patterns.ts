import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { type Cursor, child, entries, text } from '../json/cursor.ts';
import { mendPattern } from '../schema/mend-pattern.ts';
import type { Rule } from './rule.ts';
import { diagnoseMended } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Pump, createPumpSearch } from './ambiguous-pattern.ts';
import { conditionsAt } from './expressions.ts';
import { TimeLimitError, createTimeLimit } from '../execution/time-limit.ts';
import { type Place, hasAny, walk } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';
import { memoize } from '../execution/memoize.ts';

/** Checks that each pattern is a regular expression of ECMA-262 with the `u` flag, which Ajv uses. */
export const patterns: Rule = {
  name: 'patterns',
  codes: ['invalid-pattern'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const { pattern, at } of writtenPatterns(documents)) {
      const { pattern: mended, problem } = mendPattern(pattern);
      if (problem === undefined) continue;
      yield diagnoseMended(
        documents,
        'invalid-pattern',
        at.pointer,
        `The pattern ${quote(pattern)} ${problem}.`,
        mended === undefined ? 'it is not checked' : `it is read as ${quote(mended)}`,
      );
    }
  },
};

/** Checks that no pattern takes exponential time: the sender of a text could block the receiver with it. */
export const slowPatterns: Rule = {
  name: 'slow-patterns',
  codes: ['slow-pattern'],
  async check({ documents }): Promise<Iterable<Diagnostic>> {
    const slow = await findSlowPatterns(documents);
    if (slow.size === 0) return [];
    return Array.from(writtenPatterns(documents)).flatMap(({ pattern, at }) => {
      const problem = slow.get(mendPattern(pattern).pattern ?? '');
      if (problem === undefined) return [];
      const message = `The pattern ${quote(pattern)} ${problem}.`;
      return diagnoseMended(documents, 'slow-pattern', at.pointer, message, 'it is not checked');
    });
  },
};

/**
 * Returns the normalized patterns that generated code must not match, each with the reason. Computed once for each pair
 * of documents.
 */
export const findSlowPatterns: (documents: Documents) => Promise<ReadonlyMap<string, string>> =
  memoize(judgeWrittenPatterns);

async function judgeWrittenPatterns(documents: Documents): Promise<ReadonlyMap<string, string>> {
  // Only a repeated group can backtrack exponentially.
  const suspects = Array.from(writtenPatterns(documents)).flatMap(({ pattern }) => {
    const { pattern: mended = '' } = mendPattern(pattern);
    return /\)[*+{]/.test(mended) ? [mended] : [];
  });
  if (suspects.length === 0) return new Map();
  const judge = await createJudge();
  return new Map(
    Array.from(new Set(suspects)).flatMap((pattern) => {
      const problem = judge(pattern);
      return problem === undefined ? [] : [[pattern, problem] as const];
    }),
  );
}

/**
 * Creates a function that returns what is wrong with a pattern, if anything. Its time is limited, because the analysis
 * of a hostile pattern can take as long as matching it.
 */
async function createJudge(): Promise<(pattern: string) => string | undefined> {
  const { analyse } = await import('scslre');
  const limit = createTimeLimit();
  const isSlow = (pattern: string): boolean =>
    analyse(new RegExp(pattern, 'u'), { reportTypes: { Move: false } }).reports.some(
      ({ exponential }) => exponential,
    );
  const isPumped = await createTrial();
  const toProblem = (pattern: string): string | undefined => {
    try {
      const slow = limit.run(() => isSlow(pattern)) || isPumped(pattern);
      return slow ? 'takes exponential time' : undefined;
    } catch (error) {
      if (error instanceof TimeLimitError || error instanceof RangeError) {
        return 'is too complex to be analyzed';
      }
      // The analysis does not support this syntax, which the regular expression engine does.
      return undefined;
    }
  };
  return toProblem;
}

/**
 * Creates a function that returns whether a pattern exceeds the time limit on a text that it can match in exponentially
 * many ways.
 */
async function createTrial(): Promise<(pattern: string) => boolean> {
  const findPump = await createPumpSearch();
  const limit = createTimeLimit();
  return (pattern) => {
    let pump: Pump | undefined;
    try {
      pump = limit.run(() => findPump(pattern));
    } catch {
      // The pattern has no automaton, or the search exceeds the time limit: nothing is proven.
      return false;
    }
    if (pump === undefined) return false;
    const expression = new RegExp(pattern, 'u');
    const text = pump.prefix + pump.round.repeat(40);
    return ['', '!', '\n', '\0'].some((end) => {
      try {
        limit.run(() => expression.test(text + end));
        return false;
      } catch (error) {
        if (error instanceof TimeLimitError) return true;
        throw error;
      }
    });
  };
}

/** A regular expression of a contract, and its place. */
export interface WrittenPattern {
  readonly pattern: string;
  readonly at: Cursor;
}

/** Yields every `pattern` and every key of `patternProperties`, including those in conditions. */
export function* writtenPatterns(documents: Documents): Iterable<WrittenPattern> {
  for (const place of placesOf(documents)) {
    if (place.kind === 'schema') yield* patternsOf(place);
    for (const { schema } of conditionsAt(place)) {
      for (const inner of walk(schema, 'schema')) yield* patternsOf(inner);
    }
  }
}

function patternsOf(schema: Place): readonly WrittenPattern[] {
  if (!hasAny(schema.value, ['pattern', 'patternProperties'])) return [];
  const at = child(schema, 'pattern');
  const own = text(at);
  return [
    ...(own === undefined ? [] : [{ pattern: own, at }]),
    ...entries(child(schema, 'patternProperties')).map(([pattern, property]) => ({
      pattern,
      at: property,
    })),
  ];
}
