import { isScalar, type Scalar } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { Condition, JsonSchema } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import { type SchemaIndex, resolveSchema, toReference } from '../schema/references.ts';
import { canonicalExpression } from './exclusive-conditions.ts';
import type { Recognizable } from './recognizable.ts';

/** What notifications are compared by. */
type Described = Pick<Recognizable, 'label' | 'payload' | 'headers'>;

/**
 * Returns, for each notification, conditions on the headers and members that decide between candidates: those whose
 * listed values (`const` or `enum`) no two candidates share, unless they list the same values. Such a value decides
 * wherever it is present, so that a condition on one that is not required is optional. Candidates are the notifications
 * with the same label, or without one.
 */
export function decisiveConditions(
  index: SchemaIndex,
  notifications: readonly Described[],
): ReadonlyMap<Described, readonly Condition[]> {
  const conditionsOf = new Map<Described, readonly Condition[]>();
  for (const candidates of Map.groupBy(notifications, ({ label }) => label?.path).values()) {
    if (candidates.length < 2) continue;
    const listed = candidates.map((candidate) => listedValues(index, candidate));
    const decisive = decisiveExpressions(listed);
    for (const [position, candidate] of candidates.entries()) {
      const decisiveValues = [...(listed[position]?.values() ?? [])]
        .filter(({ expression }) => decisive.has(canonicalExpression(expression)))
        .slice(0, maxConditions);
      conditionsOf.set(candidate, decisiveValues.map(toCondition));
    }
  }
  return conditionsOf;
}

/** What the methods of notifications are compared by. */
type WithMethod = Pick<Recognizable, 'label' | 'method' | 'pointer'>;

/**
 * Returns the condition on the method of each notification whose method OpenAPI states, where candidates have different
 * ones. AsyncAPI states only the method of a binding.
 */
export function statedMethods(
  notifications: readonly WithMethod[],
): ReadonlyMap<WithMethod, readonly Condition[]> {
  const stated = notifications.filter(
    ({ method, pointer }) => method !== undefined && pointer.startsWith('openapi#'),
  );
  const groups = [...Map.groupBy(stated, ({ label }) => label?.path).values()];
  return new Map(
    groups
      .filter((group) => new Set(group.map(({ method }) => method)).size > 1)
      .flat()
      .map((notification) => [
        notification,
        [{ expression: '$method', schema: { const: notification.method ?? '' } }],
      ]),
  );
}

/** The values that one notification lists for a header or a member. */
interface ListedValues {
  readonly expression: string;
  readonly values: readonly Scalar[];
  readonly isRequired: boolean;
}

/** Lists with more values are data, such as countries, and not what names a notification. */
const maxValues = 50;

/** The maximum number of members above a value. What names a notification is near the root of its body. */
const maxDepth = 2;

/** The maximum number of conditions for each notification. */
const maxConditions = 8;

/** The maximum number of schemas that are searched for each notification. */
const maxSteps = 500;

function toCondition({ expression, values, isRequired }: ListedValues): Condition {
  const [only = null] = values;
  return {
    expression,
    schema: values.length === 1 ? { const: only } : { enum: [...values] },
    ...(isRequired ? {} : { optional: true }),
  };
}

/**
 * Returns the expressions for which at least two candidates list different values, and no two candidates list a common
 * value without listing the same values.
 */
function decisiveExpressions(
  all: readonly ReadonlyMap<string, ListedValues>[],
): ReadonlySet<string> {
  const shared = new Set<string>();
  const owners = new Map<string, Map<Scalar, string>>();
  for (const listed of all) {
    for (const [key, { values }] of listed) {
      const ownerOf = owners.get(key) ?? new Map<Scalar, string>();
      owners.set(key, ownerOf);
      const owner = JSON.stringify(values.map((value) => JSON.stringify(value)).toSorted());
      for (const value of values) {
        if ((ownerOf.get(value) ?? owner) !== owner) shared.add(key);
        ownerOf.set(value, owner);
      }
    }
  }
  const expressions = [...owners].filter(
    ([key, ownerOf]) => !shared.has(key) && new Set(ownerOf.values()).size > 1,
  );
  return new Set(expressions.map(([key]) => key));
}

/** Returns the values that a notification lists, by the canonical expression: headers first, then members by depth. */
function listedValues(
  index: SchemaIndex,
  { headers, payload }: Described,
): ReadonlyMap<string, ListedValues> {
  const valuesByExpression = new Map<string, ListedValues>();
  const add = (expression: string, values: readonly Scalar[], isRequired: boolean): void => {
    const key = canonicalExpression(expression);
    if (!valuesByExpression.has(key) && values.length <= maxValues)
      valuesByExpression.set(key, { expression, values, isRequired });
  };
  for (const { name, required, schema } of headers) {
    const values = scalarsIn(resolveSchema(index, schema) ?? true);
    if (values !== undefined)
      add(`$request.header.${name}`, [...new Set(values.map(String))], required);
  }
  let steps = maxSteps;
  const visit = (
    schema: JsonSchema,
    path: string,
    depth: number,
    isRequired: boolean,
    outer: readonly string[] = [],
  ): void => {
    steps -= 1;
    if (steps < 0) return;
    const node = new SchemaNode(resolveSchema(index, schema) ?? true);
    const required = new Set([...outer, ...node.required]);
    const members = node.properties.map(([name, property]) => ({
      path: `${path}/${escapeMember(name)}`,
      property: resolveSchema(index, property) ?? true,
      isRequired: isRequired && required.has(name),
    }));
    for (const member of members) {
      const values = scalarsIn(member.property);
      if (values !== undefined) add(`$request.body#${member.path}`, values, member.isRequired);
    }
    for (const part of node.allOf) visit(part, path, depth, isRequired, [...required]);
    if (depth >= maxDepth) return;
    for (const { path: at, property, isRequired: isMet } of members)
      visit(property, at, depth + 1, isMet);
  };
  visit(toReference(payload), '', 1, true);
  return valuesByExpression;
}

/** Returns the scalars that a schema lists, if it lists all of its values. */
function scalarsIn(schema: JsonSchema): readonly Scalar[] | undefined {
  const { values } = new SchemaNode(schema);
  return values !== undefined && values.length > 0 && values.every(isScalar)
    ? [...new Set(values)]
    : undefined;
}
