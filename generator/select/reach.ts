import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { pointerMembers, toPointer, type DocumentName, type Pointer } from '../json/pointer.ts';
import { child, entries, follow, lookUp, text, toCursor, type Cursor } from '../json/cursor.ts';

/**
 * Returns the parts of a document that take effect only where they are referred to: components, and in AsyncAPI
 * channels and their messages.
 */
export function sharedParts(root: JsonObject, document: DocumentName): ReadonlyMap<Pointer, Json> {
  const start = toCursor(root, document);
  const parts = new Map<Pointer, Json>();
  for (const [section, members] of entries(child(start, 'components'))) {
    if (section.startsWith('x-')) continue;
    for (const [, { pointer, value }] of entries(members)) parts.set(pointer, value ?? null);
  }
  if (document === 'openapi') return parts;
  for (const [, channel] of entries(child(start, 'channels'))) {
    const { messages: _, ...own } = isJsonObject(channel.value) ? channel.value : {};
    parts.set(channel.pointer, own);
    for (const [, { pointer, value }] of entries(child(channel, 'messages'))) {
      parts.set(pointer, value ?? null);
    }
  }
  return parts;
}

/**
 * Returns the shared parts that the rest of the document refers to, directly or through other shared parts.
 * @param also parts that count as referred to
 */
export function reachedParts(
  root: JsonObject,
  document: DocumentName,
  also: Iterable<Pointer> = [],
): ReadonlySet<Pointer> {
  const parts = sharedParts(root, document);
  const reached = new Set<Pointer>();
  const queue: Json[] = [];
  const reach = (pointer: Pointer): void => {
    const part = parts.get(pointer);
    if (part === undefined || reached.has(pointer)) return;
    reached.add(pointer);
    queue.push(part);
  };
  for (const pointer of also) reach(pointer);
  const { components, channels, ...others } = root;
  if (isJsonObject(components)) {
    for (const [section, value] of Object.entries(components)) {
      if (section.startsWith('x-')) queue.push(value ?? null);
    }
  }
  if (document === 'openapi' && channels !== undefined) queue.push(channels);
  queue.push(others);
  const start = toCursor(root, document);
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    for (const pointer of referredFrom(value, start, document)) reach(pointer);
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) if (member !== undefined) queue.push(member);
  }
  return reached;
}

/** Returns the parts that an object itself refers to, by `$ref` or by name. */
function referredFrom(value: Json, start: Cursor, document: DocumentName): readonly Pointer[] {
  if (!isJsonObject(value)) return [];
  const { $ref, security, discriminator, channel, messages } = value;
  return [
    ...(typeof $ref === 'string' ? partsOf($ref, start) : []),
    ...(document === 'openapi' ? schemesOf(security) : []),
    ...mappedBy(discriminator, start),
    ...(document === 'asyncapi' && messages === undefined ? messagesOf(channel, start) : []),
    ...carriersOf(value['x-signature'], start),
  ];
}

/** Returns the parts that a reference names. A reference to a channel's message also reaches the channel. */
function partsOf(reference: string, start: Cursor): readonly Pointer[] {
  if (!reference.startsWith('#/')) return [];
  const members = pointerMembers(lookUp(start, reference).pointer);
  const root = start.pointer;
  if (members[0] === 'components') return [toPointer(root, ...members.slice(0, 3))];
  if (members[0] !== 'channels') return [];
  const channel = toPointer(root, ...members.slice(0, 2));
  return members[2] === 'messages' ? [channel, toPointer(root, ...members.slice(0, 4))] : [channel];
}

/** Returns the security schemes that OpenAPI's security requirements name. */
function schemesOf(security: Json | undefined): readonly Pointer[] {
  if (!Array.isArray(security)) return [];
  return (security as readonly Json[]).flatMap((requirement) =>
    isJsonObject(requirement)
      ? Object.keys(requirement).map((name) =>
          toPointer('openapi#', 'components', 'securitySchemes', name),
        )
      : [],
  );
}

/** Returns the schemas of a discriminator's mapping, which are given by name or by reference. */
function mappedBy(discriminator: Json | undefined, start: Cursor): readonly Pointer[] {
  const mapping = isJsonObject(discriminator) ? discriminator['mapping'] : undefined;
  if (!isJsonObject(mapping)) return [];
  return Object.values(mapping).flatMap((target) => {
    if (typeof target !== 'string') return [];
    return target.startsWith('#')
      ? partsOf(target, start)
      : [toPointer('openapi#', 'components', 'schemas', target)];
  });
}

/** Returns all messages of a channel: an AsyncAPI operation without `messages` has all of them. */
function messagesOf(channel: Json | undefined, start: Cursor): readonly Pointer[] {
  if (!isJsonObject(channel)) return [];
  const { value, pointer } = follow({ ...start, value: channel });
  const at: Cursor = { root: start.root, value, pointer };
  return entries(child(at, 'messages')).map(([, message]) => message.pointer);
}

/** Returns the security schemes whose name a signature mentions: it refers to the headers of other schemes by name. */
function carriersOf(signature: Json | undefined, start: Cursor): readonly Pointer[] {
  if (signature === undefined) return [];
  const said = JSON.stringify(signature).toLowerCase();
  return entries(child(start, 'components', 'securitySchemes')).flatMap(([, scheme]) => {
    const name = text(child(follow(scheme), 'name'))?.toLowerCase();
    return name !== undefined && said.includes(JSON.stringify(name).slice(1, -1))
      ? [scheme.pointer]
      : [];
  });
}
