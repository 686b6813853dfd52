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
  const { '3.0.0': schema30, '3.1.0': schema31 } = specifications.schemasWithoutId;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const schema: object = { ...(version.startsWith('3.1') ? schema31 : schema30) };
  const validate = ajv.compile({ ...schema });
  // The schemas name the first patch of their version alone; patches change no rule.
  const subject = { ...root, asyncapi: version.replace(/\d+$/u, '0') };
  return validate(subject) ? [] : toProblems(validate.errors ?? [], 'invalid-asyncapi');
}
