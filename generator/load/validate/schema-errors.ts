import { pointerMembers, type DocumentName } from '../../json/pointer.ts';
import { wordsOfError } from '../../validators/error-words.ts';
import { unexpectedMember, type SchemaError } from '../../validators/schema-error.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { descend, referenceOf } from '../../json/descend.ts';
import { quoteValues } from '../../diagnostics/quote.ts';
import type { JsonObject } from '../../json/json.ts';
import { describeExpectation, expectedMembers } from '../../specification/expectation.ts';
import { suggestMember } from './suggest-member.ts';

/** The document that errors are about. */
interface ExpectingDocument {
  readonly root: JsonObject;
  readonly name: DocumentName;
}

/** Keywords whose errors only report that a subschema or an adjacent keyword failed. */
const applicators: ReadonlySet<string> = new Set(
  'if then else oneOf anyOf allOf not $ref dependentSchemas discriminator propertyNames'.split(' '),
);

/**
 * Converts Ajv's errors to problems, without errors that only repeat others. Where a value may match one of several
 * subschemas, each subschema reports its own errors. Of these, the deepest are kept, because they come from the
 * subschema that the author meant.
 * @param document the document that the errors are about, where the specification has a grammar for it
 */
export function toProblems(
  errors: readonly SchemaError[],
  code: LocatedProblem['code'],
  document?: ExpectingDocument,
): readonly LocatedProblem[] {
  const facts = errors.filter((error) => !applicators.has(error.keyword) && !isSecondary(error));
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const secondary = errors.filter(isSecondary);
  const kept = [
    ...facts.filter(
      (error, index) =>
        !choices.some((choice) => isAtOrBelow(error, choice)) ||
        (!facts.some((other) => isBelow(other, error)) &&
          facts.findIndex(({ instancePath }) => instancePath === error.instancePath) === index),
    ),
    ...secondary.filter(
      (error) =>
        !facts.some((fact) => isAtOrBelow(fact, error)) &&
        !secondary.some((other) => isBelow(other, error)),
    ),
  ];
  const shown = kept.length > 0 ? kept : errors.slice(0, 1);
  return shown.map((error) => {
    const holder = pointerMembers(`#${error.instancePath}`);
    const member = unexpectedMember(error);
    const members = member === undefined ? holder : [...holder, member];
    if (member !== undefined) {
      const knownMembers = document && expectedMembers(document.root, document.name, holder);
      const isBesideReference =
        document && referenceOf(descend(document.root, holder).value) !== undefined;
      const rest = isBesideReference
        ? ' It is beside a `$ref`, and the object that this refers to has its own members.'
        : suggestMember(member, knownMembers ?? []);
      return { code, message: `Property \`${member}\` is not expected here.${rest}`, members };
    }
    const expected = document && describeExpectation(document.root, document.name, holder);
    return { code, message: explain(error, expected ?? listForms(error, errors)), members };
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

/** Returns what the alternatives of an error require of its value, as the end of a sentence. */
function listForms(error: SchemaError, errors: readonly SchemaError[]): string | undefined {
  const forms = errors
    .filter(({ instancePath }) => instancePath === error.instancePath)
    .flatMap(({ keyword, params: { type, missingProperty, allowedValues, allowedValue } }) => {
      if (keyword === 'type') return `of type ${[type].flat().join(' or ')}`;
      if (keyword === 'required') return `an object with \`${String(missingProperty)}\``;
      if (keyword === 'enum' && Array.isArray(allowedValues))
        return `one of ${quoteValues(allowedValues)}`;
      return keyword === 'const' ? JSON.stringify(allowedValue) : [];
    });
  return forms.length === 0 ? undefined : [...new Set(forms)].join(', or ');
}

/**
 * Explains an error.
 * @param expected what the specification expects at the place, where it is known
 */
function explain(error: SchemaError, expected: string | undefined): string {
  const { keyword, params, instancePath } = error;
  const name = pointerMembers(`#${instancePath}`).at(-1);
  const subject = name === undefined ? 'The document' : `\`${name}\``;
  const isOtherForm = keyword === 'required' && params.missingProperty === '$ref';
  if (isOtherForm || applicators.has(keyword)) {
    return expected === undefined
      ? `${subject} has none of the forms that the specification allows.`
      : `${subject} must be ${expected}.`;
  }
  if (keyword === 'required') {
    return `The field \`${String(params.missingProperty)}\` must be present on this level.`;
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const values = params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ');
    return `${subject} must be one of ${values}.`;
  }
  if (keyword === 'const') return `${subject} must be ${JSON.stringify(params.allowedValue)}.`;
  return `${subject} ${wordsOfError(error)}.`;
}
