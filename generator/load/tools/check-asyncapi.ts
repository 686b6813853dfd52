import type { ValidateFunction } from 'ajv';
import { accepts, type Reading } from '../../accepts.ts';
import type { JsonObject } from '../../json.ts';
import { pointerMembers } from '../../pointer.ts';
import { descend } from '../follow.ts';
import type { Problem } from '../problem.ts';
import { toProblems } from './schema-errors.ts';

/** What the specification's schemas were compiled to, by version: by far the longest part of a check. */
const compiled = new Map<'3.0.0' | '3.1.0', ValidateFunction>();

/** Checks a bundled AsyncAPI 3 document against the specification's own JSON Schema. */
export async function checkAsyncapi(
  root: JsonObject,
  version: string,
): Promise<readonly Problem[]> {
  // The schemas name the first patch of their version alone; patches change no rule.
  const patch = version.startsWith('3.1') ? '3.1.0' : '3.0.0';
  const subject = { ...root, asyncapi: version.replace(/\d+$/u, '0') };
  if (await isSurelyValid(patch, subject)) return [];
  const validate = await compile(patch);
  return validate(subject) ? [] : toProblems(validate.errors ?? [], 'invalid-asyncapi');
}

/** Whether the specification's schema accepts a document for sure: to compile it takes far longer than to read it. */
export async function isSurelyValid(
  version: '3.0.0' | '3.1.0',
  subject: JsonObject,
): Promise<boolean> {
  const { default: specifications } = await import('@asyncapi/specs');
  const schema = specifications.schemasWithoutId[version] as JsonObject;
  const expressions = new Map<string, RegExp>();
  const reading: Reading = {
    schemaOf(reference) {
      const members = pointerMembers(reference);
      const { value, depth } = descend(schema, members);
      return depth === members.length ? value : undefined;
    },
    matches(pattern, text) {
      const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
      expressions.set(pattern, expression);
      return expression.test(text);
    },
    hasFormat: () => true,
    isAnnotation: (keyword) => annotations.has(keyword),
  };
  return accepts(schema, subject, reading) === true;
}

const annotations: ReadonlySet<string> = new Set(
  '$schema $id $comment title description default example examples definitions'.split(' '),
);

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
