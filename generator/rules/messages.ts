import { pointerDocument } from '../json/pointer.ts';
import { child, entries, follow, items, text, type Cursor } from '../json/cursor.ts';
import { conjunctsAt } from '../schema/visit.ts';
import { isReference, type Place } from '../specification/walk.ts';

/** Returns whether an object describes a message: an AsyncAPI message that is not a trait, or an OpenAPI operation. */
export function isMessage(place: Place): boolean {
  if (isReference(place)) return false;
  return pointerDocument(place.pointer) === 'openapi'
    ? place.kind === 'operation'
    : place.kind === 'message' && !isTrait(place);
}

/** Returns whether an AsyncAPI operation or message is a trait, which other operations or messages merge. */
export function isTrait({ member }: Place): boolean {
  return member === 'traits' || member === 'operationTraits' || member === 'messageTraits';
}

/** Returns the schemas of a message's body: in OpenAPI one for each media type. A message without a body has none. */
export function payloadsOf(message: Cursor): readonly Cursor[] {
  if (pointerDocument(message.pointer) === 'asyncapi') {
    const payload = child(message, 'payload');
    return payload.value === undefined ? [] : [toSchema(payload)];
  }
  return contentSchemas(follow(child(message, 'requestBody')));
}

/** Returns the schemas of an OpenAPI `content` map, one for each media type that has one. */
export function contentSchemas(holder: Cursor): readonly Cursor[] {
  return entries(child(holder, 'content'))
    .map(([, mediaType]) => child(mediaType, 'schema'))
    .filter(({ value }) => value !== undefined);
}

/** Returns the names of the headers that a message itself declares, in lower case. */
export function headersOf(place: Place): readonly string[] {
  if (pointerDocument(place.pointer) === 'openapi') {
    const holders = [place, ...(place.parent === undefined ? [] : [place.parent])];
    return holders
      .flatMap((holder) => items(child(holder, 'parameters')).map(follow))
      .filter((parameter) => text(child(parameter, 'in')) === 'header')
      .flatMap((parameter) => text(child(parameter, 'name'))?.toLowerCase() ?? []);
  }
  const parts = [place, ...items(child(place, 'traits')).map(follow)];
  return parts.flatMap((part) =>
    [child(part, 'headers'), child(follow(child(part, 'bindings')), 'http', 'headers')].flatMap(
      (headers) => propertyNames(toSchema(headers)),
    ),
  );
}

/** Returns the schema inside AsyncAPI's Multi Format Schema Object, or the schema itself. */
function toSchema(written: Cursor): Cursor {
  const at = follow(written);
  return text(child(at, 'schemaFormat')) === undefined ? written : child(at, 'schema');
}

function propertyNames(schema: Cursor): readonly string[] {
  return conjunctsAt(schema).flatMap((at) =>
    entries(child(at, 'properties')).map(([name]) => name.toLowerCase()),
  );
}
