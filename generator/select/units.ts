import type { Documents } from '../documents/documents.ts';
import { cursorAt } from '../documents/places.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { optional } from '../json/json.ts';
import { isDangling } from './dangling-references.ts';
import { messagePlaces, methodsByKey, webhookId } from '../specification/message-place.ts';
import {
  callbackPlaces,
  operationId,
  type OperationPlace,
  operationPlaces,
  placeId,
  withoutCopies,
} from '../specification/operation-places.ts';

/** The smallest part of a contract that can be selected: an operation or a notification. */
export interface Unit {
  readonly kind: 'operation' | 'event';
  /** The names that a selection can use. The first is the id. */
  readonly names: readonly string[];
  /** The path template, if it has one. */
  readonly path?: string;
  readonly tags: readonly string[];
  /** Where its document lists it: a method of a path item, a message of an AsyncAPI operation, or that operation. */
  readonly place: Pointer;
  /** The path item, or the AsyncAPI operation, that has no purpose without its units. */
  readonly holder: Pointer;
  /** For a callback: its name, its path item, and the operations that have it. */
  readonly callback?: {
    readonly name: string;
    readonly pathItem: Cursor;
    readonly owners: readonly Unit[];
  };
  /** For a message of an AsyncAPI operation: the value that names it there. */
  readonly message?: Cursor;
}

/**
 * Returns whether the security requirement of its document stands for a unit without its own: a call, or a delivery that
 * the integrator's document has in its paths. It states nothing about webhooks and callbacks.
 */
export function takesSecurity({ kind, place, callback }: Unit): boolean {
  if (pointerDocument(place) !== 'openapi') return false;
  return kind === 'operation' || (callback === undefined && pointerMembers(place)[0] === 'paths');
}

/** Returns all units of a contract, in the author's order. */
export function unitsOf(
  documents: Documents,
  perspective: 'service' | 'integrator',
): readonly Unit[] {
  const isIntegrator = perspective === 'integrator';
  return [
    ...openapiUnits(cursorAt(documents, 'openapi#'), isIntegrator),
    ...asyncapiUnits(cursorAt(documents, 'asyncapi#'), isIntegrator),
  ];
}

function openapiUnits(root: Cursor, isIntegrator: boolean): readonly Unit[] {
  const operations = (['paths', 'webhooks', 'x-webhooks'] as const).flatMap((section) => {
    const isEvent = isIntegrator === (section === 'paths');
    return operationPlaces(root.child(section)).map((place) => ({ section, isEvent, place }));
  });
  const called = isIntegrator ? [] : callbackPlaces(operations.map(({ place }) => place));
  const events = operations.filter(({ isEvent }) => isEvent).map(({ place }) => place);
  // Copies are one notification, and are selected together.
  const methods = methodsByKey(withoutCopies([...events, ...called]));
  const namesOf = (place: OperationPlace): readonly string[] =>
    eventNames(place, methods.get(place.key) ?? new Set(), isIntegrator);
  const listed = operations.map(({ section, isEvent, place }) => {
    const { key, method, operation } = place;
    const holder = toPointer(root.pointer, section, key);
    const unit: Unit = {
      kind: isEvent ? 'event' : 'operation',
      names: isEvent ? namesOf(place) : [operationId(place), placeId(place)],
      ...(section === 'paths' || !isEvent ? { path: key } : {}),
      tags: operation.texts('tags'),
      place: toPointer(holder, method.toLowerCase()),
      holder,
    };
    return { unit, place };
  });
  const callbacks = called.map((place): Unit => {
    const { key: name, pathItem, operation } = place;
    const owners = listed.filter((owner) => hasCallback(owner.place, pathItem));
    return {
      kind: 'event',
      names: namesOf(place),
      tags: operation.texts('tags'),
      place: operation.pointer,
      holder: pathItem.pointer,
      callback: { name, pathItem, owners: owners.map(({ unit }) => unit) },
    };
  });
  return [...listed.map(({ unit }) => unit), ...callbacks, ...missingPathItems(root)];
}

/** Returns the paths that refer to a missing path item. What it would list is unknown, so only its path selects it. */
function missingPathItems(root: Cursor): readonly Unit[] {
  return root.entries('paths').flatMap(([path, item]): readonly Unit[] => {
    const { pointer } = item;
    return isDangling(item)
      ? [{ kind: 'operation', names: [path], path, tags: [], place: pointer, holder: pointer }]
      : [];
  });
}

function hasCallback({ operation }: OperationPlace, { pointer }: Cursor): boolean {
  return operation.entries('callbacks').some(([, callback]) =>
    callback
      .follow()
      .entries()
      .some(([, item]) => item.follow().pointer === pointer),
  );
}

function eventNames(
  place: OperationPlace,
  methods: ReadonlySet<string>,
  isIntegrator: boolean,
): readonly string[] {
  const declaredId = place.operation.text('operationId');
  const names = [webhookId(place, methods, isIntegrator), place.key];
  return declaredId === undefined ? names : [...names, declaredId];
}

function asyncapiUnits(root: Cursor, isIntegrator: boolean): readonly Unit[] {
  const action = isIntegrator ? 'receive' : 'send';
  const listed = Map.groupBy(messagePlaces(root, action), ({ key }) => key);
  const events = [...listed].flatMap(([key, places]) =>
    places.map(({ id, message, reference, operation, channel }, index): Unit => {
      const holder = toPointer(root.pointer, 'operations', key);
      return {
        kind: 'event',
        names: [id, pointerMembers(message.pointer).at(-1) ?? ''],
        ...optional('path', pathOf(channel)),
        tags: [...tagsOf(message), ...tagsOf(operation)],
        place: toPointer(holder, 'messages', index),
        holder,
        message: reference,
      };
    }),
  );
  const received = root.entries('operations').flatMap(([key, entry]): readonly Unit[] => {
    const { pointer } = entry;
    const operation = entry.follow();
    if (operation.text('action') === action) return [];
    const path = pathOf(operation.child('channel').follow());
    const tags = tagsOf(operation);
    const place = { place: pointer, holder: pointer };
    return [{ kind: 'operation', names: [key], ...optional('path', path), tags, ...place }];
  });
  return [...events, ...received];
}

function pathOf(channel: Cursor): string | undefined {
  const address = channel.text('address');
  return address === undefined || address.startsWith('/') ? address : `/${address}`;
}

function tagsOf(at: Cursor): readonly string[] {
  return at.items('tags').flatMap((tag) => tag.follow().text('name') ?? []);
}
