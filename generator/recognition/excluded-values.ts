import { isScalar, type Json, type Scalar } from '../json/json.ts';
import { conjunctsOf } from '../schema/conjuncts.ts';
import type { Condition, JsonSchema } from '../schema/model.ts';
import type { SchemaNode } from '../schema/node.ts';
import { type SchemaIndex, toReference } from '../schema/references.ts';
import { areDisjoint, findUndecidable, scalarsOf, typeOfScalar } from '../schema/value-set.ts';
import { dataFormats } from './data-format.ts';
import type { Recognizable } from './recognizable.ts';
import { bodyPathOf, containersOf, findConditionRead, type Read } from './reads.ts';
import { canHaveParameter } from './routes.ts';

/** What the contract declares about a value that a condition reads. */
export interface DeclaredValue {
  /** Returns whether no value that the contract allows satisfies a schema. */
  excludes(condition: JsonSchema): boolean;
  /** Returns whether the contract allows another value of the same type, so that only the value is wrong. */
  allowsType(value: Scalar): boolean;
  /** The values that the contract lists. */
  readonly listed: readonly Scalar[];
  /** What no text in this part of a request can be, for a text that a condition states. */
  readonly limit?: RequestLimit;
}

/** What the part of a request that a condition reads can be. */
interface RequestLimit {
  /** Returns whether no request has a text there. */
  excludes(text: string): boolean;
  /** A sentence for the author of the condition. */
  readonly rule: string;
}

/**
 * Returns what the contract declares about the value of an expression in the deliveries of a notification; `undefined`
 * where that is not known. Patterns and bounds of schemas are not regarded: their values are not compared.
 */
export function declaredValue(
  notification: DeclaringNotification,
  expression: string,
  index: SchemaIndex,
): DeclaredValue | undefined {
  const { payload, headers } = notification;
  const read = findConditionRead(expression);
  const path = bodyPathOf(read);
  if (path !== undefined) {
    if (dataFormats(notification).some((format) => format === 'xml' || format === 'any'))
      return undefined;
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
  const limit = limitOf(read, notification);
  const declaredText = valueAt(schemas, [], index);
  if (limit === undefined) return declaredText;
  return {
    ...declaredText,
    excludes: (condition) => {
      const impossible = scalarsOf(condition).filter(
        (value) => typeof value === 'string' && limit.excludes(value),
      );
      const possible: JsonSchema = { type: 'string', not: { enum: impossible } };
      return (
        declaredText.excludes(condition) ||
        (impossible.length > 0 && areDisjoint(condition, possible))
      );
    },
    limit,
  };
}

/** Returns what a text can be in the part of a request that a condition reads. */
function limitOf(
  read: Exclude<Read, 'raw'>,
  { method, label }: DeclaringNotification,
): RequestLimit | undefined {
  if (read === 'method')
    return {
      excludes: (text) => (method === undefined ? !/^[A-Z-]+$/u.test(text) : text !== method),
      rule:
        method === undefined
          ? 'A method is written in capital letters.'
          : `The deliveries of the notification come by ${method}.`,
    };
  if (typeof read !== 'object') return undefined;
  if ('header' in read)
    return {
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      excludes: (text) => /^[\t ]|[\t ]$|[\u0000-\u0008\u000a-\u001f\u007f]/u.test(text),
      rule: 'The value of a header has no control characters, and no space at its start or end.',
    };
  if (!('parameter' in read)) return undefined;
  const { parameter } = read;
  const path = label?.path ?? `/{${parameter}}`;
  return {
    excludes: (text) => !canHaveParameter(path, parameter, text),
    rule: 'A parameter of a path is not empty. Receivers refuse the segments `.` and `..`, and those with a slash, a backslash, a control character or an escape.',
  };
}

type DeclaringNotification = Pick<
  Recognizable,
  'payload' | 'headers' | 'contentType' | 'encoding' | 'method' | 'label'
>;

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
