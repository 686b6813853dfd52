import type { Pointer } from '../../json/pointer.ts';
import type {
  InvalidExample,
  Label,
  Message,
  Notification,
  ReadData,
  SecurityRequirement,
} from '../contract.ts';
import type { StatedNotification } from '../complete.ts';
import type { Expressions } from '../vocabulary/types.ts';
import { type Cursor, optionalTexts } from '../../json/cursor.ts';
import { optional } from '../../json/json.ts';
import { conditionPlaces, readIdentification } from '../../recognition/identification.ts';
import { findRead } from '../../recognition/reads.ts';
import { lowerReplies, lowerSuccesses } from './answers.ts';
import { lowerMessageSecurity, serversOfCalls } from './message-security.ts';
import { componentName, lowerMessageHeaders, lowerMessageHeadersSchema } from './message-traits.ts';
import { distinctNames, toMemberName, toTypeName } from '../names.ts';
import { isHttpRequest } from '../../specification/protocols.ts';
import { inherited, withTraits } from '../../specification/traits.ts';
import type { OperationPlace } from '../../specification/operation-places.ts';
import { toExample } from './examples.ts';
import { lowerOwnRequirements, lowerSecurityRequirements } from './operations.ts';
import { namesOfSchemas } from './shared-path-items.ts';
import { lowerChannelParameters, lowerParameters, lowerQuerySchema } from './parameters.ts';
import type { LoweringContext } from './lowering-context.ts';
import {
  describeBody,
  describeQuery,
  isInQuery,
  isWithoutBody,
  otherParameters,
} from './notification-data.ts';
import { formType } from '../../specification/media-type.ts';
import { takeNames } from './take-names.ts';
import {
  type MessagePlace,
  messagePlaces,
  methodsByKey,
  webhookId,
} from '../../specification/message-place.ts';

/** A notification before it is compared with the others. */
export type DraftNotification = Omit<StatedNotification, 'ambiguousWith'>;

/** A notification of which it is decided what receivers read. */
export type ReadNotification = DraftNotification & ReadData;

/**
 * Returns the notifications of an AsyncAPI document: each message of each operation with the given action, if its
 * protocol is HTTP.
 */
export function lowerMessages(
  root: Cursor,
  action: 'send' | 'receive',
  names: NotificationNames,
  context: LoweringContext,
): readonly DraftNotification[] {
  const callServers = serversOfCalls(root, action);
  return deliveredMessages(root, action).map((place) => {
    const { id, ownId, key, message, operation, channel } = place;
    const { name, typeName } = names(place);
    const messageName = id === ownId ? typeName : toTypeName(ownId);
    const method = methodOf(operation);
    const headers = lowerMessageHeaders(message, context);
    const { contentType, examples, ...described } = describeMessage(message, operation, root);
    const query = queryOf(operation);
    const declaredPayload = message.child('payload');
    const isQuery = declaredPayload.value === undefined || isWithoutBody(method);
    const payload =
      declaredPayload.value === undefined && query !== undefined
        ? context.schemas.nameAt(query, `${componentName(query) ?? key} Query`)
        : context.schemas.nameAt(declaredPayload, `${messageName} Payload`);
    return {
      kind: 'notification',
      pointer: message.pointer,
      places: placesOf(message, operation, channel),
      ...message.annotations(),
      id,
      name,
      typeName,
      ...described,
      ...optional('method', method),
      ...optional('label', labelOf(channel, method, context)),
      headers,
      ...optional('headersSchema', lowerMessageHeadersSchema(message, messageName, context)),
      ...optional(
        'otherParameters',
        query && otherParameters(lowerQuerySchema(query, context), isQuery),
      ),
      representations: [
        {
          mediaType: isQuery ? formType : contentType,
          schema: payload,
          examples,
          isRead: true,
          ...(isQuery ? { isQuery } : {}),
        },
      ],
      successes: lowerReplies(
        operation,
        (reply) => describeMessage(reply, operation, root).contentType,
      ),
      ...declaredIdentification(message, context),
      ...keysOf(message, context),
      invalidExamples: invalidExamples(message),
      security: lowerMessageSecurity(root, channel, operation, callServers),
    };
  });
}

/**
 * Returns the notifications of an OpenAPI document. The places are its webhooks and callbacks, or its paths where the
 * contract is written from the integrator's perspective.
 * @param hasLabels whether the keys of the places are paths, which become labels
 */
export function lowerWebhooks(
  places: readonly OperationPlace[],
  hasLabels: boolean,
  root: Cursor,
  names: NotificationNames,
  context: LoweringContext,
): readonly DraftNotification[] {
  const delivered = deliveredWebhooks(places, hasLabels);
  const schemaNames = namesOfSchemas(
    delivered,
    delivered.map((place) => names(place).typeName),
    (place) => webhookId(place, new Set(['POST']), hasLabels),
  );
  return delivered.map((place, index) => {
    const { id, operation, pathItem, method, key } = place;
    const { name, typeName } = names(place);
    const schemaName = schemaNames[index] ?? typeName;
    const body = operation.child('requestBody').follow();
    const bodies = isInQuery(body) ? undefined : describeBody(body, schemaName, context);
    const parameters = lowerParameters(pathItem, operation, context);
    const headers = parameters.filter((parameter) => parameter.in === 'header');
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    return {
      kind: 'notification',
      pointer: operation.pointer,
      places: placesOf(operation, pathItem),
      ...operation.annotations(),
      id,
      name,
      typeName,
      ...optionalTexts(['summary', 'description'], operation, pathItem),
      deprecated: operation.isTrue('deprecated'),
      tags: operation.texts('tags'),
      method,
      ...optional(
        'label',
        hasLabels ? { method, path: key, parameters: inPath } : callbackLabel(place),
      ),
      headers,
      ...optional('otherParameters', otherParameters(parameters, bodies === undefined)),
      representations: bodies ?? [
        describeQuery(method, operation, parameters, schemaName, context),
      ],
      ...declaredIdentification(operation, context),
      ...keysOf(operation, context),
      invalidExamples: invalidExamples(operation),
      successes: lowerSuccesses(operation.child('responses')),
      security: lowerWebhookSecurity(operation.child('security'), root, hasLabels),
    };
  });
}

/** A notification before it is lowered. */
export interface NotificationPlace {
  readonly id: string;
  readonly pointer: Pointer;
}

/** Returns the names of notifications in code by their ids and places. */
export type NotificationNames = (
  place: NotificationPlace,
) => Pick<DraftNotification, 'name' | 'typeName'>;

/**
 * Names all notifications before one of them is lowered, because schemas are named after them. Reports every collision.
 */
export function nameNotifications(
  places: readonly NotificationPlace[],
  context: LoweringContext,
): NotificationNames {
  const parts = { kind: 'notifications', becomes: 'handler' };
  const names = takeNames(places, toMemberName, parts, context);
  const named = places.map(({ id, pointer }, index) => {
    const name = names[index] ?? '';
    return { id: name, place: pointer, wanted: toTypeName(name === toMemberName(id) ? id : name) };
  });
  // Different names can have the same type: `404` and `status404`.
  const typeNames = distinctNames(named);
  const keyOf = ({ id, pointer }: NotificationPlace): string => `${pointer} ${id}`;
  const byPlace = new Map(
    places.map((place, index) => [
      keyOf(place),
      { name: names[index] ?? '', typeName: typeNames[index] ?? '' },
    ]),
  );
  return (place) => {
    const found = byPlace.get(keyOf(place));
    if (found === undefined) throw new TypeError(`The notification "${place.id}" was not named.`);
    return found;
  };
}

/** Returns the places of the notifications of an AsyncAPI document: its messages that are HTTP requests. */
export function deliveredMessages(
  root: Cursor,
  action: 'send' | 'receive',
): readonly (MessagePlace & NotificationPlace)[] {
  return messagePlaces(root, action)
    .filter(({ protocols }) => isHttpRequest(protocols))
    .map((place) => ({ ...place, pointer: place.message.pointer }));
}

/** Returns webhooks and callbacks, or paths, with the ids of their notifications. */
export function deliveredWebhooks(
  places: readonly OperationPlace[],
  hasLabels: boolean,
): readonly (OperationPlace & NotificationPlace)[] {
  const methods = methodsByKey(places);
  return places.map((place) => ({
    ...place,
    id: webhookId(place, methods.get(place.key) ?? new Set(), hasLabels),
    pointer: place.operation.pointer,
  }));
}

/** Returns what a message, its operation and the traits of both say about it. */
export function describeMessage(
  message: Cursor,
  operation: Cursor,
  root: Cursor,
): Pick<Message, 'summary' | 'description' | 'deprecated' | 'tags' | 'contentType' | 'examples'> {
  const about = (member: string): string | undefined =>
    inherited(message, member).text() ?? inherited(operation, member).text();
  return {
    ...optional('summary', about('summary')),
    ...optional('description', about('description')),
    deprecated: inherited(message, 'deprecated').isTrue(),
    tags: inherited(message, 'tags')
      .items()
      .flatMap((tag) => tag.follow().text('name') ?? []),
    contentType:
      inherited(message, 'contentType').text() ??
      root.text('defaultContentType') ??
      'application/json',
    examples: inherited(message, 'examples')
      .items()
      .filter((example) => example.valueIn('payload') !== undefined)
      .map((example, index) =>
        toExample(example.text('name') ?? `example${index + 1}`, example, example.child('payload')),
      ),
  };
}

/**
 * Returns the security that a notification states itself: an empty list there states that nothing authenticates it. The
 * security of the document is that of its paths, so it states nothing about webhooks and callbacks.
 * @param isInPaths whether the notification is an operation in `paths`, because the integrator wrote the document
 */
function lowerWebhookSecurity(
  security: Cursor,
  root: Cursor,
  isInPaths: boolean,
): readonly SecurityRequirement[] {
  if (security.value !== undefined && security.items().length === 0) return [[]];
  return isInPaths
    ? lowerSecurityRequirements(security, root)
    : lowerOwnRequirements(security, root);
}

/** Returns the schema of the query that an operation, or a trait of it, binds. */
function queryOf(operation: Cursor): Cursor | undefined {
  return withTraits(operation)
    .map((part) => part.child('bindings').follow().child('http').follow().child('query'))
    .find(({ value }) => value !== undefined);
}

/** Returns the HTTP method that an operation, or a trait of it, binds. */
function methodOf(operation: Cursor): string | undefined {
  const methods = withTraits(operation).map((part) =>
    part.child('bindings').follow().text('http', 'method'),
  );
  return methods.find((method) => method !== undefined)?.toUpperCase();
}

function labelOf(
  channel: Cursor,
  method: string | undefined,
  context: LoweringContext,
): Label | undefined {
  const address = channel.text('address');
  if (address === undefined) return undefined;
  return {
    ...optional('method', method),
    path: address.startsWith('/') ? address : `/${address}`,
    parameters: lowerChannelParameters(channel.child('parameters'), context),
  };
}

/** Returns the label of a callback: the path that it adds to the URL that the integrator gives. */
function callbackLabel({ method, suffix }: OperationPlace): Label | undefined {
  return suffix === undefined ? undefined : { method, path: suffix, parameters: [] };
}

/** Returns the places of what describes a notification: objects, of which the first identifies it, and conditions. */
function placesOf(first: Cursor, ...describing: readonly Cursor[]): readonly Pointer[] {
  const conditions = conditionPlaces(first.child('x-identified-by'));
  return [...[first, ...describing].map(({ pointer }) => pointer), ...conditions];
}

/**
 * Reads the declared conditions. Others are derived when all schemas are lowered, also where those declared multiply to
 * too many alternatives.
 */
function declaredIdentification(
  at: Cursor,
  { ledger, schemas }: LoweringContext,
): Pick<Notification, 'identifiedBy' | 'identifiedByOrigin' | 'identifiedBySchema'> {
  const bySchema = at.isTrue('x-identified-by-schema')
    ? ({ identifiedBySchema: true } as const)
    : {};
  const conditions = at.child('x-identified-by');
  const declared =
    conditions.value === undefined
      ? undefined
      : readIdentification(conditions, {
          ...schemas.conditionReading,
          writerOf: (pointer) => ledger.writerOf(pointer),
        });
  return declared === undefined
    ? { identifiedBy: [], identifiedByOrigin: 'derived', ...bySchema }
    : { identifiedBy: declared, identifiedByOrigin: 'declared', ...bySchema };
}

/** Returns what tells the duplicates of a notification, and what it is ordered by. */
function keysOf(
  at: Cursor,
  { ledger }: LoweringContext,
): Pick<Notification, 'dedupeBy' | 'orderedBy'> {
  const read = (key: string): Notification['dedupeBy'] => {
    const place = at.child(key);
    const id = place.text('unstated');
    // A document that does not declare the vocabulary can have other values, and has no ledger.
    const isRead = id === undefined ? isListOfReads(place) : ledger.has(id);
    return isRead ? ledger.settle<Expressions>(place) : undefined;
  };
  return {
    ...optional('dedupeBy', read('x-dedupe-by')),
    ...optional('orderedBy', read('x-ordered-by')),
  };
}

/** Returns whether a value is a list of expressions that have a value in a receiver. */
function isListOfReads({ value }: Cursor): boolean {
  const expressions: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    expressions.length > 0 &&
    expressions.every((text) => typeof text === 'string' && findRead(text) !== undefined)
  );
}

function invalidExamples(at: Cursor): readonly InvalidExample[] {
  return at.items('x-invalid-examples').map((example, index) => ({
    kind: 'invalid-example',
    pointer: example.child('payload').pointer,
    ...example.annotations(),
    name: example.text('name') ?? `invalid${index + 1}`,
    ...optional('summary', example.text('summary')),
    value: example.valueIn('payload') ?? null,
    violates: {
      at: example.text('violates', 'at') ?? '',
      keyword: example.text('violates', 'keyword') ?? '',
    },
  }));
}
