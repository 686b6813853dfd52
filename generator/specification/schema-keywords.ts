/** What a keyword of JSON Schema contains, and what it applies to. */
export interface SchemaKeyword {
  /** Whether its value is a schema, a list of schemas, either of them, or a map of schemas. */
  readonly holds?: 'schema' | 'list' | 'schema-or-list' | 'map';
  /**
   * What its schemas apply to: the same value as the schema that has the keyword (`value`), the same value as a test
   * whose failure is not an error (`test`), or members, names and items of the value (`child`).
   */
  readonly appliesTo?: 'value' | 'test' | 'child';
  /**
   * Whether it decides if a value is valid, in JSON Schema 2020-12, only describes the value, or names the schema for
   * references to it.
   */
  readonly role?: 'assertion' | 'annotation' | 'identity';
}

/** Every keyword that the toolkit knows, of JSON Schema 2020-12, draft-07 and OpenAPI 3.0. */
const rows: readonly (readonly [keywords: string, SchemaKeyword])[] = [
  ['allOf anyOf oneOf', { holds: 'list', appliesTo: 'value', role: 'assertion' }],
  ['then else', { holds: 'schema', appliesTo: 'value', role: 'assertion' }],
  ['dependentSchemas', { holds: 'map', appliesTo: 'value', role: 'assertion' }],
  ['not if', { holds: 'schema', appliesTo: 'test', role: 'assertion' }],
  ['properties patternProperties', { holds: 'map', appliesTo: 'child', role: 'assertion' }],
  [
    'additionalProperties contains propertyNames unevaluatedItems unevaluatedProperties',
    { holds: 'schema', appliesTo: 'child', role: 'assertion' },
  ],
  ['prefixItems', { holds: 'list', appliesTo: 'child', role: 'assertion' }],
  // A list up to draft 2019-09.
  ['items', { holds: 'schema-or-list', appliesTo: 'child', role: 'assertion' }],
  ['contentSchema additionalItems', { holds: 'schema', appliesTo: 'child' }],
  ['dependencies', { holds: 'map', appliesTo: 'value' }],
  ['$defs definitions', { holds: 'map' }],
  [
    '$ref type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
      'format maxItems minItems uniqueItems maxContains minContains required maxProperties minProperties ' +
      'dependentRequired',
    { role: 'assertion' },
  ],
  [
    '$comment default deprecated description example examples externalDocs readOnly title writeOnly xml',
    { role: 'annotation' },
  ],
  ['$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary', { role: 'identity' }],
];

/** The keywords of JSON Schema by name. */
export const schemaKeywords: ReadonlyMap<string, SchemaKeyword> = new Map(
  rows.flatMap(([keywords, keyword]) =>
    keywords.split(' ').map((name): readonly [string, SchemaKeyword] => [name, keyword]),
  ),
);

/** Returns whether a keyword only describes values. All extensions do. */
export function isAnnotation(keyword: string): boolean {
  return schemaKeywords.get(keyword)?.role === 'annotation' || keyword.startsWith('x-');
}

/** Returns whether a keyword decides if a value is valid, in JSON Schema 2020-12. */
export function isAssertion(keyword: string): boolean {
  return schemaKeywords.get(keyword)?.role === 'assertion';
}
