import { type Pointer, pointerMembers, toLocalReference, toPointer } from '../json/pointer.ts';
import { descend, referenceOf } from '../json/descend.ts';
import {
  type MutableJson,
  type MutableObject,
  type Origins,
  isMutableObject,
  membersOf,
  originMembers,
  writtenReference,
} from './origins.ts';
import type { Sources } from './sources.ts';

/**
 * Restores the references of AsyncAPI channels to their servers, and of operations to their channel and messages, where
 * the specification allows only references. Redocly replaces such a reference by its target where it is in another file
 * or leads to one. Each target becomes a reference to the server, the channel, or that channel's message, that comes
 * from the same place.
 */
export function restoreObjectReferences(
  root: MutableObject,
  sources: Sources,
  origins: Origins,
): void {
  const identity = (value: MutableJson | undefined): string | undefined =>
    identify(value, root, sources, origins);
  const servers = new Map<string, Pointer>();
  for (const [name, server] of membersOf(root.servers)) {
    const id = identity(server);
    if (id !== undefined && !servers.has(id)) {
      servers.set(id, toPointer('asyncapi#', 'servers', name));
    }
  }
  const channels = new Map<string, Pointer>();
  const messages = new Map<string, Map<string, Pointer>>();
  for (const [name, channel] of membersOf(root.channels)) {
    const pointer = toPointer('asyncapi#', 'channels', name);
    const ownMessages = new Map<string, Pointer>();
    const body = isMutableObject(channel) ? channel : {};
    for (const [key, message] of membersOf(body.messages)) {
      const id = identity(message);
      if (id !== undefined) ownMessages.set(id, toPointer(pointer, 'messages', key));
    }
    messages.set(pointer, ownMessages);
    const id = identity(channel);
    if (id !== undefined && !channels.has(id)) channels.set(id, pointer);
  }

  const restore = (holder: MutableObject): void => {
    const channel = restored(holder.channel, (id) => channels.get(id));
    if (channel !== undefined) holder.channel = channel;
    const channelMessages = messages.get(`asyncapi${referenceOf(holder.channel) ?? ''}`);
    if (channelMessages === undefined || !Array.isArray(holder.messages)) return;
    restoreList(holder.messages, channelMessages);
  };
  const restoreList = (list: MutableJson[], places: ReadonlyMap<string, Pointer>): void => {
    for (const [index, value] of list.entries()) {
      list[index] = restored(value, (id) => places.get(id)) ?? value;
    }
  };
  const restored = (
    value: MutableJson | undefined,
    find: (id: string) => Pointer | undefined,
  ): MutableJson | undefined => {
    if (!isMutableObject(value) || referenceOf(value) !== undefined) return undefined;
    const id = identity(value);
    const pointer = id === undefined ? undefined : find(id);
    if (pointer === undefined) return undefined;
    const reference: MutableObject = { $ref: toLocalReference(pointer) };
    const origin = origins.of(value);
    if (origin !== undefined) origins.setMember(reference, '$ref', origin);
    return reference;
  };

  for (const [, channel] of membersOf(root.channels)) {
    if (isMutableObject(channel) && Array.isArray(channel.servers)) {
      restoreList(channel.servers, servers);
    }
  }
  for (const [, operation] of membersOf(root.operations)) {
    if (!isMutableObject(operation)) continue;
    restore(operation);
    if (isMutableObject(operation.reply)) restore(operation.reply);
  }
}

/** Returns a key for the place where a value is written, after following the references that lead to it. */
function identify(
  value: MutableJson | undefined,
  root: MutableObject,
  sources: Sources,
  origins: Origins,
): string | undefined {
  if (!isMutableObject(value)) return undefined;
  const local = referenceOf(value);
  if (local?.startsWith('#/') === true) {
    const members = pointerMembers(local);
    const { value: target, depth } = descend(root, members);
    // A reference to a reference is not a channel or message of AsyncAPI, and following it might never end.
    if (depth < members.length || referenceOf(target) !== undefined) return undefined;
    return identify(target as MutableJson, root, sources, origins);
  }
  const origin = origins.of(value);
  if (origin === undefined) return undefined;
  const target = writtenReference(sources, origin)?.target;
  return typeof target === 'object'
    ? JSON.stringify([target.source.path, target.members])
    : JSON.stringify([origin.source.path, originMembers(origin)]);
}
