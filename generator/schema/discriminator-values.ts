import type { Cursor } from '../json/cursor.ts';
import { isJsonObject, textsIn } from '../json/json.ts';
import { pointerDocument } from '../json/pointer.ts';
import { readSchemaFormat } from '../specification/schema-format.ts';
import { formatsIn } from '../specification/schema-formats.ts';
import { SchemaNode } from './node.ts';
import { conjunctsAt } from './visit.ts';

/**
 * Returns the property that the discriminator of a schema names. In AsyncAPI, a discriminator is the name of the property,
 * and says of the schemas that inherit from the schema, or are its alternatives, that their names are its values. It has
 * no meaning in a schema whose format is that of JSON Schema.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#schemaComposition
 */
export function discriminatingProperty(schema: Cursor): string | undefined {
  const property = schema.text('discriminator', 'propertyName');
  const name = property === undefined ? schema.text('discriminator') : undefined;
  if (name === undefined || pointerDocument(schema.pointer) !== 'asyncapi') return property;
  const format = readSchemaFormat(formatsIn(schema.root).of(schema.pointer) ?? '');
  return format?.of === 'json-schema' ? undefined : name;
}

/**
 * Returns the values that select an alternative; `undefined` where the contract states none, or none that is valid.
 * @param mapped the values that are mapped to the alternative
 * @param name the name of its schema, which selects it if nothing is mapped to it
 */
export function selectingValues(
  mapped: readonly string[],
  name: string | undefined,
  declared: readonly string[] | 'any' | 'other',
): readonly string[] | undefined {
  if (declared === 'other') return undefined;
  const stated = mapped.length > 0 || name === undefined ? mapped : [name];
  const values = declared === 'any' ? stated : stated.filter((value) => declared.includes(value));
  if (values.length > 0) return values;
  // Many contracts declare the value in the alternative and do not map it.
  return declared === 'any' || mapped.length > 0 || declared.length === 0 ? undefined : declared;
}

/** Returns the schema that an entry of `mapping` leads to, by name or by reference. */
export function mappingTarget(entry: Cursor): Cursor | undefined {
  const to = entry.text();
  if (to === undefined) return undefined;
  if (to.startsWith('#')) return entry.lookUp(to).follow();
  return entry.document.child('components', 'schemas', to).follow();
}

/**
 * Returns the strings that all of several schemas accept as the value of a property: `any` where none of them lists
 * values, and `other` where one of them accepts no strings.
 */
export function declaredValues(
  parts: readonly Cursor[],
  property: string,
): readonly string[] | 'any' | 'other' {
  const declarations = parts
    .map((part) => part.child('properties', property))
    .flatMap(conjunctsAt)
    .flatMap(({ value }) => (isJsonObject(value) ? [value] : []));
  if (declarations.some(({ type }) => type !== undefined && !textsIn(type).includes('string')))
    return 'other';
  const lists = declarations.flatMap((schema) => {
    const { values } = new SchemaNode(schema);
    return values === undefined ? [] : [values.filter((value) => typeof value === 'string')];
  });
  const [first, ...otherLists] = lists;
  return first?.filter((value) => otherLists.every((list) => list.includes(value))) ?? 'any';
}
