import { createContext, Script } from 'node:vm';
import { SimulatorError } from '../sending/simulator-error.ts';

/** Milliseconds that one evaluation may take. */
const maxEvaluationMs = 1000;

/** Milliseconds that all evaluations together may take before each may take only `minEvaluationMs`. */
const maxTotalMs = 5000;

/** Milliseconds that an evaluation may take after `maxTotalMs`. */
const minEvaluationMs = 20;

/**
 * Evaluates patterns and JSONPaths of a contract on values of a caller. Both can take a time that grows exponentially
 * with the value, during which the process would answer no call. An expression that exceeded the limit once is not
 * evaluated again.
 */
export class TimeLimit {
  readonly #context = createContext({});
  readonly #slow = new Set<string>();
  #leftMs = maxTotalMs;

  /**
   * Returns the result of a synchronous evaluation.
   * @param expression the expression as the contract states it
   * @throws SimulatorError `unsupported-workflow` where it takes too long
   */
  run<T>(expression: string, evaluate: () => T): T {
    if (this.#slow.has(expression)) throw tooSlow(expression);
    const holder: { result?: T } = {};
    this.#context['evaluate'] = (): void => {
      holder.result = evaluate();
    };
    const start = performance.now();
    const timeout = Math.max(minEvaluationMs, Math.min(maxEvaluationMs, Math.floor(this.#leftMs)));
    try {
      script.runInContext(this.#context, { timeout });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      this.#slow.add(expression);
      throw tooSlow(expression);
    } finally {
      this.#leftMs -= performance.now() - start;
      delete this.#context['evaluate'];
    }
    return holder.result as T;
  }
}

const script = new Script('evaluate()');

function tooSlow(expression: string): SimulatorError {
  return new SimulatorError(
    'unsupported-workflow',
    `The evaluation of "${expression}" took too long and was stopped. Use a pattern or JSONPath that takes linear time.`,
  );
}

/** Returns whether an error is Node's timeout. It belongs to another realm, so that `instanceof Error` does not apply. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
