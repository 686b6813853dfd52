import { memoize } from '../execution/memoize.ts';
import { Cursor } from '../json/cursor.ts';
import type { JsonObject } from '../json/json.ts';
import { withTraits } from './traits.ts';

/** The protocols of a message, and the place that declares them. */
export interface Protocols {
  /** In lower case, without the variants for encrypted connections: `kafka` for `kafka-secure`. Never empty. */
  readonly names: readonly string[];
  /** The server or binding; the channel where nothing is declared. */
  readonly declaredAt: Cursor;
}

/**
 * Returns the protocols of a message. The servers that the channel lists decide. Where it lists none, the bindings of
 * operation, channel and message choose among all servers. Where nothing is declared, the protocol is HTTP.
 */
export function protocolsOf(
  root: Cursor,
  channel: Cursor,
  operation: Cursor,
  message: Cursor,
): Protocols {
  const listed = serverProtocols(channel.items('servers'));
  const all = allProtocols(root.root);
  const bound = bindingProtocols([...withTraits(operation), channel, ...withTraits(message)]);
  const both = new Map([...bound].filter(([name]) => all.has(name)));
  const undeclared: Declared = new Map([['http', channel]]);
  const found = [listed, both, bound, all].find(({ size }) => size > 0) ?? undeclared;
  const [declaredAt = channel] = found.values();
  return { names: [...found.keys()], declaredAt };
}

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

/** Returns whether messages of these protocols can be HTTP requests. */
export function isHttp(names: readonly string[]): boolean {
  return names.includes('http');
}

type Declared = ReadonlyMap<string, Cursor>;

/** Returns the protocols of all servers of a document, which every message of it needs. */
const allProtocols = memoize((document: JsonObject): Declared => {
  const servers = Cursor.ofDocument(document, 'asyncapi').entries('servers');
  return serverProtocols(servers.map(([, server]) => server));
});

function serverProtocols(servers: readonly Cursor[]): Declared {
  return firstOfEach(
    servers.flatMap((server) => {
      const at = server.follow();
      const name = protocolOf(at);
      return name === undefined ? [] : [[name, at.child('protocol')] as const];
    }),
  );
}

/** Returns the protocol of a server; `undefined` if it is a server variable, which declares nothing. */
function protocolOf(server: Cursor): string | undefined {
  const name = server.text('protocol');
  return name?.includes('{') === true ? undefined : name;
}

function bindingProtocols(holders: readonly Cursor[]): Declared {
  const bindings = holders.flatMap((holder) => holder.child('bindings').follow().entries());
  return firstOfEach(bindings.filter(([name]) => !name.startsWith('x-') && name !== '$ref'));
}

function firstOfEach(declared: readonly (readonly [name: string, at: Cursor])[]): Declared {
  const found = new Map<string, Cursor>();
  for (const [written, at] of declared) {
    const name = toProtocol(written);
    if (!found.has(name)) found.set(name, at);
  }
  return found;
}

function toProtocol(written: string): string {
  const name = written.toLowerCase().replace(/^secure-|-secure$/u, '');
  return name === 'wss' ? 'ws' : name.replace(/^(http|amqp|mqtt|stomp|nats|redis)s$/u, '$1');
}
