import type { Schema, WithSchemas } from '../schema/model.ts';
import { toValidatorSchema } from './validator-schema.ts';
import { indexSchemas } from '../schema/references.ts';
import { visitSchema } from '../schema/visit.ts';
import type { JsonObject } from '../json/json.ts';
import { memoize } from '../execution/memoize.ts';
import { findRepeated } from './repeated-units.ts';
import { shareSubschemas } from './share-subschemas.ts';

/** A schema that becomes one validating function. */
export interface ValidatorUnit {
  /** The name by which other units refer to it. */
  readonly name: string;
  readonly functionName: string;
  /** The base name of its module, if no other unit is in that module. */
  readonly fileName: string;
  readonly schema: JsonObject;
  /** Names of the units that it calls. */
  readonly references: readonly string[];
  /** Set if several places call it, perhaps for the same value, in a cycle or at a high cost. */
  readonly isRepeated?: true;
  /** The schema of the contract; undefined for a subschema that several schemas share. */
  readonly of?: Schema;
}

/** The units of a contract. */
export interface ValidatorPlan {
  readonly units: ReadonlyMap<string, ValidatorUnit>;
  /**
   * Whether a schema uses `unevaluatedItems` or `unevaluatedProperties`. If so, all functions report which members and
   * items they evaluated.
   */
  readonly unevaluated: boolean;
}

/** Returns the name of the function that validates a schema of the contract. */
function validatorName({ typeName }: Pick<Schema, 'typeName'>): string {
  return `validate${typeName}`;
}

/** Divides the schemas of a contract into units: each schema, and each subschema that several schemas share. */
export function planValidators({ schemas }: WithSchemas): ValidatorPlan {
  return planOf(schemas);
}

const planOf = memoize((schemas: readonly Schema[]): ValidatorPlan => {
  const byName = indexSchemas({ schemas });
  const validatorSchemas = new Map(
    schemas.map(({ name, definition }) => [name, toValidatorSchema(definition)]),
  );
  const shared = shareSubschemas(validatorSchemas);
  const repeated = findRepeated(new Map(shared.map(({ name, schema }) => [name, schema])));
  const units = shared.map(({ name, schema, hash = '' }): readonly [string, ValidatorUnit] => {
    const of = byName.get(name);
    const references = referencesOf(schema);
    const names =
      of === undefined
        ? { functionName: `shared${hash}`, fileName: `_${hash}` }
        : { functionName: validatorName(of), fileName: of.fileName, of };
    const repetition = repeated.has(name) ? { isRepeated: true as const } : {};
    return [name, { name, schema, references, ...repetition, ...names }];
  });
  const unevaluated = shared.some(({ schema }) =>
    /"unevaluated(?:Items|Properties)"/u.test(JSON.stringify(schema)),
  );
  return { units: new Map(units), unevaluated };
});

/** Returns the names that a schema refers to. In the schemas of validators a `$ref` is the name itself. */
export function referencesOf(schema: JsonObject): readonly string[] {
  const names = new Set<string>();
  visitSchema(schema, ({ $ref }) => {
    if (typeof $ref === 'string') names.add($ref);
  });
  return [...names];
}

/** Returns the given units and all units that they call, directly or not. */
export function reachableUnits(
  { units }: ValidatorPlan,
  start: Iterable<ValidatorUnit>,
): ReadonlySet<ValidatorUnit> {
  const reached = new Set(start);
  // The iteration includes units that are added during it.
  for (const { references } of reached) {
    for (const name of references) {
      const unit = units.get(name);
      if (unit !== undefined) reached.add(unit);
    }
  }
  return reached;
}
