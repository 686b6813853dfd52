import { pointerMembers } from '../../json/pointer.ts';
import { unexpectedMember, type SchemaError } from '../../schema/schema-error.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';

/** Keywords whose errors only report that a subschema or an adjacent keyword failed. */
const applicators: ReadonlySet<string> = new Set(
  'if then else oneOf anyOf allOf not $ref dependentSchemas discriminator propertyNames'.split(' '),
);

/**
 * Converts Ajv's errors to problems, without errors that only repeat others. Where a value may match one of several
 * subschemas, each subschema reports its own errors. Of these, the deepest are kept, because they come from the
 * subschema that the author meant.
 */
export function toProblems(
  errors: readonly SchemaError[],
  code: LocatedProblem['code'],
): readonly LocatedProblem[] {
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
  return shown.map((error) => {
    const holder = pointerMembers(`#${error.instancePath}`);
    const member = unexpectedMember(error);
    const members = member === undefined ? holder : [...holder, member];
    return { code, message: explain(error), members };
  });
}

/**
 * Returns whether an error says little by itself. It is reported for every object that could also be a reference, or
 * for every member of an object with another error. Such an error is kept only where there is no other.
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

function explain(error: SchemaError): string {
  const { keyword, params, message = 'is not valid', instancePath } = error;
  const name = pointerMembers(`#${instancePath}`).at(-1);
  const subject = name === undefined ? 'The document' : `\`${name}\``;
  const unexpected = unexpectedMember(error);
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
    ? `${subject} matches none of the alternatives in the specification.`
    : `${subject} ${message}.`;
}
