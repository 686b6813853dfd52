import type { ValidatorCompiler } from '../validators/validator-compiler.ts';
import type { TargetContext } from './target.ts';

/** What targets of the toolkit receive besides what every target does. */
export interface BuiltInContext extends TargetContext {
  /** Compiles validators and caches them for the run. Without it, a target creates a compiler if it needs one. */
  readonly compiler?: ValidatorCompiler;
}
