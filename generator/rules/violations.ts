import { isJsonObject } from '../json/json.ts';
import type { SchemaError } from '../schema/schema-error.ts';
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
  return errors
    .filter(({ propertyName }) => propertyName === undefined)
    .map((error) => {
      const member = unexpectedMember(error);
      return {
        at: error.instancePath,
        keyword: error.keyword,
        words: predicateOf(error),
        ...(member === undefined ? {} : { member }),
      };
    });
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
  const inner = violations.filter(({ keyword }) => !dependentKeywords.has(keyword));
  const shown = inner.length > 0 ? inner : violations;
  const unique = [
    ...new Set(shown.map(({ at, words }) => `${at === '' ? 'the value' : quote(at)} ${words}`)),
  ];
  const more = unique.length - maxShown;
  return more > 0 ? `${unique.slice(0, maxShown).join('; ')}; and ${more} more` : unique.join('; ');
}

const maxShown = 10;

function unexpectedMember({ keyword, params }: SchemaError): string | undefined {
  const member: unknown =
    keyword === 'additionalProperties'
      ? params['additionalProperty']
      : keyword === 'unevaluatedProperties'
        ? params['unevaluatedProperty']
        : keyword === 'propertyNames'
          ? params['propertyName']
          : undefined;
  return typeof member === 'string' ? member : undefined;
}

function predicateOf(error: SchemaError): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return `must have the member ${quote(String(params['missingProperty']))}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `must not have the unknown member ${quote(unexpectedMember(error) ?? '')}`;
    case 'propertyNames':
      return `has the key ${quote(unexpectedMember(error) ?? '')}, which ${wordsOf(error.schema) ?? 'is not allowed'}`;
    case 'type':
      return `must be ${[params['type']].flat().map(withArticle).join(' or ')}`;
    case 'enum':
      return `must be one of ${quoteValues([params['allowedValues']].flat())}`;
    case 'const':
      return wordsOf(error.parentSchema) ?? `must be ${quoteValues([params['allowedValue']])}`;
    case 'anyOf':
    case 'oneOf':
      return params['passingSchemas']
        ? 'must match only one alternative'
        : 'must match one of the alternatives';
    case 'false schema':
      return 'must be absent';
    case 'pattern':
      return (
        wordsOf(error.parentSchema) ?? `must match the pattern ${quote(String(params['pattern']))}`
      );
    default:
      return wordsOf(error.parentSchema) ?? messageOf(error);
  }
}

/** Returns Ajv's own message, which generated validators omit. */
function messageOf({ keyword, params }: SchemaError): string {
  const value = (name: string): string => String(params[name]);
  switch (keyword) {
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${value('comparison')} ${value('limit')}`;
    case 'multipleOf':
      return `must be multiple of ${value('multipleOf')}`;
    case 'minLength':
      return `must NOT have fewer than ${value('limit')} characters`;
    case 'maxLength':
      return `must NOT have more than ${value('limit')} characters`;
    case 'format':
      return `must match format "${value('format')}"`;
    case 'minItems':
      return `must NOT have fewer than ${value('limit')} items`;
    case 'maxItems':
    case 'items':
    case 'unevaluatedItems':
      return `must NOT have more than ${value('limit')} items`;
    case 'uniqueItems':
      return `must NOT have duplicate items (items ## ${value('j')} and ${value('i')} are identical)`;
    case 'contains': {
      const most =
        params['maxContains'] === undefined ? '' : ` and no more than ${value('maxContains')}`;
      return `must contain at least ${value('minContains')}${most} valid item(s)`;
    }
    case 'minProperties':
      return `must NOT have fewer than ${value('limit')} properties`;
    case 'maxProperties':
      return `must NOT have more than ${value('limit')} properties`;
    case 'dependentRequired': {
      const members = Number(params['depsCount']) === 1 ? 'property' : 'properties';
      return `must have ${members} ${value('deps')} when property ${value('property')} is present`;
    }
    case 'if':
      return `must match "${value('failingKeyword')}" schema`;
    case 'not':
      return 'must NOT be valid';
    default:
      return `breaks "${keyword}"`;
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
