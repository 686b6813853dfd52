import { hash } from 'node:crypto';
import type { Schema, WithSchemas } from '../schema/model.ts';
import { memoize } from '../execution/memoize.ts';
import { referencesOf } from '../schema/references.ts';
import { usedSchemas } from '../schema/used-schemas.ts';
import { kindOf } from '../specification/media-type.ts';
import { toValidatorSchema } from '../validators/validator-schema.ts';
import { callsOf } from './calls.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import { inputParameters } from './inputs.ts';

/** The parts of a contract that decide which schemas get validators. */
type Validated = Pick<Contract, 'schemas' | 'operations' | 'security'>;

interface Result extends Validated {
  readonly parameters: readonly Schema[];
  readonly validated: WithSchemas;
}

const results = new WeakMap<Validated['operations'], Result>();

function resultOf(contract: Validated): Result {
  const { schemas, operations, security } = contract;
  const before = results.get(operations);
  if (before?.schemas === schemas && before.security === security) return before;
  const parameters = findParameterSchemas(contract);
  const validated = { schemas: [...usedSchemas(contract).schemas, ...parameters] };
  const result = { schemas, operations, security, parameters, validated };
  results.set(operations, result);
  return result;
}

/**
 * Returns the schemas that get validators: those that calls, notifications and messages have, and those of checked
 * parameters. The result is the same object for the same contract.
 */
export function validatedSchemas(contract: Validated): WithSchemas {
  return resultOf(contract).validated;
}

/** Returns the schemas of the parameters of calls that are checked, equal ones once. */
export function parameterSchemas(contract: Validated): readonly Schema[] {
  return resultOf(contract).parameters;
}

/** The module of the validators of parameters, if several modules have those of other schemas. */
const parameterModule = 'parameters';

function findParameterSchemas(contract: Validated): readonly Schema[] {
  const isDivided = contract.schemas.some(({ module }) => module !== undefined);
  const byName = new Map<string, Schema>();
  for (const { operation } of callsOf(contract)) {
    for (const { parameter, name } of checkedParameters(contract, operation)) {
      const { pointer, schema: definition } = parameter;
      if (byName.has(name)) continue;
      byName.set(name, {
        kind: 'schema',
        pointer,
        source: [],
        name,
        typeName: name,
        ...(isDivided ? { module: parameterModule } : {}),
        deprecated: false,
        origin: 'inline',
        definition,
        references: referencesOf(definition),
        variants: [],
        examples: [],
      });
    }
  }
  return [...byName.values()];
}

/** A parameter whose value is checked before a call is sent. */
interface CheckedParameter {
  readonly parameter: Parameter;
  /** The name of its schema, which depends on nothing but the schema. */
  readonly name: string;
}

/**
 * Returns the parameters of an operation that are checked. Those that accept every text are not: a text is written for
 * each scalar. Neither are timestamps of the client, which replace those of the caller.
 */
export function checkedParameters(
  contract: Pick<Contract, 'security'>,
  operation: Operation,
): readonly CheckedParameter[] {
  return inputParameters(contract, operation).flatMap((parameter) => {
    const name = nameOf(parameter);
    return name === undefined ? [] : [{ parameter, name }];
  });
}

/** Returns the name of the schema of a parameter that is checked. */
const nameOf = memoize((parameter: Parameter): string | undefined => {
  if (parameter.everyRequest?.value === 'timestamp') return undefined;
  const { schema, mediaType } = parameter;
  const { type, ...others } = toValidatorSchema(schema);
  const isJson = mediaType !== undefined && kindOf(mediaType) === 'json';
  const acceptsTexts = type === undefined || (!isJson && [type].flat().includes('string'));
  if (acceptsTexts && Object.keys(others).length === 0) return undefined;
  const text = JSON.stringify({ type, ...others });
  return `Parameter${hash('sha256', text).slice(0, 12)}`;
});
