import { isJsonObject, optional } from '../json/json.ts';
import { wordsOfError } from '../validators/error-words.ts';
import { unexpectedMember, type SchemaError } from '../validators/schema-error.ts';
import { isWithin } from '../json/pointer.ts';
import { quote, quoteValues } from '../diagnostics/quote.ts';

/** A keyword of a JSON Schema that a value violates. */
export interface Violation {
  /** The JSON Pointer of the value at fault. For a missing or an unknown member, this is the object around it. */
  readonly at: string;
  readonly keyword: string;
  /** The name of the unexpected member of the value at `at`. */
  readonly member?: string;
  /** What is wrong, as a predicate such as `must be a string`. */
  readonly words: string;
}

/** Converts Ajv's errors, created with `allErrors`. Keeps errors that only report another error. */
export function toViolations(errors: readonly SchemaError[]): readonly Violation[] {
  const ofNames = new Map(
    errors.flatMap((error) => {
      const words = error.propertyName === undefined ? undefined : wordsOf(error.parentSchema);
      return words === undefined ? [] : [[nameAt(error, error.propertyName), words] as const];
    }),
  );
  return errors
    .filter(({ propertyName }) => propertyName === undefined)
    .map((error) => {
      const member = unexpectedMember(error);
      const violated = error.keyword === 'propertyNames' && ofNames.get(nameAt(error, member));
      const words = violated
        ? `has the key ${quote(member ?? '')}, which ${violated}`
        : predicateOf(error);
      return {
        at: error.instancePath,
        keyword: error.keyword,
        words,
        ...optional('member', member),
      };
    });
}

/** Returns what identifies the name of a member in a value. */
function nameAt({ instancePath }: SchemaError, name: string | undefined): string {
  return JSON.stringify([instancePath, name]);
}

/**
 * Keywords that fail because a subschema fails. Their own violations add nothing where those of the subschema are
 * shown.
 */
export const dependentKeywords: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'if',
  'contains',
  'propertyNames',
]);

/** Returns up to 10 violations as one sentence with the place of each, without duplicates. */
export function describeViolations(violations: readonly Violation[]): string {
  const several = violations.filter(({ words }) => words === matchesSeveral);
  const inner = violations.filter(
    ({ at, keyword }) =>
      !dependentKeywords.has(keyword) && !several.some((union) => isWithin(at, union.at)),
  );
  // What a value lacks for the other alternatives says nothing about one that matches several of them.
  const explained = [...several, ...inner];
  const shown = explained.length > 0 ? explained : violations;
  const unique = [
    ...new Set(shown.map(({ at, words }) => `${at === '' ? 'the value' : quote(at)} ${words}`)),
  ];
  const more = unique.length - maxShown;
  return more > 0 ? `${unique.slice(0, maxShown).join('; ')}; and ${more} more` : unique.join('; ');
}

const maxShown = 10;

const matchesSeveral = 'matches several alternatives of `oneOf`, and has to match only one';

function predicateOf(error: SchemaError): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return `must have the member ${quote(String(params['missingProperty']))}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `must not have the unknown member ${quote(unexpectedMember(error) ?? '')}`;
    case 'propertyNames':
      return `has the key ${quote(unexpectedMember(error) ?? '')}, which is not allowed`;
    case 'type':
      return `must be ${[params['type']].flat().map(withArticle).join(' or ')}`;
    case 'enum':
      return `must be one of ${quoteValues([params['allowedValues']].flat())}`;
    case 'const':
      return wordsOf(error.parentSchema) ?? `must be ${quoteValues([params['allowedValue']])}`;
    case 'anyOf':
    case 'oneOf':
      return params['passingSchemas'] ? matchesSeveral : 'must match one of the alternatives';
    case 'false schema':
      return 'must be absent';
    case 'pattern':
      return (
        wordsOf(error.parentSchema) ?? `must match the pattern ${quote(String(params['pattern']))}`
      );
    default:
      return wordsOf(error.parentSchema) ?? wordsOfError(error);
  }
}

/**
 * Returns the wording that a schema of the vocabulary gives in `x-words`. It is clearer than, for example, a pattern.
 */
function wordsOf(schema: unknown): string | undefined {
  const words = isJsonObject(schema) ? schema['x-words'] : undefined;
  return typeof words === 'string' ? words : undefined;
}

function withArticle(type: unknown): string {
  if (typeof type !== 'string' || type === 'null') return 'null';
  return `${type === 'array' || type === 'object' || type === 'integer' ? 'an' : 'a'} ${type}`;
}
