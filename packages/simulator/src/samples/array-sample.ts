import type { JsonSchema } from 'countersign';
import type { SchemaNode } from 'countersign/companion/contract';
import { toCanonical } from 'countersign/companion/values';
import type { Json } from 'countersign/kit';
import type { Conjunction } from './conjunction.ts';
import { NoSample } from './no-sample.ts';
import type { StructureChoices } from './object-sample.ts';
import type { Place, ValueWriter } from './value-writer.ts';

/** The longest array that is made. */
const maxItems = 5000;
/** The attempts to make an item that is different from the others. */
const maxTries = 40;

/**
 * Makes an array that satisfies the keywords for arrays of several schemas.
 * @throws NoSample if there is none, or none within the limits
 */
export function makeArray(
  writer: ValueWriter,
  { nodes }: Conjunction,
  place: Place,
  choices: StructureChoices,
): readonly Json[] {
  const least = (keyword: string): number =>
    Math.max(0, ...nodes.map((node) => node.number(keyword) ?? 0));
  const most = Math.min(...nodes.map(maxLengthOf));
  const contained = nodes.flatMap((node) => {
    const schema = node.schema('contains');
    return schema === undefined ? [] : [{ schema, count: node.number('minContains') ?? 1 }];
  });
  const needed = contained.flatMap(({ schema, count }) =>
    Array.from({ length: Math.min(count, maxItems) }, () => schema),
  );
  // The items of different `contains` can be the same ones if they do not fit behind each other.
  const min = Math.max(least('minItems'), Math.min(needed.length, most));
  if (min > most) throw new NoSample('No array is as long as minItems and maxItems require.');
  if (min > maxItems) throw new NoSample('The array would be too long.');
  const length = Math.max(min, Math.min(most, usualLength(writer, nodes, place, choices)));
  const isUnique = nodes.some((node) => node.keywords['uniqueItems'] === true);
  const prefix = Math.max(0, ...nodes.map((node) => node.prefixItems.length));
  const offset = Math.min(prefix, Math.max(0, length - needed.length));
  const items: Json[] = [];
  const writtenItems = new Set<string>();
  for (let index = 0; index < length; index += 1) {
    const contains = needed[index - offset];
    const schemas = [...itemSchemas(nodes, index), ...(contains === undefined ? [] : [contains])];
    try {
      items.push(writeItem(writer, schemas, place, index, isUnique ? writtenItems : undefined));
    } catch (error) {
      if (!(error instanceof NoSample) || index < min) throw error;
      break;
    }
  }
  return items;
}

/** Returns the length of an array whose length the schemas leave open. */
function usualLength(
  { plan }: ValueWriter,
  nodes: readonly SchemaNode[],
  { depth }: Place,
  { draw, usual, refusals }: StructureChoices,
): number {
  if (plan.extent === 'minimal' || depth >= plan.levels) {
    return usual || depth > plan.levels + 3 ? 0 : refusals % 3;
  }
  if (plan.extent === 'maximal') {
    return Math.max(1, ...nodes.map((node) => node.prefixItems.length));
  }
  return draw.integer(0, 2);
}

function maxLengthOf(node: SchemaNode): number {
  const isClosed =
    node.schema('items') === false ||
    (node.schema('items') === undefined && node.schema('unevaluatedItems') === false);
  return Math.min(
    node.number('maxItems') ?? Infinity,
    isClosed ? node.prefixItems.length : Infinity,
  );
}

function itemSchemas(nodes: readonly SchemaNode[], index: number): readonly JsonSchema[] {
  return nodes.flatMap((node) => {
    const schema =
      node.prefixItems[index] ?? node.schema('items') ?? node.schema('unevaluatedItems');
    return schema === undefined ? [] : [schema];
  });
}

function writeItem(
  writer: ValueWriter,
  schemas: readonly JsonSchema[],
  place: Place,
  index: number,
  writtenItems: Set<string> | undefined,
): Json {
  if (writtenItems === undefined) return writer.writeChild(schemas, place, index);
  for (let tries = 0; tries < maxTries; tries += 1) {
    // Listed values and alternatives differ by the index, so that most items are different at the first attempt.
    const item = writer.writeChild(schemas, place, index, place.variant + index + tries);
    const key = toCanonical(item);
    if (writtenItems.has(key)) continue;
    writtenItems.add(key);
    return item;
  }
  throw new NoSample('No item is different from the others.');
}
