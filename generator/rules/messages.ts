import { isJsonObject } from '../json/json.ts';
import { pointerDocument } from '../json/pointer.ts';
import { child, entries, follow, items, text, type Cursor } from '../json/cursor.ts';
import { isReference, type Place } from '../specification/walk.ts';

/** Whether a place describes what arrives: an AsyncAPI message (no trait), or an OpenAPI operation. */
export function isMessage(place: Place): boolean {
  if (isReference(place)) return false;
  return pointerDocument(place.pointer) === 'openapi'
    ? place.kind === 'operation'
    : place.kind === 'message' && !isTrait(place);
}

/** Whether an AsyncAPI operation or message is a trait: a part that others take up. */
export function isTrait({ member }: Place): boolean {
  return member === 'traits' || member === 'operationTraits' || member === 'messageTraits';
}

/** The schemas of a body, one for each media type where OpenAPI has several. A body without one has none. */
export function payloadsOf(message: Cursor): readonly Cursor[] {
  if (pointerDocument(message.pointer) === 'asyncapi') {
    const payload = child(message, 'payload');
    return payload.value === undefined ? [] : [toSchema(payload)];
  }
  return contentSchemas(follow(child(message, 'requestBody')));
}

/** The schemas of OpenAPI's `content`, by media type. */
export function contentSchemas(holder: Cursor): readonly Cursor[] {
  return entries(child(holder, 'content'))
    .map(([, mediaType]) => child(mediaType, 'schema'))
    .filter(({ value }) => value !== undefined);
}

/** The names of the headers that are declared for a message itself, in lower case. */
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

/** The schema in AsyncAPI's Multi Format Schema Object, or the schema itself. */
function toSchema(written: Cursor): Cursor {
  const at = follow(written);
  return text(child(at, 'schemaFormat')) === undefined ? written : child(at, 'schema');
}

function propertyNames(schema: Cursor): readonly string[] {
  const names: string[] = [];
  const seen = new Set<unknown>();
  const stack = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const at = follow(next);
    if (!isJsonObject(at.value) || seen.has(at.value)) continue;
    seen.add(at.value);
    for (const [name] of entries(child(at, 'properties'))) names.push(name.toLowerCase());
    for (const part of items(child(at, 'allOf'))) stack.push(part);
  }
  return names;
}
