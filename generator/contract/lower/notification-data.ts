import type { Cursor } from '../../json/cursor.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import type {
  Example,
  OtherParameter,
  Parameter,
  StatedContent,
  StatedRepresentation,
} from '../contract.ts';
import { examplesOf } from '../declared-proofs.ts';
import { readRepresentations } from '../representations.ts';
import { formType, isRangeOfText, kindOf, typeOf } from '../../specification/media-type.ts';
import { conjunctsAt } from '../../schema/visit.ts';
import type { LoweringContext } from './lowering-context.ts';
import { lowerContent, sharedName } from './operations.ts';

/** The methods of requests that have no body. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Describes the body of a webhook in each media type that it can have, and marks the one that senders write. A body
 * without any is JSON. Where receivers read several with different schemas, their union is a schema too.
 */
export function describeBody(
  body: Cursor,
  typeName: string,
  context: LoweringContext,
): readonly StatedRepresentation[] {
  const wanted = sharedName(body, 'RequestBody') ?? `${typeName} Payload`;
  const content = lowerContent(body.child('content'), wanted, context);
  const read = chooseContent(content);
  const { mediaType } = read;
  const at = content.length === 0 ? body : body.child('content', mediaType).follow();
  const schema = read.schema ?? context.schemas.nameAt(at.child('schema'), wanted);
  const all = content.length === 0 ? [read] : content;
  const hasForm = all.some((one) => kindOf(one.mediaType) === 'form');
  const marked: readonly StatedRepresentation[] = all.map((one) => ({
    ...one,
    ...(!hasForm && isRangeOfForms(body, one) ? { isFormToo: true } : {}),
    ...(one === read ? { schema, isRead: true } : {}),
  }));
  const readings = readRepresentations(marked).filter((one) => one.schema !== undefined);
  if (new Set(readings.map((one) => one.schema)).size < 2) return marked;
  const anyOf = readings.map((reading): Json => {
    const at = body.child('content', reading.mediaType).follow().child('schema');
    return { $ref: at.localReference ?? at.pointer.slice(at.pointer.indexOf('#')) };
  });
  const union = context.schemas.nameAt(body.child('content').withValue({ anyOf }), `${wanted}s`);
  return marked.map((one) => (one.isRead === true ? { ...one, union } : one));
}

/** Returns whether a media type of a body is a range that contains forms, and its schema that of an object. */
function isRangeOfForms(body: Cursor, { mediaType }: StatedContent): boolean {
  const type = typeOf(mediaType);
  if (type !== '*/*' && type !== 'application/*') return false;
  return isObject(body.child('content', mediaType).follow().child('schema'));
}

/** Returns whether each value of a schema is an object. */
function isObject(schema: Cursor, outer: readonly Json[] = []): boolean {
  const parts = conjunctsAt(schema);
  return parts.some((part) => {
    const { value } = part;
    if (!isJsonObject(value) || outer.includes(value)) return false;
    const alternatives = ['oneOf', 'anyOf'].map((keyword) => part.items(keyword));
    return (
      value['type'] === 'object' ||
      (value['type'] === undefined && value['properties'] !== undefined) ||
      alternatives.some(
        (all) => all.length > 0 && all.every((each) => isObject(each, [...outer, value])),
      )
    );
  });
}

/**
 * Returns the content that a receiver reads: JSON, or else a form, a range of media types with JSON, or the first. Bodies
 * of other media types are read as JSON.
 */
function chooseContent(content: readonly StatedContent[]): StatedContent {
  return (
    content.find(({ mediaType }) => kindOf(mediaType) === 'json') ??
    content.find(({ mediaType }) => kindOf(mediaType) === 'form') ??
    content.find(({ mediaType }) => isRangeOfText(mediaType)) ??
    content[0] ?? { mediaType: 'application/json', examples: [] }
  );
}

/**
 * Returns whether a webhook has its data in the query: it declares no body. A body that arrives nevertheless is read if it
 * is JSON.
 */
export function isInQuery(body: Cursor): boolean {
  return body.value === undefined;
}

/** Returns whether the HTTP method of a message is one whose requests have no body. */
export function isWithoutBody(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns the parameters in cookies, and those of the query unless they are the data; `undefined` if there are none.
 * @param isQuery whether the data is in the query
 */
export function otherParameters(
  parameters: readonly Parameter[],
  isQuery: boolean,
): readonly OtherParameter[] | undefined {
  const others = parameters.flatMap((parameter) => {
    const { name, in: place } = parameter;
    const isOther = place === 'cookie' || (place === 'query' && !isQuery);
    return isOther ? [{ name, in: place, examples: examplesOf(parameter) }] : [];
  });
  return others.length === 0 ? undefined : others;
}

/** Describes the data of a webhook whose parameters of the query are the data: an object of them. */
export function describeQuery(
  method: string,
  operation: Cursor,
  parameters: readonly Parameter[],
  typeName: string,
  { schemas }: LoweringContext,
): StatedRepresentation {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const properties = Object.fromEntries(
    inQuery.map(({ name, pointer }) => [name, writtenSchema(operation.document, pointer)]),
  );
  const required = inQuery.filter((parameter) => parameter.required).map(({ name }) => name);
  // Where nothing is declared, every body that a request with this method can have is valid.
  const isOpen = inQuery.length === 0 && !withoutBody.has(method);
  const schema = operation.child('parameters').withValue({
    ...(isOpen ? {} : { type: 'object' }),
    ...(inQuery.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  });
  const styles = inQuery.flatMap(({ name, style, explode, mediaType }) =>
    mediaType !== undefined || (style === 'form' && explode)
      ? []
      : [[name, { style, explode }] as const],
  );
  const example = exampleOf(inQuery, operation);
  return {
    mediaType: formType,
    isQuery: true,
    isRead: true,
    ...(styles.length === 0 ? {} : { memberStyles: Object.fromEntries(styles) }),
    schema: schemas.nameAt(schema, `${typeName} Payload`),
    examples: example === undefined ? [] : [example],
  };
}

/** Returns the schema of a parameter as it is written. */
function writtenSchema(root: Cursor, pointer: Parameter['pointer']): Json {
  const at = root.child(...pointerMembers(pointer));
  const [content] = at.entries('content');
  const schema = content === undefined ? at.child('schema') : content[1].child('schema');
  return schema.value ?? {};
}

/** Returns an example that has all required parameters, if each of them has one. */
function exampleOf(parameters: readonly Parameter[], { pointer }: Cursor): Example | undefined {
  const members = parameters.flatMap(({ name, schema, examples }): readonly [string, Json][] => {
    const [value = examplesIn(schema)[0]] = examples;
    return value === undefined ? [] : [[name, value]];
  });
  const named = new Set(members.map(([name]) => name));
  if (members.length === 0 || parameters.some(({ name, required }) => required && !named.has(name)))
    return undefined;
  return {
    kind: 'example',
    pointer,
    source: [],
    name: 'example',
    value: Object.fromEntries(members),
  };
}

function examplesIn(schema: Parameter['schema']): readonly Json[] {
  const list = isJsonObject(schema) ? schema['examples'] : undefined;
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}
