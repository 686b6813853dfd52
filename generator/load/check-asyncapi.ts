import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../json.ts';
import type { Problem } from './problem.ts';
import { toProblems } from './schema-errors.ts';

/** What the specification's schemas were compiled to, by version: by far the longest part of a check. */
const compiled = new Map<'3.0.0' | '3.1.0', ValidateFunction>();

/** Checks a bundled AsyncAPI 3 document against the specification's own JSON Schema. */
export async function checkAsyncapi(
  root: JsonObject,
  version: string,
): Promise<readonly Problem[]> {
  // The schemas name the first patch of their version alone; patches change no rule.
  const validate = await compile(version.startsWith('3.1') ? '3.1.0' : '3.0.0');
  const subject = { ...root, asyncapi: version.replace(/\d+$/u, '0') };
  return validate(subject) ? [] : toProblems(validate.errors ?? [], 'invalid-asyncapi');
}

async function compile(version: '3.0.0' | '3.1.0'): Promise<ValidateFunction> {
  const known = compiled.get(version);
  if (known !== undefined) return known;
  const [{ default: specifications }, { Ajv }] = await Promise.all([
    import('@asyncapi/specs'),
    import('ajv'),
  ]);
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const schema: object = specifications.schemasWithoutId[version];
  const validate = ajv.compile({ ...schema });
  compiled.set(version, validate);
  return validate;
}
