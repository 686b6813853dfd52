import { isScalar, type Json, type Scalar } from '../json/json.ts';
import { conjunctsOf } from '../schema/conjuncts.ts';
import type { Condition, JsonSchema } from '../schema/model.ts';
import type { SchemaNode } from '../schema/node.ts';
import { type SchemaIndex, toReference } from '../schema/references.ts';
import { areDisjoint, findUndecidable, typeOfScalar } from '../schema/value-set.ts';
import { dataFormat } from './data-format.ts';
import type { Recognizable } from './recognizable.ts';
import { bodyPathOf, containersOf, findConditionRead } from './reads.ts';

/** What the contract declares about a value that a condition reads. */
export interface DeclaredValue {
  /** Returns whether no value that the contract allows satisfies a schema. */
  excludes(condition: JsonSchema): boolean;
  /** Returns whether the contract allows another value of the same type, so that only the value is wrong. */
  allowsType(value: Scalar): boolean;
  /** The values that the contract lists. */
  readonly listed: readonly Scalar[];
}

/**
 * Returns what the contract declares about the value of an expression in the deliveries of a notification; `undefined`
 * where that is not known. Patterns and bounds of schemas are not regarded: their values are not compared.
 */
export function declaredValue(
  { payload, headers, contentType, encoding }: DeclaringNotification,
  expression: string,
  index: SchemaIndex,
): DeclaredValue | undefined {
  const read = findConditionRead(expression);
  const path = bodyPathOf(read);
  if (path !== undefined) {
    const format = dataFormat({ contentType, ...(encoding === undefined ? {} : { encoding }) });
    if (format === 'xml' || format === 'any') return undefined;
    return valueAt([toReference(payload)], path, index);
  }
  if (read === undefined || read === 'raw') return undefined;
  const declared =
    typeof read === 'object' && 'header' in read
      ? headers.find(({ name }) => name.toLowerCase() === read.header)
      : undefined;
  const lists = conjunctsOf(declared === undefined ? [] : [declared.schema], index)
    .map(({ values }) => values)
    .filter((values) => values?.every(isScalar) === true);
  // Whatever its schema, the value of a header, of a parameter or of the method arrives as text.
  const schemas: readonly JsonSchema[] = [
    { type: 'string' },
    ...lists.map((values) => ({ enum: (values ?? []).map(String) })),
  ];
  return valueAt(schemas, [], index);
}

type DeclaringNotification = Pick<Recognizable, 'payload' | 'headers' | 'contentType' | 'encoding'>;

/** The remaining steps of a search. Alternatives of hostile schemas multiply by nesting. */
interface Search {
  readonly index: SchemaIndex;
  steps: number;
}

function valueAt(
  schemas: readonly JsonSchema[],
  path: readonly string[],
  index: SchemaIndex,
): DeclaredValue {
  const excludes = (condition: JsonSchema): boolean =>
    excludesAt(schemas, path, condition, { index, steps: 2000 });
  return {
    excludes,
    allowsType: (value) => {
      const type = typeOfScalar(value);
      return type !== 'absent' && !excludes({ type });
    },
    get listed() {
      return [...new Set(listedAt(schemas, path, { index, steps: 2000 }))];
    },
  };
}

/** Returns whether schemas exclude each value at a path that satisfies a condition. */
function excludesAt(
  schemas: readonly JsonSchema[],
  path: readonly string[],
  condition: JsonSchema,
  search: Search,
): boolean {
  search.steps -= 1;
  if (search.steps < 0) return false;
  const parts = conjunctsOf(schemas, search.index);
  const [member, ...rest] = path;
  if (member === undefined) {
    const stated = parts.flatMap(toDecidable);
    if (condition !== false && stated.length > 0 && areDisjoint(condition, { allOf: stated }))
      return true;
  } else if (excludesInside(parts, member, rest, condition, search)) return true;
  return parts.some((part) =>
    [part.oneOf, part.anyOf].some(
      (alternatives) =>
        alternatives.length > 0 &&
        alternatives.every((alternative) => excludesAt([alternative], path, condition, search)),
    ),
  );
}

function excludesInside(
  parts: readonly SchemaNode[],
  member: string,
  rest: readonly string[],
  condition: JsonSchema,
  search: Search,
): boolean {
  const inner = parts
    .map((part) => part.property(member))
    .filter((property) => property !== undefined);
  if (condition !== false) {
    const containers = containersOf(member);
    const hasNone = parts.some(
      ({ types }) =>
        types?.every((type) => !containers.some((container) => container === type)) === true,
    );
    return hasNone || inner.includes(false) || excludesAt(inner, rest, condition, search);
  }
  // Only an object that has to have the member excludes its absence.
  const isObject = parts.some(({ types }) => types?.join() === 'object');
  const isRequired = parts.some(({ required }) => required.includes(member));
  return (
    isObject && isRequired && (rest.length === 0 || excludesAt(inner, rest, condition, search))
  );
}

/** Returns the keywords of a schema by which values are compared. Values of other keywords are not known. */
function toDecidable({ types, values }: SchemaNode): readonly JsonSchema[] {
  return [
    ...(types === undefined ? [] : [{ type: [...types] }]),
    ...(values?.every(isScalar) === true ? [{ enum: [...values] }] : []),
  ];
}

function listedAt(
  schemas: readonly JsonSchema[],
  path: readonly string[],
  search: Search,
): readonly Scalar[] {
  search.steps -= 1;
  if (search.steps < 0) return [];
  const parts = conjunctsOf(schemas, search.index);
  const [member, ...rest] = path;
  const inner = (part: SchemaNode): readonly JsonSchema[] => {
    const property = member === undefined ? undefined : part.property(member);
    return property === undefined ? [] : [property];
  };
  return [
    ...(member === undefined
      ? parts.flatMap(({ values = [] }) => values.filter((value: Json) => isScalar(value)))
      : listedAt(parts.flatMap(inner), rest, search)),
    ...parts.flatMap((part) =>
      [...part.oneOf, ...part.anyOf].flatMap((alternative) =>
        listedAt([alternative], path, search),
      ),
    ),
  ];
}

/** Returns whether no delivery that the contract allows satisfies a condition. */
export function isExcludedCondition(
  { schema, optional }: Pick<Condition, 'schema' | 'optional'>,
  declared: DeclaredValue | undefined,
): boolean {
  return (
    declared !== undefined &&
    optional !== true &&
    findUndecidable(schema) === undefined &&
    declared.excludes(schema)
  );
}
