import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileOwnSchema } from './ajv.ts';
import type { OwnSchema } from './own-schema.ts';
import type { SchemaError } from './schema-error.ts';

interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/**
 * Creates the function that validates a value against one of the parts. If the toolkit is not built, a part is compiled
 * at its first use.
 * @throws TypeError if the schema does not have the part
 */
export function createOwnCheck(
  ownSchema: OwnSchema,
): (part: string, value: unknown) => readonly SchemaError[] {
  const validators = new Map<string, Validate>();
  return (part, value) => {
    const cachedValidator = validators.get(part) ?? findPrepared(ownSchema, part);
    const validate = cachedValidator ?? compileOwnSchema(ownSchema, part);
    validators.set(part, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

function findPrepared({ name }: OwnSchema, part: string): Validate | undefined {
  const path = join(import.meta.dirname, 'prepared', preparedFile(name));
  if (!existsSync(path)) return undefined;
  const validators = createRequire(import.meta.url)(path) as Readonly<Record<string, Validate>>;
  return validators[part];
}

/** Returns the name of the file with a compiled schema in the folder `prepared` of the built toolkit. */
export function preparedFile(name: string): string {
  return `${name}.cjs`;
}
