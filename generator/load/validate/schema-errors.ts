import { pointerMembers } from '../../json/pointer.ts';
import type { SchemaError } from '../../schema/schema-error.ts';
import type { Problem } from '../../diagnostics/problem.ts';

/** Keywords that only say that something below or beside them failed. */
const applicators: ReadonlySet<string> = new Set(
  'if then else oneOf anyOf allOf not $ref dependentSchemas discriminator propertyNames'.split(' '),
);

/**
 * The facts among Ajv's errors. Where a value may have several forms, each form complains in its own way; there the
 * deepest complaints count, which come from the form that was meant.
 */
export function toProblems(
  errors: readonly SchemaError[],
  code: Problem['code'],
): readonly Problem[] {
  const facts = errors.filter((error) => !applicators.has(error.keyword) && !isSecondary(error));
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const others = errors.filter(isSecondary);
  const kept = [
    ...facts.filter(
      (error, index) =>
        !choices.some((choice) => isAtOrBelow(error, choice)) ||
        (!facts.some((other) => isBelow(other, error)) &&
          facts.findIndex(({ instancePath }) => instancePath === error.instancePath) === index),
    ),
    ...others.filter(
      (error) =>
        !facts.some((fact) => isAtOrBelow(fact, error)) &&
        !others.some((other) => isBelow(other, error)),
    ),
  ];
  const shown = kept.length > 0 ? kept : errors.slice(0, 1);
  return shown.map((error) => ({
    code,
    message: explain(error),
    members: [...pointerMembers(`#${error.instancePath}`), ...memberInQuestion(error)],
  }));
}

/**
 * True of every object where a reference may stand as well, and of every member of an object with a mistake in it: worth
 * saying only where there is nothing else to say.
 */
function isSecondary({ keyword, params }: SchemaError): boolean {
  return (
    keyword === 'unevaluatedProperties' ||
    (keyword === 'required' && params.missingProperty === '$ref')
  );
}

function isBelow(a: SchemaError, b: SchemaError): boolean {
  return a.instancePath.startsWith(`${b.instancePath}/`);
}

function isAtOrBelow(a: SchemaError, b: SchemaError): boolean {
  return a.instancePath === b.instancePath || isBelow(a, b);
}

function memberInQuestion({ keyword, params }: SchemaError): readonly string[] {
  const member: unknown =
    keyword === 'additionalProperties'
      ? params.additionalProperty
      : keyword === 'unevaluatedProperties'
        ? params.unevaluatedProperty
        : undefined;
  return typeof member === 'string' ? [member] : [];
}

function explain({ keyword, params, message = 'is not valid', instancePath }: SchemaError): string {
  const name = pointerMembers(`#${instancePath}`).at(-1);
  const subject = name === undefined ? 'The document' : `\`${name}\``;
  const [unexpected] = memberInQuestion({ keyword, params, instancePath });
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
