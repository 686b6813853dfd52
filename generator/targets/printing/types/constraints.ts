import type { Json, JsonObject } from '../../../json/json.ts';
import type { JsonSchema } from '../../../schema/model.ts';
import { SchemaNode } from '../../../schema/node.ts';
import type { SchemaIndex } from '../../../schema/references.ts';
import { visible } from '../../escape.ts';
import { oneLine } from '../../package/prose.ts';

/** The keywords that a TypeScript type does not express, in the order in which a comment states them. */
const keywords = [
  'format',
  'default',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'pattern',
];

/** Keywords of which only the value nearest to the member applies. */
const annotations: ReadonlySet<string> = new Set(['default', 'format']);

/** The maximum length of a stated value, such as a pattern. Longer ones would make the comment longer than a line. */
const maxValueLength = 60;

/**
 * Returns one line of Markdown with the format, the default and the bounds of a value, such as
 * `` `format: date-time, maxLength: 40` ``; `undefined` for a schema without any. Includes what the schemas of `allOf`,
 * the only alternative besides null, and referenced scalars state. Leaves out values that are too long for a line.
 */
export function describeConstraints(schema: JsonSchema, index: SchemaIndex): string | undefined {
  const stated = [...statedBy(schema, index, new Set())];
  const texts = keywords.flatMap((keyword) => {
    const values = stated.filter(([name]) => name === keyword).map(([, text]) => text);
    return annotations.has(keyword) ? values.slice(0, 1) : values;
  });
  return texts.length === 0 ? undefined : `\`${[...new Set(texts)].join(', ')}\``;
}

/** Yields the constraints of a schema with their keywords, those of the schema itself first. */
function* statedBy(
  schema: JsonSchema,
  index: SchemaIndex,
  visited: Set<string>,
): Generator<readonly [keyword: string, text: string]> {
  const node = new SchemaNode(schema);
  yield* ownConstraints(node.keywords);
  const { reference } = node;
  const target = reference === undefined ? undefined : node.target(index);
  if (reference !== undefined && target !== undefined && !visited.has(reference)) {
    visited.add(reference);
    if (isScalar(target)) yield* statedBy(target, index, visited);
  }
  const alternatives = [...node.anyOf, ...node.oneOf].filter((part) => !isNull(part));
  const only = alternatives.length === 1 ? alternatives : [];
  for (const part of [...node.allOf, ...only]) yield* statedBy(part, index, visited);
}

function* ownConstraints(schema: JsonObject): Generator<readonly [keyword: string, text: string]> {
  for (const keyword of keywords) {
    const { [keyword]: value } = schema;
    if (value === undefined || !isStated(keyword, value)) continue;
    const valueText = visible(
      typeof value === 'string' && keyword !== 'default' ? value : JSON.stringify(value),
    );
    // A code span cannot contain its delimiter.
    if (valueText.includes('`') || valueText.length > maxValueLength) continue;
    if (valueText !== oneLine(valueText)) continue;
    yield [keyword, `${keyword}: ${valueText}`];
  }
}

/** Returns whether a value of a keyword has an effect that a comment can state. */
function isStated(keyword: string, value: Json): boolean {
  if (keyword === 'default') return true;
  if (keyword === 'uniqueItems') return value === true;
  return typeof value === (keyword === 'format' || keyword === 'pattern' ? 'string' : 'number');
}

function isScalar(schema: JsonSchema): boolean {
  const { types = [] } = new SchemaNode(schema);
  return types.length > 0 && types.every((type) => type !== 'object' && type !== 'array');
}

function isNull(schema: JsonSchema): boolean {
  const { types } = new SchemaNode(schema);
  return types?.length === 1 && types[0] === 'null';
}
