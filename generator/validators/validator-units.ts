import type { Schema, WithSchemas } from '../schema/model.ts';
import { toValidatorSchema } from './validator-schema.ts';
import { indexSchemas, type SchemaIndex } from '../schema/references.ts';
import { visitSchema } from '../schema/visit.ts';
import { type JsonObject, optional } from '../json/json.ts';
import { memoize } from '../execution/memoize.ts';
import { findRepeated } from './repeated-units.ts';
import { type ShareableSchema, shareSubschemas } from './share-subschemas.ts';

/** A schema that becomes one validating function. */
export interface ValidatorUnit {
  /** The name by which other units refer to it. */
  readonly name: string;
  readonly functionName: string;
  /** The module that it is in; left out where one module has all. */
  readonly module?: string;
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
  const sharedModules = modulesOfShared(shared, byName);
  const units = shared.map(({ name, schema, hash = '' }): readonly [string, ValidatorUnit] => {
    const of = byName.get(name);
    const references = referencesOf(schema);
    const module = of === undefined ? sharedModules.get(name) : of.module;
    const unit = {
      name,
      functionName: of === undefined ? `shared${hash}` : validatorName(of),
      schema,
      references,
      ...(repeated.has(name) ? { isRepeated: true as const } : {}),
      ...optional('module', module),
      ...optional('of', of),
    };
    return [name, unit];
  });
  const unevaluated = shared.some(({ schema }) =>
    /"unevaluated(?:Items|Properties)"/u.test(JSON.stringify(schema)),
  );
  return { units: new Map(units), unevaluated };
});

/** The module of subschemas that schemas of several modules share. */
const sharedModule = 'shared';

/** Returns the module of each subschema that is no schema of the contract: that of the schemas which refer to it. */
function modulesOfShared(
  all: readonly ShareableSchema[],
  schemas: SchemaIndex,
): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  if (!all.some(({ name }) => schemas.get(name)?.module !== undefined)) return modules;
  const byName = new Map(all.map(({ name, schema }) => [name, schema]));
  const mark = (schema: JsonObject, module: string): void => {
    for (const name of referencesOf(schema)) {
      const referred = byName.get(name);
      const known = modules.get(name);
      if (referred === undefined || schemas.has(name) || known === module || known === sharedModule)
        continue;
      const next = known === undefined ? module : sharedModule;
      modules.set(name, next);
      mark(referred, next);
    }
  };
  for (const { name, schema } of all) {
    const { module = sharedModule } = schemas.get(name) ?? {};
    if (schemas.has(name)) mark(schema, module);
  }
  return modules;
}

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
