import {
  isJsonObject,
  type Json,
  type JsonObject,
  toObject,
  withoutMembers,
} from '../json/json.ts';
import { pointerDocument, pointerMembers, toPointer, type Pointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { objectsIn } from '../json/descend.ts';
import type { Documents } from '../documents/documents.ts';
import { rootsOf } from '../documents/places.ts';

/**
 * Returns the shared parts that nothing needs. Shared parts are components, and in AsyncAPI channels and their
 * messages: they take effect only where something refers to them, directly or through other shared parts.
 * @param needed shared parts that count as referred to
 */
export function unreachedParts(
  documents: Documents,
  needed: readonly Pointer[] = [],
): readonly Pointer[] {
  return rootsOf(documents).flatMap((root) => {
    const parts = sharedParts(root);
    const reached = new Set<Pointer>();
    const queue: Json[] = [withoutParts(root)];
    const reach = (pointer: Pointer): void => {
      const part = parts.get(pointer);
      if (part === undefined || reached.has(pointer)) return;
      reached.add(pointer);
      queue.push(part);
    };
    needed.forEach(reach);
    // Reads all values, because extensions contain references too. Too many reached parts do no harm. The iteration
    // includes parts that are added during it.
    for (const part of queue) {
      for (const object of objectsIn(part)) referredFrom(object, root).forEach(reach);
    }
    return [...parts.keys()].filter((part) => !reached.has(part));
  });
}

function sharedParts(root: Cursor): ReadonlyMap<Pointer, Json> {
  const components = root
    .entries('components')
    .flatMap(([section, of]) => (section.startsWith('x-') ? [] : of.entries()));
  const channels = isOpenapi(root) ? [] : root.entries('channels');
  const messages = channels.flatMap(([, channel]) => channel.entries('messages'));
  return new Map([
    ...[...components, ...messages].map(
      ([, { pointer, value = null }]) => [pointer, value] as const,
    ),
    ...channels.map(
      ([, { pointer, value }]) => [pointer, withoutMembers(toObject(value), 'messages')] as const,
    ),
  ]);
}

/** Returns the members of a document that take effect by themselves. */
function withoutParts(root: Cursor): JsonObject {
  const extensions = root.entries('components').filter(([name]) => name.startsWith('x-'));
  return {
    ...withoutMembers(root.root, isOpenapi(root) ? 'components' : 'channels'),
    components: Object.fromEntries(extensions.map(([name, { value }]) => [name, value])),
  };
}

/** Returns the parts that an object itself refers to, by `$ref` or by name. */
function referredFrom(object: JsonObject, root: Cursor): readonly Pointer[] {
  const { $ref, security, discriminator, channel, messages } = object;
  return [
    ...(typeof $ref === 'string' ? partsOf($ref, root) : []),
    ...(isOpenapi(root) ? schemesOf(security, root) : []),
    ...mappedBy(discriminator, root),
    ...(isOpenapi(root) || messages !== undefined ? [] : messagesOf(channel, root)),
    ...carriersOf(object['x-signature'], root),
  ];
}

/** Returns the parts that a reference names. A reference to a channel's message also reaches the channel. */
function partsOf(reference: string, root: Cursor): readonly Pointer[] {
  if (!reference.startsWith('#/')) return [];
  const members = pointerMembers(root.lookUp(reference).pointer);
  const lengths = members[0] === 'components' ? [3] : [2, 4];
  return lengths.map((length) => toPointer(root.pointer, ...members.slice(0, length)));
}

/** Returns the security schemes that OpenAPI's security requirements name. */
function schemesOf(security: Json | undefined, root: Cursor): readonly Pointer[] {
  return (Array.isArray(security) ? (security as readonly Json[]) : []).flatMap((requirement) =>
    Object.keys(toObject(requirement)).map((name) =>
      toPointer(root.pointer, 'components', 'securitySchemes', name),
    ),
  );
}

/** Returns the schemas of a discriminator's mapping and of its default, which are given by name or by reference. */
function mappedBy(discriminator: Json | undefined, root: Cursor): readonly Pointer[] {
  const { mapping, defaultMapping } = toObject(discriminator);
  return [...Object.values(toObject(mapping)), defaultMapping].flatMap((target) => {
    if (typeof target !== 'string') return [];
    return target.startsWith('#')
      ? partsOf(target, root)
      : [toPointer(root.pointer, 'components', 'schemas', target)];
  });
}

/** Returns all messages of a channel: an AsyncAPI operation without `messages` has all of them. */
function messagesOf(channel: Json | undefined, root: Cursor): readonly Pointer[] {
  if (!isJsonObject(channel)) return [];
  const messages = root.withValue(channel).follow().child('messages');
  return messages.entries().map(([, { pointer }]) => pointer);
}

/** Returns the security schemes whose name a signature mentions: it refers to the headers of other schemes by name. */
function carriersOf(signature: Json | undefined, root: Cursor): readonly Pointer[] {
  if (signature === undefined) return [];
  const mentioned = JSON.stringify(signature).toLowerCase();
  return root.entries('components', 'securitySchemes').flatMap(([, scheme]) => {
    const name = scheme.follow().text('name')?.toLowerCase();
    const isMentioned = name !== undefined && mentioned.includes(JSON.stringify(name).slice(1, -1));
    return isMentioned ? scheme.pointer : [];
  });
}

function isOpenapi(root: Cursor): boolean {
  return pointerDocument(root.pointer) === 'openapi';
}
