import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { JsonObject } from '../json/json.ts';
import { compileOwnSchema, printOwnSchemas, type SchemaDraft } from './ajv.ts';
import type { SchemaError } from './schema-error.ts';

/** Schemas that belong to the toolkit and not to a contract. They are compiled when the toolkit is built. */
export interface OwnSchemas {
  /** The base name of the compiled module; unique. */
  readonly name: string;
  readonly draft: SchemaDraft;
  /** Returns the schemas by name. It is called only if they are not compiled yet. */
  readonly schemas: () => ReadonlyMap<string, JsonObject>;
}

interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/**
 * Creates the function that validates a value against one of the schemas. If the toolkit is not built, a schema is
 * compiled at its first use.
 */
export function createOwnCheck(
  own: OwnSchemas,
): (schemaName: string, value: unknown) => readonly SchemaError[] {
  const validators = new Map<string, Validate>();
  return (schemaName, value) => {
    const known = validators.get(schemaName) ?? findPrepared(own, schemaName);
    const validate = known ?? compile(own, schemaName);
    validators.set(schemaName, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

function findPrepared({ name }: OwnSchemas, schemaName: string): Validate | undefined {
  const path = join(import.meta.dirname, 'prepared', preparedFile(name));
  if (!existsSync(path)) return undefined;
  const validators = createRequire(import.meta.url)(path) as Readonly<Record<string, Validate>>;
  return validators[schemaName];
}

function compile({ name, draft, schemas }: OwnSchemas, schemaName: string): Validate {
  const schema = schemas().get(schemaName);
  if (schema === undefined) throw new TypeError(`There is no schema "${schemaName}" of ${name}.`);
  return compileOwnSchema(schema, draft);
}

/** Returns the name of the file with compiled schemas in the folder `prepared` of the built toolkit. */
export function preparedFile(name: string): string {
  return `${name}.cjs`;
}

/** Prints the CommonJS module with the compiled schemas. */
export function printOwnModule({ draft, schemas }: OwnSchemas): string {
  return printOwnSchemas(schemas(), draft);
}
