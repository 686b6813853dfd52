import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../load/documents.ts';
import { child, entries, text, type Cursor } from '../cursor.ts';
import { diagnose, quote, type Rule } from './rule.ts';
import { conditionsAt } from './expressions.ts';
import { createTimeLimit, TimeLimitError } from './time-limit.ts';
import { placesOf, walk, type Place } from '../walk.ts';

/** A pattern is a regular expression of ECMA-262, read as Ajv reads it: with the `u` flag. */
export const patterns: Rule = {
  name: 'patterns',
  codes: ['invalid-pattern'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const { pattern, at } of writtenPatterns(documents)) {
      const problem = problemOf(pattern);
      if (problem === undefined) continue;
      yield diagnose(
        documents,
        'invalid-pattern',
        at.pointer,
        `The pattern ${quote(pattern)} is no regular expression of ECMA-262: ${problem}.`,
      );
    }
  },
};

/** No pattern tries exponentially many ways to match a text: whoever sends the text could stop the receiver with it. */
export const slowPatterns: Rule = {
  name: 'slow-patterns',
  codes: ['slow-pattern'],
  async check({ documents }): Promise<Iterable<Diagnostic>> {
    // What backtracks exponentially repeats a group; without one there is nothing to analyse.
    const suspects = [...writtenPatterns(documents)].filter(
      ({ pattern }) => /\)[*+{]/.test(pattern) && problemOf(pattern) === undefined,
    );
    if (suspects.length === 0) return [];
    const judge = await createJudge();
    return suspects.flatMap(({ pattern, at }) => {
      const problem = judge(pattern);
      if (problem === undefined) return [];
      return diagnose(
        documents,
        'slow-pattern',
        at.pointer,
        `The pattern ${quote(pattern)} ${problem}.`,
      );
    });
  },
};

/** Says what is wrong with a pattern; analysing a hostile one can take as long as matching it. */
async function createJudge(): Promise<(pattern: string) => string | undefined> {
  const { analyse } = await import('scslre');
  const limit = createTimeLimit();
  const isSlow = (pattern: string): boolean =>
    analyse(new RegExp(pattern, 'u'), { reportTypes: { Move: false } }).reports.some(
      ({ exponential }) => exponential,
    );
  const toProblem = (pattern: string): string | undefined => {
    try {
      const slow = limit.run(() => isSlow(pattern));
      return slow ? 'takes exponentially longer the longer a text is' : undefined;
    } catch (error) {
      if (error instanceof TimeLimitError || error instanceof RangeError) {
        return 'is too intricate to be judged';
      }
      // Syntax that the analysis does not know yet is left to the engine, which knows it.
      return undefined;
    }
  };
  const answers = new Map<string, string | undefined>();
  return (pattern) => {
    if (!answers.has(pattern)) answers.set(pattern, toProblem(pattern));
    return answers.get(pattern);
  };
}

/** A regular expression of a contract, and where it stands. */
export interface WrittenPattern {
  readonly pattern: string;
  readonly at: Cursor;
}

/** Every `pattern` and every key of `patternProperties`, those of conditions included. */
export function* writtenPatterns(documents: Documents): Iterable<WrittenPattern> {
  for (const place of placesOf(documents)) {
    if (place.kind === 'schema') yield* patternsOf(place);
    for (const { schema } of conditionsAt(place)) {
      for (const inner of walk(schema, 'schema')) yield* patternsOf(inner);
    }
  }
}

function patternsOf(schema: Place): readonly WrittenPattern[] {
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

function problemOf(pattern: string): string | undefined {
  try {
    return void new RegExp(pattern, 'u');
  } catch (error) {
    // The message repeats the pattern, which may hold anything; what is wrong stands behind the last colon.
    return error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : '';
  }
}
