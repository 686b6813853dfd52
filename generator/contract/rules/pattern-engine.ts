import type { RegExpEngine } from 'ajv/dist/types/index.js';
import { createTimeLimit, TimeLimitError, type TimeLimit } from '../../time-limit.ts';

/** A pattern takes longer on one value than is bearable. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError';
  readonly pattern: string;

  constructor(pattern: string, cause?: unknown) {
    super('The pattern takes too long.', { cause });
    this.pattern = pattern;
  }
}

/**
 * Regular expressions that give up: a contract may hold patterns that backtrack for ever.
 * `test` throws a SlowPatternError then, and for the same expression ever after.
 */
export function createPatternEngine(): RegExpEngine {
  const limit = createTimeLimit();
  const engine = (pattern: string, flags: string): { test(text: string): boolean } => {
    const expression = new RegExp(pattern, flags);
    // Without a quantifier nothing backtracks, and a limited test costs a hundred times a plain one.
    return /[*+?{]/.test(pattern) ? limited(expression, limit) : expression;
  };
  // Only standalone code, which is not made here, prints this.
  return Object.assign(engine, { code: 'new RegExp' });
}

function limited(
  expression: RegExp,
  limit: TimeLimit,
): { test(text: string): boolean; toString(): string } {
  let slow = false;
  return {
    // Ajv takes two expressions for one where their texts are the same.
    toString: () => String(expression),
    test(text) {
      if (slow) throw new SlowPatternError(expression.source);
      try {
        return limit.run(() => expression.test(text));
      } catch (cause) {
        if (!(cause instanceof TimeLimitError)) throw cause;
        slow = true;
        throw new SlowPatternError(expression.source, cause);
      }
    },
  };
}
