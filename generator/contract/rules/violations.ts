import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../../json.ts';
import { quote } from './rule.ts';

/** One keyword of a JSON Schema that a value breaks. */
export interface Violation {
  /** JSON Pointer of the value at fault; a missing or an unknown member is the fault of the object around it. */
  readonly at: string;
  readonly keyword: string;
  /** The member that should not be there, which stands in the value at `at`. */
  readonly member?: string;
  /** What the value has to be, such as `must be a string`. */
  readonly words: string;
}

/** Reads Ajv's errors, made with `allErrors` and `verbose`. What only says that another error occurred stays in. */
export function toViolations(
  errors: readonly ErrorObject[] | null | undefined,
): readonly Violation[] {
  return (errors ?? [])
    .filter(({ propertyName }) => propertyName === undefined)
    .map((error) => {
      const member = surplusMember(error);
      return {
        at: error.instancePath,
        keyword: error.keyword,
        words: toWords(error),
        ...(member === undefined ? {} : { member }),
      };
    });
}

/** Keywords that fail because a subschema did, and say nothing where that one's violations are shown. */
export const wrapping: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'if',
  'contains',
  'propertyNames',
]);

/** All violations in one sentence, each with its place; values are not repeated. */
export function inWords(violations: readonly Violation[]): string {
  const inner = violations.filter(({ keyword }) => !wrapping.has(keyword));
  const shown = inner.length > 0 ? inner : violations;
  const unique = [
    ...new Set(shown.map(({ at, words }) => `${at === '' ? 'the value' : quote(at)} ${words}`)),
  ];
  const more = unique.length - longest;
  return more > 0 ? `${unique.slice(0, longest).join('; ')}; and ${more} more` : unique.join('; ');
}

const longest = 10;

function surplusMember({ keyword, params }: ErrorObject): string | undefined {
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

function toWords(error: ErrorObject): string {
  const { keyword, params, schema } = error;
  switch (keyword) {
    case 'required':
      return `lacks the member ${quote(String(params['missingProperty']))}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `has the unknown member ${quote(surplusMember(error) ?? '')}`;
    case 'propertyNames':
      return `has the key ${quote(surplusMember(error) ?? '')}, which ${wordsOf(schema) ?? 'is not allowed'}`;
    case 'type':
      return `must be ${(Array.isArray(schema) ? schema : [schema]).map(withArticle).join(' or ')}`;
    case 'enum':
      return `must be one of ${listOf(schema)}`;
    case 'const':
      return wordsOf(error.parentSchema) ?? `must be ${listOf([schema])}`;
    case 'anyOf':
    case 'oneOf':
      return params['passingSchemas']
        ? 'fits several forms at once'
        : 'fits no form that it may have';
    case 'false schema':
      return 'must not be there';
    case 'pattern':
      return wordsOf(error.parentSchema) ?? `must match the pattern ${quote(String(schema))}`;
    default:
      return wordsOf(error.parentSchema) ?? error.message ?? `breaks "${keyword}"`;
  }
}

/** A schema of the vocabulary says what a value has to be, better than a pattern does. */
function wordsOf(schema: unknown): string | undefined {
  const words = isJsonObject(schema) ? schema['x-words'] : undefined;
  return typeof words === 'string' ? words : undefined;
}

function withArticle(type: unknown): string {
  if (typeof type !== 'string' || type === 'null') return 'null';
  return `${type === 'array' || type === 'object' || type === 'integer' ? 'an' : 'a'} ${type}`;
}

function listOf(values: unknown): string {
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  const shown = list.slice(0, longest).map((value) => quote(JSON.stringify(value)).slice(1, -1));
  return list.length > longest ? `${shown.join(', ')}, …` : shown.join(', ');
}
