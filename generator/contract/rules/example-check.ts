import { createHash } from 'node:crypto';
import type { Json } from '../../json.ts';
import { createJudge, JudgeError, type Judge } from '../../schema/judge.ts';
import type { ValidatorCode } from '../../schema/validator-code.ts';
import type { ValidatorCompiler } from '../../schema/validator-compiler.ts';
import {
  planValidators,
  reachableUnits,
  referencesOf,
  toObjectSchema,
  type ValidatorPlan,
  type ValidatorUnit,
} from '../../schema/validator-units.ts';
import type { Contract, JsonSchema } from '../contract.ts';
import { toValidatorSchema } from '../json-schema.ts';
import { toViolations, type Violation } from './violations.ts';

/**
 * Validates a value by the code that is generated for a schema of the contract. Checks that are asked for together are
 * compiled together.
 * @throws JudgeError for a value or a schema that cannot be judged
 */
export type ExampleCheck = (schema: JsonSchema, value: Json) => Promise<readonly Violation[]>;

/** Creates the check for a contract and hands it to `use`; only what is checked is compiled. */
export async function withExampleCheck<T>(
  contract: Contract,
  compiler: ValidatorCompiler,
  use: (check: ExampleCheck) => Promise<T>,
): Promise<T> {
  const judge = createJudge();
  try {
    const definer = new Definer(planValidators(contract), compiler, judge);
    return await use(async (schema, value) => {
      const { functionName } = await definer.define(schema);
      return toViolations(await judge.check(functionName, value));
    });
  } finally {
    judge.close();
  }
}

/** Compiles the schemas of checks and makes their functions known to the judge. */
class Definer {
  readonly #plan: ValidatorPlan;
  readonly #compiler: ValidatorCompiler;
  readonly #judge: Judge;
  readonly #units = new Map<string, Promise<ValidatorUnit>>();
  #batch: Batch | undefined;

  constructor(plan: ValidatorPlan, compiler: ValidatorCompiler, judge: Judge) {
    this.#plan = plan;
    this.#compiler = compiler;
    this.#judge = judge;
  }

  define(schema: JsonSchema): Promise<ValidatorUnit> {
    const unit = this.#unitOf(schema);
    const known = this.#units.get(unit.functionName);
    if (known !== undefined) return known;
    const defined = this.#compile(unit);
    this.#units.set(unit.functionName, defined);
    return defined;
  }

  /** A reference is the unit of its schema; any other schema becomes a unit of its own. */
  #unitOf(schema: JsonSchema): ValidatorUnit {
    const reduced = toObjectSchema(toValidatorSchema(schema));
    const { $ref: name } = reduced;
    const named = typeof name === 'string' ? this.#plan.units.get(name) : undefined;
    if (named !== undefined && Object.keys(reduced).length === 1) return named;
    const digest = createHash('sha256').update(JSON.stringify(reduced)).digest('hex');
    const functionName = `example${digest.slice(0, 32)}`;
    return {
      name: functionName,
      functionName,
      fileName: '',
      schema: reduced,
      references: referencesOf(reduced),
    };
  }

  async #compile(unit: ValidatorUnit): Promise<ValidatorUnit> {
    this.#batch ??= this.#startBatch();
    this.#batch.units.add(unit);
    const failures = await this.#batch.done;
    for (const needed of reachableUnits(this.#plan, [unit])) {
      const failure = failures.get(needed);
      if (failure !== undefined) throw failure;
    }
    return unit;
  }

  #startBatch(): Batch {
    const units = new Set<ValidatorUnit>();
    const finish = async (): Promise<Failures> => {
      // Everything that is asked for before anything is awaited belongs to the batch.
      await Promise.resolve();
      this.#batch = undefined;
      const functions = new Map<string, ValidatorCode>();
      const failures = new Map<ValidatorUnit, JudgeError>();
      const needed = reachableUnits(this.#plan, units);
      for (const [compiled, result] of await this.#compiler.compile(this.#plan, needed)) {
        if ('code' in result) functions.set(compiled.functionName, result.code);
        else {
          const code = result.isTooDeep ? 'too-deep' : 'not-compiled';
          failures.set(compiled, new JudgeError(code, result.failure));
        }
      }
      this.#judge.define(functions);
      return failures;
    };
    return { units, done: finish() };
  }
}

type Failures = ReadonlyMap<ValidatorUnit, JudgeError>;

/** Units that are compiled together. */
interface Batch {
  readonly units: Set<ValidatorUnit>;
  readonly done: Promise<Failures>;
}
