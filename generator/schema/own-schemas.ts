import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { JsonObject } from '../json/json.ts';
import { compileOwnSchema, printOwnSchemas, type Draft } from './ajv.ts';
import type { SchemaError } from './schema-error.ts';

/** Schemas that belong to the toolkit and not to a contract: they are compiled when the toolkit is built. */
export interface OwnSchemas {
  /** Names the compiled module; unique among all. */
  readonly name: string;
  readonly draft: Draft;
  /** Returns the schemas by name. Called only if they were not compiled before. */
  readonly schemas: () => ReadonlyMap<string, JsonObject>;
}

interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** Creates a check of values by one of the schemas. From source, a schema is compiled when it is first needed. */
export function createOwnCheck(
  own: OwnSchemas,
): (schemaName: string, value: unknown) => readonly SchemaError[] {
  const validators = new Map<string, Validate>();
  const find = (schemaName: string): Validate => {
    const known = validators.get(schemaName);
    if (known !== undefined) return known;
    const validate = findPrepared(own, schemaName) ?? compile(own, schemaName);
    validators.set(schemaName, validate);
    return validate;
  };
  return (schemaName, value) => {
    const validate = find(schemaName);
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

/** Returns the name of the file, in the folder `prepared` beside this one, that the built toolkit has for schemas. */
export function preparedFile(name: string): string {
  return `${name}.cjs`;
}

/** Prints the module that has the compiled schemas. */
export function prepareOwnSchemas({ draft, schemas }: OwnSchemas): string {
  return printOwnSchemas(schemas(), draft);
}
