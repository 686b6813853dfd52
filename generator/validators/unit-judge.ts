import type { Json } from '../json/json.ts';
import { Judge, JudgeError } from './judge.ts';
import type { SchemaError } from './schema-error.ts';
import type { ValidatorCompiler } from './validator-compiler.ts';
import { type ValidatorPlan, type ValidatorUnit, reachableUnits } from './validator-units.ts';

/** Validates values with the functions of units, and compiles a unit when it is first needed. */
export class UnitJudge {
  readonly #plan: ValidatorPlan;
  readonly #compiler: ValidatorCompiler;
  readonly #judge = new Judge();
  readonly #defined = new Map<string, Promise<void>>();

  constructor(plan: ValidatorPlan, compiler: ValidatorCompiler) {
    this.#plan = plan;
    this.#compiler = compiler;
  }

  /**
   * Validates a value and returns the errors.
   * @param unit belongs to the plan or refers to its units
   * @throws JudgeError if the value or the schema cannot be checked
   */
  async check(unit: ValidatorUnit, value: Json): Promise<readonly SchemaError[]> {
    const { functionName } = unit;
    const whenDefined = this.#defined.get(functionName) ?? this.#define(unit);
    this.#defined.set(functionName, whenDefined);
    await whenDefined;
    return await this.#judge.check(functionName, value);
  }

  close(): void {
    this.#judge.close();
  }

  async #define(unit: ValidatorUnit): Promise<void> {
    const units = reachableUnits(this.#plan, [unit]);
    const functions = Array.from(
      this.#compiler.compile(this.#plan, units),
      async ([{ functionName }, compiling]) => {
        const result = await compiling;
        if ('code' in result) return [functionName, result.code] as const;
        throw new JudgeError(result.isTooDeep ? 'too-deep' : 'not-compiled', result.failure);
      },
    );
    this.#judge.define(await Promise.all(functions));
  }
}
