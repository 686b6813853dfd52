import type { JsonObject } from '../json.ts';
import type { Problem } from './problem.ts';
import { toProblems } from './schema-errors.ts';

/** Checks a bundled AsyncAPI 3 document against the specification's own JSON Schema. */
export async function checkAsyncapi(
  root: JsonObject,
  version: string,
): Promise<readonly Problem[]> {
  const [{ default: specifications }, { Ajv }] = await Promise.all([
    import('@asyncapi/specs'),
    import('ajv'),
  ]);
  const schemas = specifications.schemasWithoutId;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(version.startsWith('3.1') ? schemas['3.1.0'] : schemas['3.0.0']);
  // The schemas name the first patch of their version alone; patches change no rule.
  const subject = { ...root, asyncapi: version.replace(/\d+$/u, '0') };
  return validate(subject) ? [] : toProblems(validate.errors ?? [], 'invalid-asyncapi');
}
