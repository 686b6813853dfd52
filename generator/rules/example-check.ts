import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../json/json.ts';
import type { ValidatorCompiler } from '../validators/validator-compiler.ts';
import {
  type ValidatorPlan,
  type ValidatorUnit,
  planValidators,
  referencesOf,
} from '../validators/validator-units.ts';
import type { Contract } from '../contract/contract.ts';
import { validatedSchemas } from '../contract/validated-schemas.ts';
import type { JsonSchema, WithSchemas } from '../schema/model.ts';
import { UnitJudge } from '../validators/unit-judge.ts';
import { toValidatorSchema } from '../validators/validator-schema.ts';
import { type Violation, toViolations } from './violations.ts';

/**
 * Validates a value with the code that is generated for a schema of the contract.
 * @throws JudgeError if the value or the schema cannot be checked
 */
export type ExampleCheck = (schema: JsonSchema, value: Json) => Promise<readonly Violation[]>;

/**
 * Creates the check for a contract and passes it to `use`. Compiles only the schemas that the check needs. Used schemas
 * have the functions that are generated for them; unused ones must not change those.
 */
export async function withExampleCheck<T>(
  contract: Contract,
  compiler: ValidatorCompiler,
  use: (check: ExampleCheck) => Promise<T>,
): Promise<T> {
  const judges: UnitJudge[] = [];
  const open = (schemas: WithSchemas): PlannedJudge => {
    const plan = planValidators(schemas);
    const judge = new UnitJudge(plan, compiler);
    judges.push(judge);
    return { plan, judge };
  };
  const used = open(validatedSchemas(contract));
  let all: PlannedJudge | undefined;
  try {
    return await use(async (schema, value) => {
      const reduced = toValidatorSchema(schema);
      const isUsed = referencesOf(reduced).every((name) => used.plan.units.has(name));
      const { plan, judge } = isUsed ? used : (all ??= open(contract));
      return toViolations(await judge.check(unitOf(reduced, plan), value));
    });
  } finally {
    for (const judge of judges) judge.close();
  }
}

interface PlannedJudge {
  readonly plan: ValidatorPlan;
  readonly judge: UnitJudge;
}

/**
 * Returns the validator unit for the schema of a validator. A plain reference uses the unit of the schema it names; any other schema
 * gets its own unit.
 */
function unitOf(reduced: JsonObject, { units }: ValidatorPlan): ValidatorUnit {
  const { $ref: name } = reduced;
  const named = typeof name === 'string' ? units.get(name) : undefined;
  if (named !== undefined && Object.keys(reduced).length === 1) return named;
  const functionName = `example${hash('sha256', JSON.stringify(reduced)).slice(0, 32)}`;
  const references = referencesOf(reduced);
  return { name: functionName, functionName, schema: reduced, references };
}
