import { isJsonObject, textsIn } from '../json/json.ts';
import type { Cursor } from '../json/cursor.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { JsonSchema } from './model.ts';
import { SchemaNode } from './node.ts';
import { conjunctsAt } from './visit.ts';

/**
 * Returns the function that adds to an alternative of a union the values of the discriminating property that select it:
 * those that `mapping` leads to it, or else the name of its schema. An alternative without such a value is returned as
 * it is. Returns `undefined` for a union without a discriminator.
 * @see OpenAPI 3.1, 4.8.25 Discriminator Object
 */
export function discriminatorOf(
  union: Cursor,
): ((alternative: Cursor, normalized: JsonSchema) => JsonSchema) | undefined {
  const property = union.text('discriminator', 'propertyName');
  if (property === undefined) return undefined;
  const mapping = Map.groupBy(
    union.entries('discriminator', 'mapping'),
    ([, to]) => targetOf(to)?.pointer,
  );
  const isRequiredBy = (part: Cursor): boolean => part.texts('required').includes(property);
  return (alternative, normalized) => {
    const reference = alternative.localReference;
    if (reference === undefined || !isJsonObject(normalized)) return normalized;
    if (new SchemaNode(normalized).has('properties', 'required')) return normalized;
    const parts = conjunctsAt(alternative);
    const mapped = (mapping.get(alternative.follow().pointer) ?? []).map(([value]) => value);
    const name = componentName(alternative.lookUp(reference));
    const values = selectingValues(mapped, name, declaredValues(parts, property));
    if (values === undefined) return normalized;
    const [only = ''] = values;
    return {
      ...normalized,
      properties: Object.fromEntries([
        [property, values.length === 1 ? { const: only } : { enum: values }],
      ]),
      ...([union, ...parts].some(isRequiredBy) ? { required: [property] } : {}),
    };
  };
}

/**
 * Returns the values that select an alternative; `undefined` where the contract states none, or none that is valid.
 * @param mapped the values that are mapped to the alternative
 * @param name the name of its schema, which selects it if nothing is mapped to it
 */
function selectingValues(
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
function targetOf(entry: Cursor): Cursor | undefined {
  const to = entry.text();
  if (to === undefined) return undefined;
  if (to.startsWith('#')) return entry.lookUp(to).follow();
  return entry.document.child('components', 'schemas', to).follow();
}

function componentName({ pointer }: Cursor): string | undefined {
  const [section, kind, name, ...rest] = pointerMembers(pointer);
  const isComponent = section === 'components' && kind === 'schemas' && rest.length === 0;
  return isComponent ? name : undefined;
}

/**
 * Returns the strings that all of several schemas accept as the value of a property: `any` where none of them lists
 * values, and `other` where one of them accepts no strings.
 */
function declaredValues(
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
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.includes(value))) ?? 'any';
}
