import { hash } from 'node:crypto';
import type { Json } from '../json/json.ts';
import { Judge, JudgeError } from '../schema/judge.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';
import {
  type ValidatorPlan,
  type ValidatorUnit,
  planValidators,
  reachableUnits,
  referencesOf,
} from '../schema/validator-units.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonSchema } from '../schema/model.ts';
import { toValidatorSchema } from '../schema/validator-schema.ts';
import { type Violation, toViolations } from './violations.ts';

/**
 * Validates a value with the code that is generated for a schema of the contract.
 * @throws JudgeError if the value or the schema cannot be checked
 */
export type ExampleCheck = (schema: JsonSchema, value: Json) => Promise<readonly Violation[]>;

/** Creates the check for a contract and passes it to `use`. Compiles only the schemas that the check needs. */
export async function withExampleCheck<T>(
  contract: Contract,
  compiler: ValidatorCompiler,
  use: (check: ExampleCheck) => Promise<T>,
): Promise<T> {
  const plan = planValidators(contract);
  const judge = new Judge();
  const defined = new Map<string, Promise<void>>();
  const define = async (unit: ValidatorUnit): Promise<void> => {
    const compiled = await compiler.compile(plan, reachableUnits(plan, [unit]));
    const functions = Array.from(compiled, ([{ functionName }, result]) => {
      if ('code' in result) return [functionName, result.code] as const;
      throw new JudgeError(result.isTooDeep ? 'too-deep' : 'not-compiled', result.failure);
    });
    judge.define(functions);
  };
  try {
    return await use(async (schema, value) => {
      const unit = unitOf(schema, plan);
      const { functionName } = unit;
      const whenDefined = defined.get(functionName) ?? define(unit);
      defined.set(functionName, whenDefined);
      await whenDefined;
      return toViolations(await judge.check(functionName, value));
    });
  } finally {
    judge.close();
  }
}

/**
 * Returns the validator unit for a schema. A plain reference uses the unit of the schema it names; any other schema
 * gets its own unit.
 */
function unitOf(schema: JsonSchema, { units }: ValidatorPlan): ValidatorUnit {
  const reduced = toValidatorSchema(schema);
  const { $ref: name } = reduced;
  const named = typeof name === 'string' ? units.get(name) : undefined;
  if (named !== undefined && Object.keys(reduced).length === 1) return named;
  const functionName = `example${hash('sha256', JSON.stringify(reduced)).slice(0, 32)}`;
  const references = referencesOf(reduced);
  return { name: functionName, functionName, fileName: '', schema: reduced, references };
}
