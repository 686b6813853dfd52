import { pointerDocument } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { conjunctsAt } from '../schema/visit.ts';
import { unwrapSchema } from '../specification/multi-format-schema.ts';
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
    const payload = message.child('payload');
    return payload.value === undefined ? [] : [toSchema(payload)];
  }
  return contentSchemas(message.child('requestBody').follow());
}

/** Returns the schemas of an OpenAPI `content` map, one for each media type that has one. */
export function contentSchemas(holder: Cursor): readonly Cursor[] {
  return holder
    .entries('content')
    .map(([, mediaType]) => mediaType.child('schema'))
    .filter(({ value }) => value !== undefined);
}

/** Returns the names of the headers that a message itself declares, in lower case. */
export function headersOf(place: Place): readonly string[] {
  if (pointerDocument(place.pointer) === 'openapi') {
    const holders = [place, ...(place.parent === undefined ? [] : [place.parent])];
    return holders
      .flatMap((holder) => holder.items('parameters').map((at) => at.follow()))
      .filter((parameter) => parameter.text('in') === 'header')
      .flatMap((parameter) => parameter.text('name')?.toLowerCase() ?? []);
  }
  const parts = [place, ...place.items('traits').map((at) => at.follow())];
  return parts.flatMap((part) =>
    [part.child('headers'), part.child('bindings').follow().child('http', 'headers')].flatMap(
      (headers) => propertyNames(toSchema(headers)),
    ),
  );
}

/** Returns the schema inside AsyncAPI's Multi Format Schema Object, or the schema itself. */
function toSchema(reference: Cursor): Cursor {
  const at = reference.follow();
  const schema = unwrapSchema(at);
  return schema === at ? reference : schema;
}

function propertyNames(schema: Cursor): readonly string[] {
  return conjunctsAt(schema).flatMap((at) =>
    at.entries('properties').map(([name]) => name.toLowerCase()),
  );
}
