import { type Pointer, pointerMembers } from '../../json/pointer.ts';
import type { Cursor } from '../../json/cursor.ts';
import { httpServers } from '../../specification/servers.ts';
import { inherited } from '../../specification/traits.ts';
import type { SecurityRequirement } from '../contract.ts';

/**
 * Returns the security of the messages of an AsyncAPI operation that are sent over HTTP. Each scheme of a list is an
 * alternative. A message satisfies the list of its operation and that of the server that it is sent over (AsyncAPI 3.0,
 * "Operation Object"); several servers are alternatives. Without any list, the result is empty. If every list is empty,
 * the result is one requirement of nothing: the contract states that nothing authenticates the message.
 * @param callServers the servers that only calls name, over which the messages of a channel without a list are not sent
 */
export function lowerMessageSecurity(
  root: Cursor,
  channel: Cursor,
  operation: Cursor,
  callServers: ReadonlySet<Pointer>,
): readonly SecurityRequirement[] {
  const operationSecurity = inherited(operation, 'security');
  const ofOperation = alternativesOf(operationSecurity);
  const lists = httpServers(root, channel)
    .filter((server) => channel.items('servers').length > 0 || !callServers.has(server.pointer))
    .map((server) => server.child('security'));
  const servers = lists.map(alternativesOf);
  const ofServers = servers.length === 0 ? [nothing] : servers.flat();
  const all = ofServers.flatMap((first) =>
    ofOperation.map((second) => [
      ...first,
      ...second.filter(({ scheme }) => first.every((other) => other.scheme !== scheme)),
    ]),
  );
  const distinct = [
    ...new Map(all.map((requirement) => [JSON.stringify(requirement), requirement])).values(),
  ];
  if (distinct.some(({ length }) => length > 0)) return distinct;
  return [operationSecurity, ...lists].some((list) => list.value !== undefined) ? [nothing] : [];
}

/**
 * Returns the servers that channels of calls list and no channel of a notification does. A channel without a list can
 * have every server, but the security of these stands for calls.
 * @param action the action of notifications
 */
export function serversOfCalls(root: Cursor, action: 'send' | 'receive'): ReadonlySet<Pointer> {
  const listed = (isWanted: (text: string | undefined) => boolean): readonly Pointer[] =>
    root.entries('operations').flatMap(([, entry]) => {
      const operation = entry.follow();
      if (!isWanted(operation.text('action'))) return [];
      const servers = operation.child('channel').follow().items('servers');
      return servers.map((server) => server.follow().pointer);
    });
  const ofNotifications = new Set(listed((text) => text === action));
  const ofCalls = listed((text) => text !== undefined && text !== action);
  return new Set(ofCalls.filter((pointer) => !ofNotifications.has(pointer)));
}

/** The alternative that requires nothing. */
const nothing: SecurityRequirement = [];

/** Returns a requirement for each listed scheme, named after the last member of its place. */
function alternativesOf(list: Cursor): readonly SecurityRequirement[] {
  const schemes = list.items().map((entry) => entry.follow());
  if (schemes.length === 0) return [nothing];
  return schemes.map((scheme) => [
    { scheme: pointerMembers(scheme.pointer).at(-1) ?? '', scopes: scheme.texts('scopes') },
  ]);
}
