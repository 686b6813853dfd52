import type { ErrorObject } from 'ajv';
import { pointerMembers } from '../pointer.ts';
import type { Problem } from './problem.ts';

/** Keywords that only say that something below or beside them failed. */
const applicators: ReadonlySet<string> = new Set(
  'if then else oneOf anyOf allOf not $ref dependentSchemas discriminator propertyNames'.split(' '),
);

/** The deepest and plainest of Ajv's errors: one a place, and none for a place that holds a place with an error. */
export function toProblems(
  errors: readonly ErrorObject[],
  code: Problem['code'],
): readonly Problem[] {
  const chosen = new Map<string, ErrorObject>();
  for (const error of errors) {
    const known = chosen.get(error.instancePath);
    if (known === undefined || weight(error) < weight(known)) chosen.set(error.instancePath, error);
  }
  const places = [...chosen.keys()];
  return [...chosen]
    .filter(([place]) => !places.some((other) => other.startsWith(`${place}/`)))
    .map(([place, error]) => ({
      code,
      message: explain(error),
      members: [...pointerMembers(`#${place}`), ...memberInQuestion(error)],
    }));
}

function weight({ keyword, params }: ErrorObject): number {
  if (keyword === 'additionalProperties') return 0;
  if (applicators.has(keyword)) return 4;
  // Where a specification takes an object or a reference to one, the second branch complains of every object.
  if (keyword === 'required' && params.missingProperty === '$ref') return 3;
  return keyword === 'unevaluatedProperties' ? 2 : 1;
}

function memberInQuestion({ keyword, params }: ErrorObject): readonly string[] {
  const member: unknown =
    keyword === 'additionalProperties'
      ? params.additionalProperty
      : keyword === 'unevaluatedProperties'
        ? params.unevaluatedProperty
        : undefined;
  return typeof member === 'string' ? [member] : [];
}

function explain({ keyword, params, message = 'is not valid', instancePath }: ErrorObject): string {
  const name = pointerMembers(`#${instancePath}`).at(-1);
  const subject = name === undefined ? 'The document' : `\`${name}\``;
  const [unexpected] = memberInQuestion({ keyword, params, instancePath, schemaPath: '' });
  if (unexpected !== undefined) return `Property \`${unexpected}\` is not expected here.`;
  if (keyword === 'required' && params.missingProperty === '$ref') {
    return `${subject} must be a reference.`;
  }
  if (keyword === 'required') {
    return `The field \`${String(params.missingProperty)}\` must be present on this level.`;
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const values = params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ');
    return `${subject} must be one of ${values}.`;
  }
  if (keyword === 'const') return `${subject} must be ${JSON.stringify(params.allowedValue)}.`;
  return applicators.has(keyword)
    ? `${subject} has none of the forms that the specification knows.`
    : `${subject} ${message}.`;
}
