import { isJsonObject, type Json } from '../json/json.ts';
import { schemaKeywords } from '../specification/schema-keywords.ts';
import { isJsonType } from './node.ts';

/**
 * Returns the value of a keyword as JSON Schema defines it. A valid value is returned as it is. An invalid one is
 * normalized where a guess is safe: a number in quotes, or a type by its name in another language. Any other invalid
 * value yields `undefined`, so that the keyword is ignored. Loading a document reports invalid values.
 */
export function normalizeKeyword(keyword: string, value: Json | undefined): Json | undefined {
  const holds = schemaKeywords.get(keyword)?.holds;
  const check = holds === undefined ? checks.get(keyword) : holderChecks[holds];
  return check === undefined ? value : check(value);
}

/** Returns the `maxLength` of a schema, in characters. */
export function maxLengthOf({ value }: { readonly value: Json | undefined }): number | undefined {
  const limit = isJsonObject(value) ? normalizeKeyword('maxLength', value['maxLength']) : undefined;
  return typeof limit === 'number' ? limit : undefined;
}

type KeywordNormalizer = (value: Json | undefined) => Json | undefined;

/** Names that authors use for types, from other languages and other versions of the specification. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ...['int', 'int32', 'int64', 'long'].map((name) => [name, 'integer'] as const),
  ...['decimal', 'double', 'float'].map((name) => [name, 'number'] as const),
  ['bool', 'boolean'],
  ...['str', 'text', 'file'].map((name) => [name, 'string'] as const),
]);

function toType(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isJsonType(value)) return value;
  const folded = value.toLowerCase();
  return isJsonType(folded) ? folded : otherTypes.get(folded);
}

const type: KeywordNormalizer = (value) => {
  if (!Array.isArray(value)) return toType(value);
  const types = (value as readonly Json[]).map(toType);
  // An unknown name could mean any type. The others alone would reject more values than the author intended.
  if (types.length === 0 || types.includes(undefined)) return undefined;
  return [...new Set(types)] as readonly string[];
};

const number: KeywordNormalizer = (value) => {
  if (typeof value === 'number') return value;
  const isNumeric = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/u.test(value.trim());
  return isNumeric ? Number(value) : undefined;
};

const positive: KeywordNormalizer = (value) => {
  const step = number(value);
  return typeof step === 'number' && step > 0 ? step : undefined;
};

const count: KeywordNormalizer = (value) => {
  const size = number(value);
  return typeof size === 'number' && Number.isInteger(size) && size >= 0 ? size : undefined;
};

/** In OpenAPI 3.0 and draft-04 the value is a flag that applies to `minimum` or `maximum`; later it is the limit. */
const limit: KeywordNormalizer = (value) => (typeof value === 'boolean' ? value : number(value));

const flag: KeywordNormalizer = (value) =>
  typeof value === 'boolean'
    ? value
    : value === 'true'
      ? true
      : value === 'false'
        ? false
        : undefined;

const string: KeywordNormalizer = (value) => (typeof value === 'string' ? value : undefined);

const names: KeywordNormalizer = (value) => {
  if (!Array.isArray(value)) return undefined;
  return [...new Set((value as readonly Json[]).filter((name) => typeof name === 'string'))];
};

const values: KeywordNormalizer = (value) =>
  Array.isArray(value) && value.length > 0 ? value : undefined;

const lists: KeywordNormalizer = (value) => {
  if (!isJsonObject(value)) return undefined;
  const kept = Object.entries(value).filter(([, item]) => Array.isArray(item));
  return Object.fromEntries(kept.map(([name, item]) => [name, names(item)]));
};

const map: KeywordNormalizer = (value) => (isJsonObject(value) ? value : undefined);

const schema: KeywordNormalizer = (value) => (isJsonObject(value) ? value : flag(value));

const schemaOrList: KeywordNormalizer = (value) =>
  Array.isArray(value) ? (value.length > 0 ? value : undefined) : schema(value);

/** Accepts an object in place of the list; `normalizeSchema` reads it as the list's members or as its only item. */
const schemas: KeywordNormalizer = (value) =>
  isJsonObject(value) || (Array.isArray(value) && value.length > 0) ? value : undefined;

/** Ignores references to other documents. In a bundled document they have no target; loading has reported them. */
const reference: KeywordNormalizer = (value) =>
  typeof value === 'string' && value.startsWith('#') ? value : undefined;

const rows: readonly (readonly [KeywordNormalizer, string])[] = [
  [type, 'type'],
  [number, 'maximum minimum'],
  [positive, 'multipleOf'],
  [limit, 'exclusiveMaximum exclusiveMinimum'],
  [
    count,
    'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties',
  ],
  [flag, 'nullable uniqueItems'],
  [reference, '$ref'],
  [string, 'format pattern'],
  [names, 'required'],
  [lists, 'dependentRequired'],
  [values, 'enum'],
];

const checks: ReadonlyMap<string, KeywordNormalizer> = new Map(
  rows.flatMap(([check, keywords]) => keywords.split(' ').map((keyword) => [keyword, check])),
);

/** The checks of keywords that hold schemas. */
const holderChecks = { schema, list: schemas, 'schema-or-list': schemaOrList, map } as const;
