import type { JsonObject } from '../json/json.ts';
import { toPointer } from '../json/pointer.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { sharedSchemas } from './shared-schemas.ts';

/**
 * Checks that a schema used by both documents has the same meaning in both dialects. AsyncAPI's dialect extends
 * draft-07. OpenAPI 3.1 uses 2020-12, and OpenAPI 3.0 has its own dialect.
 */
export const dialects: Rule = {
  codes: ['dialect-difference'],
  *check({ documents }) {
    const old = documents.openapi?.version.startsWith('3.0') === true;
    const isProblem = (schema: JsonObject): boolean =>
      Object.keys(schema).some((keyword) => differenceOf(keyword, schema, old) !== undefined);
    for (const { value, pointer } of sharedSchemas(documents, isProblem)) {
      for (const keyword of Object.keys(value)) {
        const problem = differenceOf(keyword, value, old);
        if (problem === undefined) continue;
        yield {
          pointer: toPointer(pointer, keyword),
          message: `${quote(keyword)} has different meanings in the two documents that share this schema: ${problem[0]}.`,
          help: problem[1],
        };
      }
    }
  },
};

/** The difference, and how to avoid it. Without `help`, the help of the catalogue applies. */
type DialectDifference = readonly [what: string, help?: string];

function differenceOf(
  keyword: string,
  schema: JsonObject,
  old: boolean,
): DialectDifference | undefined {
  const value = schema[keyword];
  if (keyword === '$ref') {
    const siblings = Object.keys(schema).filter((name) => name !== '$ref');
    if (siblings.length === 0) return undefined;
    return [
      `draft-07 ignores the keywords beside it (${siblings.slice(0, 5).map(quote).join(', ')})`,
      'Write `allOf: [{ $ref: … }]` and keep the other members beside it.',
    ];
  }
  if (keyword === 'items') return Array.isArray(value) ? tuple : undefined;
  if (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') {
    if (typeof value === 'boolean') return ['only OpenAPI 3.0 allows a boolean'];
    return old ? ['OpenAPI 3.0 requires a boolean'] : undefined;
  }
  if (keyword === 'type' && old) {
    return Array.isArray(value) || value === 'null' ? unknownToOpenapi30 : undefined;
  }
  if (old && notInOpenapi30.has(keyword)) return unknownToOpenapi30;
  return differing.get(keyword);
}

const tuple: DialectDifference = [
  'an array of schemas is a tuple in draft-07 and invalid in 2020-12',
  'Describe the items with one schema.',
];
const identity: DialectDifference = [
  'it changes the base of references',
  'Remove it; schemas are identified by their files.',
];
const unknownToOpenapi30: DialectDifference = [
  'OpenAPI 3.0 does not have it',
  'Declare `openapi: 3.1.2`, or write the schema without it.',
];

const definitions: DialectDifference = [
  '2020-12 calls it `$defs`',
  'Put each definition into a separate file and refer to it.',
];
const nullable: DialectDifference = [
  'only OpenAPI 3.0 has it',
  'Add "null" to the list of types: `type: [string, "null"]`.',
];

const rows: readonly (readonly [keywords: string, DialectDifference])[] = [
  [
    'prefixItems unevaluatedItems unevaluatedProperties dependentRequired dependentSchemas minContains maxContains ' +
      'contentSchema $dynamicRef $dynamicAnchor $anchor',
    ['draft-07 does not have it'],
  ],
  ['additionalItems dependencies', ['2020-12 does not have it']],
  ['$recursiveRef $recursiveAnchor', ['only 2019-09 has it']],
  ['$id', identity],
  ['definitions', definitions],
  ['nullable', nullable],
];

const differing = new Map(
  rows.flatMap(([keywords, difference]) =>
    keywords.split(' ').map((keyword) => [keyword, difference] as const),
  ),
);

/** The draft-07 keywords that OpenAPI 3.0 does not have (OpenAPI 3.0.4, 4.7.24). */
const notInOpenapi30: ReadonlySet<string> = new Set(
  'const contains if then else patternProperties propertyNames'.split(' '),
);
