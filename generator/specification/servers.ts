import type { Cursor } from '../json/cursor.ts';

/** Returns the servers of a channel: those that it lists, or else all of the document. */
export function serversOf(root: Cursor, channel: Cursor): readonly Cursor[] {
  const listed = channel.items('servers');
  const servers = listed.length > 0 ? listed : root.entries('servers').map(([, server]) => server);
  return servers.map((server) => server.follow());
}

/** Returns the servers of a channel whose protocol is HTTP, or a variable, which can be HTTP. */
export function httpServers(root: Cursor, channel: Cursor): readonly Cursor[] {
  return serversOf(root, channel).filter((server) => {
    const protocol = protocolOf(server);
    return protocol === undefined || toProtocol(protocol) === 'http';
  });
}

/** Returns the protocol of a server; `undefined` if it is a server variable, which declares nothing. */
export function protocolOf(server: Cursor): string | undefined {
  const name = server.text('protocol');
  return name?.includes('{') === true ? undefined : name;
}

/** Returns a protocol in lower case, without the variant for encrypted connections: `kafka` for `kafka-secure`. */
export function toProtocol(protocol: string): string {
  const name = protocol.toLowerCase().replace(/^secure-|-secure$/u, '');
  return name === 'wss' ? 'ws' : name.replace(/^(http|amqp|mqtt|stomp|nats|redis)s$/u, '$1');
}
