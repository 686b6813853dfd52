import { hash } from 'node:crypto';
import type { Json } from '../json/json.ts';
import type { ValidatorCompiler } from '../validators/validator-compiler.ts';
import {
  type ValidatorPlan,
  type ValidatorUnit,
  planValidators,
  referencesOf,
} from '../validators/validator-units.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonSchema } from '../schema/model.ts';
import { UnitJudge } from '../validators/unit-judge.ts';
import { toValidatorSchema } from '../validators/validator-schema.ts';
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
  const judge = new UnitJudge(plan, compiler);
  try {
    return await use(async (schema, value) =>
      toViolations(await judge.check(unitOf(schema, plan), value)),
    );
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
  return { name: functionName, functionName, schema: reduced, references };
}
