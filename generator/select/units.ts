import type { Documents } from '../load/documents.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import {
  type Cursor,
  child,
  entries,
  follow,
  items,
  optional,
  text,
  texts,
  toCursor,
} from '../json/cursor.ts';
import { withoutCopies } from '../specification/copies.ts';
import { messagePlaces, webhookId } from '../specification/message-place.ts';
import type { OperationPlace } from '../specification/operation-place.ts';
import { callbackPlaces, operationId, operationPlaces } from '../specification/operation-places.ts';

/** The smallest part of a contract that can be selected: an operation or a notification. */
export interface Unit {
  readonly kind: 'operation' | 'event';
  /** The names that a selection can use. The first is the id. */
  readonly names: readonly string[];
  /** The path template, if it has one. */
  readonly path?: string;
  readonly tags: readonly string[];
  readonly pointer: Pointer;
  readonly place: UnitPlace;
  /** The operations that have this callback. Empty for all other units. */
  readonly owners: readonly Unit[];
}

/**
 * The place of a unit: a method of a path item, a path item of a callback, or a message of an AsyncAPI operation.
 * Without `message`, it is the whole operation.
 */
export type UnitPlace =
  | { readonly section: OpenapiSection; readonly key: string; readonly method: string }
  | { readonly section: 'callbacks'; readonly key: string; readonly item: Cursor }
  | { readonly section: 'operations'; readonly key: string; readonly message?: Cursor };

/** The members of an OpenAPI document that hold path items. */
export type OpenapiSection = 'paths' | 'webhooks' | 'x-webhooks';

/** Returns all units of a contract, in the author's order. */
export function unitsOf(
  { openapi, asyncapi }: Documents,
  perspective: 'service' | 'integrator',
): readonly Unit[] {
  const turned = perspective === 'integrator';
  return [
    ...(openapi === undefined ? [] : openapiUnits(toCursor(openapi.root, 'openapi'), turned)),
    ...(asyncapi === undefined ? [] : asyncapiUnits(toCursor(asyncapi.root, 'asyncapi'), turned)),
  ];
}

function openapiUnits(root: Cursor, turned: boolean): readonly Unit[] {
  const sections: readonly OpenapiSection[] = ['paths', 'webhooks', 'x-webhooks'];
  const found = sections.flatMap((section) => {
    const isEvent = turned === (section === 'paths');
    return operationPlaces(child(root, section)).map((place) => ({ section, isEvent, place }));
  });
  const holders = found.map(({ place }) => place);
  const called = turned ? [] : callbackPlaces(holders);
  const events = found.filter(({ isEvent }) => isEvent).map(({ place }) => place);
  // Copies are one notification, and are selected together.
  const keys = withoutCopies([...events, ...called]).map(({ key }) => key);
  const units = found.map(({ section, isEvent, place }): Unit => {
    const { key, method } = place;
    return {
      kind: isEvent ? 'event' : 'operation',
      names: isEvent
        ? eventNames(place, keys, turned)
        : [operationId(place), `${method.toLowerCase()} ${key}`],
      ...(section === 'paths' || !isEvent ? { path: key } : {}),
      ...partsOf(place),
      place: { section, key, method: method.toLowerCase() },
      owners: [],
    };
  });
  const callbacks = called.map((place): Unit => {
    const { key, pathItem } = place;
    const owners = units.filter((_, index) => holds(holders[index], place));
    return {
      kind: 'event',
      names: eventNames(place, keys, turned),
      ...partsOf(place),
      place: { section: 'callbacks', key, item: pathItem },
      owners,
    };
  });
  return [...units, ...callbacks];
}

function partsOf({ operation }: OperationPlace): Pick<Unit, 'tags' | 'pointer'> {
  return { tags: texts(child(operation, 'tags')), pointer: operation.pointer };
}

function holds(holder: OperationPlace | undefined, { pathItem }: OperationPlace): boolean {
  if (holder === undefined) return false;
  return entries(child(holder.operation, 'callbacks')).some(([, callback]) =>
    entries(follow(callback)).some(([, item]) => follow(item).pointer === pathItem.pointer),
  );
}

function eventNames(
  place: OperationPlace,
  keys: readonly string[],
  turned: boolean,
): readonly string[] {
  const alone = keys.indexOf(place.key) === keys.lastIndexOf(place.key);
  const given = text(child(place.operation, 'operationId'));
  const names = [webhookId(place, alone, turned), place.key];
  return given === undefined ? names : [...names, given];
}

function asyncapiUnits(root: Cursor, turned: boolean): readonly Unit[] {
  const action = turned ? 'receive' : 'send';
  const events = messagePlaces(root, action).map((place): Unit => {
    const { id, key, message, reference, operation, channel } = place;
    return {
      kind: 'event',
      names: [id, pointerMembers(message.pointer).at(-1) ?? ''],
      ...optional('path', pathOf(channel)),
      tags: [...tagsOf(message), ...tagsOf(operation)],
      pointer: message.pointer,
      place: { section: 'operations', key, message: reference },
      owners: [],
    };
  });
  const others = entries(child(root, 'operations')).flatMap(([key, written]): readonly Unit[] => {
    const operation = follow(written);
    if (text(child(operation, 'action')) === action) return [];
    return [
      {
        kind: 'operation',
        names: [key],
        ...optional('path', pathOf(follow(child(operation, 'channel')))),
        tags: tagsOf(operation),
        pointer: operation.pointer,
        place: { section: 'operations', key },
        owners: [],
      },
    ];
  });
  return [...events, ...others];
}

function pathOf(channel: Cursor): string | undefined {
  const address = text(child(channel, 'address'));
  return address === undefined || address.startsWith('/') ? address : `/${address}`;
}

function tagsOf(at: Cursor): readonly string[] {
  return items(child(at, 'tags')).flatMap((tag) => text(child(follow(tag), 'name')) ?? []);
}
