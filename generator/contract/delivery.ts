import { type Json, isJsonObject, optional } from '../json/json.ts';
import { canonicalExpression } from '../recognition/exclusive-conditions.ts';
import { bodyPathOf, findConditionRead } from '../recognition/reads.ts';
import { findUndecidable, holds, patternsOf } from '../schema/value-set.ts';
import { meetsCondition } from '../recognition/match-variant.ts';
import { SchemaNode } from '../schema/node.ts';
import { isRange, typeOf } from '../specification/media-type.ts';
import type { Delivery, Notification, Reading } from './contract.ts';
import { templateNames } from './path-template.ts';
import { withReadData } from './representations.ts';

/** The method, path and headers with which a sender delivers a notification. A notification in the query has no body. */
export interface AddressedDelivery {
  readonly method: string;
  /** The path of the label with its parameters replaced; empty where there is no label. */
  readonly path: string;
  /** By header name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the method, path and headers of a delivery of a notification.
 * @param valueOf returns the value of a parameter of the label's path, not encoded; by default the one that identifies
 *   the notification, or else the parameter's name
 */
export function toDelivery(
  notification: Notification,
  valueOf: (parameter: string) => string | undefined = () => undefined,
): AddressedDelivery {
  const { label, delivery } = notification;
  const { method, contentType, headers } = delivery;
  const path = label?.path.replaceAll(/\{([^{}]*)\}/gu, (_, name: string) =>
    encodeURIComponent(
      valueOf(name) ??
        identifyingValue(notification, `$request.path.${name}`, []) ??
        name.toWellFormed(),
    ),
  );
  return {
    method,
    path: path ?? '',
    headers: { ...optional('content-type', contentType), ...headers },
  };
}

/** Describes what every delivery of a notification has. */
export function describeDelivery(notification: DescribedData): Delivery {
  const { label, method = label?.method ?? 'POST', encoding, successes } = notification;
  return {
    method,
    ...(encoding === 'query' ? {} : { contentType: sentContentType(notification) }),
    headers: constantHeaders(notification),
    ...(successes.length === 0 ? {} : { statuses: successes.map(({ status }) => status) }),
  };
}

/** Returns a notification as it is sent in another one of the representations that receivers read. */
export function sentAs(
  { representations, ...notification }: Notification,
  { mediaType, range = mediaType }: Pick<Reading, 'mediaType' | 'range'>,
): Notification {
  const sent = withReadData({
    ...notification,
    representations: representations.map((representation) => {
      const { isRead: _, union: __, ...one } = representation;
      return one.mediaType === range ? { ...one, mediaType, isRead: true as const } : one;
    }),
  });
  return { ...sent, delivery: describeDelivery(sent) };
}

/** What decides how a notification is sent. */
type DescribedData = Pick<
  Notification,
  'label' | 'method' | 'encoding' | 'contentType' | 'identifiedBy' | 'headers' | 'successes'
>;

/** Returns the media type that a notification is sent with: JSON if the contract states a range. */
function sentContentType({ contentType }: Pick<Notification, 'contentType'>): string {
  if (!isRange(contentType)) return contentType;
  return typeOf(contentType) === 'text/*' ? 'text/json' : 'application/json';
}

/** Returns the names of the parameters of the label's path. */
export function labelParameters({ label }: Notification): readonly string[] {
  return templateNames(label?.path ?? '');
}

/** Returns the headers that identify the notification, or have a required constant value, by name in lower case. */
function constantHeaders(notification: DescribedData): Record<string, string> {
  const { identifiedBy, headers } = notification;
  const [first = []] = identifiedBy;
  const identifying = first.flatMap(({ expression }) => {
    const name = headerOf(expression);
    if (name === undefined) return [];
    const value = identifyingValue(notification, expression, headerExamples(notification, name));
    return value === undefined ? [] : [[name, value] as const];
  });
  const required = headers.flatMap(({ name, required: isRequired, schema }) => {
    const [value] = isRequired ? (new SchemaNode(schema).values ?? []) : [];
    return typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
  });
  return Object.fromEntries([...required, ...identifying]);
}

/**
 * Returns the text with which a value identifies a notification, by its first alternative: the first that the condition
 * lists, or else the first example that satisfies it, or a text that its pattern matches.
 */
export function identifyingValue(
  { identifiedBy: [conditions = []] }: Pick<Notification, 'identifiedBy'>,
  expression: string,
  examples: readonly Json[],
): string | undefined {
  const key = canonicalExpression(expression);
  const condition = conditions.find(
    (candidate) => canonicalExpression(candidate.expression) === key,
  );
  if (condition === undefined || findUndecidable(condition.schema) !== undefined) return undefined;
  const { schema, sample } = condition;
  const [listed] = new SchemaNode(schema).values ?? [];
  if (listed !== undefined) return typeof listed === 'string' ? listed : undefined;
  if (patternsOf(schema).length === 0) return undefined;
  const example = examples.find(
    (value) => typeof value === 'string' && holds(schema, { type: 'string', value }),
  );
  return typeof example === 'string' ? example : sample;
}

/** Returns the name of the header that an expression reads, in lower case; `undefined` for any other expression. */
export function headerOf(expression: string): string | undefined {
  return /^\$request\.header\.(.+)$/u.exec(expression)?.[1]?.toLowerCase();
}

/** Returns the examples of a header. */
export function headerExamples(
  { headers }: Pick<Notification, 'headers'>,
  name: string,
): readonly Json[] {
  return headers
    .filter((header) => header.name.toLowerCase() === name)
    .flatMap(({ examples, schema }) => {
      const { examples: ofSchema } = new SchemaNode(schema).keywords;
      return Array.isArray(ofSchema) ? [...examples, ...(ofSchema as readonly Json[])] : examples;
    });
}

/**
 * Returns a value of the schema of a notification's data, with texts that match the patterns which identify the
 * notification where its own do not.
 */
export function toIdentified({ identifiedBy }: Notification, value: Json): Json {
  const [first = []] = identifiedBy;
  return first.reduce((before, condition) => {
    const path = bodyPathOf(findConditionRead(condition.expression));
    return path === undefined || condition.sample === undefined || meetsCondition(before, condition)
      ? before
      : replaceAt(before, path, condition.sample);
  }, value);
}

/** Returns a value with a text at a path of members; the value itself where a container of the path is missing. */
function replaceAt(value: Json, path: readonly string[], by: string): Json {
  const [member, ...inner] = path;
  if (member === undefined) return by;
  if (!isJsonObject(value)) return value;
  const before = value[member];
  if (inner.length === 0) return { ...value, [member]: by };
  return before === undefined ? value : { ...value, [member]: replaceAt(before, inner, by) };
}
