import type { Contract, Schema } from '../../../contract/contract.ts';
import { toValidatorSchema } from '../../../contract/json-schema.ts';
import { visitSchemas } from '../../../contract/normalise-schema.ts';
import { isJsonObject, type JsonObject } from '../../../json.ts';
import { shareSubschemas } from './share-subschemas.ts';

/** What becomes one validating function. */
export interface ValidatorUnit {
  /** What references call it. */
  readonly name: string;
  readonly functionName: string;
  /** The base name of its module, where it has one to itself. */
  readonly fileName: string;
  readonly schema: JsonObject;
  /** Names of the units that it calls. */
  readonly references: readonly string[];
  /** The schema of the contract; left out where it is what several have in common. */
  readonly of?: Schema;
}

/** The name of the function that validates a schema of the contract. */
export function validatorName({ typeName }: Pick<Schema, 'typeName'>): string {
  return `validate${typeName}`;
}

/** Divides the schemas of a contract into what is compiled, by name: each schema, and what they have in common. */
export function planValidators(contract: Contract): ReadonlyMap<string, ValidatorUnit> {
  const schemas = new Map(contract.schemas.map((schema) => [schema.name, schema]));
  const given = new Map(
    contract.schemas.map(({ name, definition }) => {
      const schema = toValidatorSchema(definition);
      return [name, isJsonObject(schema) ? schema : schema ? {} : { not: {} }];
    }),
  );
  return new Map(
    shareSubschemas(given).map(({ name, schema, hash }): readonly [string, ValidatorUnit] => {
      const of = schemas.get(name);
      const references = referencesOf(schema);
      if (of === undefined) {
        const names = { functionName: `shared${hash ?? ''}`, fileName: `_${hash ?? ''}` };
        return [name, { name, ...names, schema, references }];
      }
      const names = { functionName: validatorName(of), fileName: of.fileName };
      return [name, { name, ...names, schema, references, of }];
    }),
  );
}

/** In the schemas that validators are compiled from, a reference is the name itself. */
function referencesOf(schema: JsonObject): readonly string[] {
  const names = new Set<string>();
  visitSchemas(schema, ({ $ref }) => {
    if (typeof $ref === 'string') names.add($ref);
  });
  return [...names];
}
