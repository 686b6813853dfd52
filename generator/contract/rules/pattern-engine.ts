import { createContext, Script, type Context } from 'node:vm';
import type { RegExpEngine } from 'ajv/dist/types/index.js';

/** A pattern takes longer than a second on one value. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError';
  readonly pattern: string;

  constructor(pattern: string, cause?: unknown) {
    super('The pattern takes more than a second.', { cause });
    this.pattern = pattern;
  }
}

/**
 * Regular expressions that give up after a second: a contract may hold patterns that backtrack for ever.
 * `test` throws a SlowPatternError then, and for the same expression ever after.
 */
export function createPatternEngine(): RegExpEngine {
  const context = createContext({});
  const engine = (pattern: string, flags: string): { test(text: string): boolean } => {
    const expression = new RegExp(pattern, flags);
    // Without a quantifier nothing backtracks, and a bounded test costs a hundred times a plain one.
    return /[*+?{]/.test(pattern) ? bounded(expression, context) : expression;
  };
  // Only standalone code, which is not made here, prints this.
  return Object.assign(engine, { code: 'new RegExp' });
}

const script = new Script('expression.test(text)');

function bounded(expression: RegExp, context: Context): { test(text: string): boolean } {
  let slow = false;
  return {
    test(text) {
      if (slow) throw new SlowPatternError(expression.source);
      Object.assign(context, { expression, text });
      try {
        return script.runInContext(context, { timeout: 1000 }) === true;
      } catch (cause) {
        slow = true;
        throw new SlowPatternError(expression.source, cause);
      }
    },
  };
}
