import { memoize } from '../execution/memoize.ts';
import { Cursor } from '../json/cursor.ts';
import type { JsonObject } from '../json/json.ts';
import { connectionOf } from './connections.ts';
import { protocolOf, toProtocol } from './servers.ts';
import { withTraits } from './traits.ts';

/** The protocols of a message, and the place that declares them. */
export interface Protocols {
  /** In lower case, without the variants for encrypted connections: `kafka` for `kafka-secure`. Never empty. */
  readonly names: readonly string[];
  /** The server or binding; the channel where nothing is declared. */
  readonly declaredAt: Cursor;
  /** Whether nothing is declared, so that HTTP is assumed. */
  readonly isAssumed?: true;
  /**
   * Why the receiver of the message has to connect to the sender, as the end of a sentence; left out where the sender
   * can make requests to the receiver.
   */
  readonly connection?: string;
}

/**
 * Returns the protocols of a message. The servers that the channel lists decide. Where it lists none, the bindings of
 * operation, channel and message choose among all servers. Where nothing is declared, the protocol is HTTP. A document
 * can also show that the receiver connects to the sender (`connectionOf`).
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
  const firstDeclared = [listed, both, bound, all].find(({ size }) => size > 0);
  const [declaredAt = channel] = (firstDeclared ?? undeclared).values();
  const declared: Protocols = {
    names: [...(firstDeclared ?? undeclared).keys()],
    declaredAt,
    ...(firstDeclared === undefined ? { isAssumed: true } : {}),
  };
  if (!declared.names.includes('http')) return declared;
  const webSocket = bound.has('http') ? undefined : bound.get('ws');
  if (webSocket !== undefined)
    return { names: ['ws'], declaredAt: webSocket, connection: 'they have a WebSocket binding' };
  const connection = connectionOf(root, channel, operation, message);
  if (connection === undefined) return declared;
  const names =
    connection.protocol ?? (firstDeclared === undefined ? ['unstated'] : declared.names);
  return { names, declaredAt: connection.at, connection: connection.reason };
}

/** Returns whether a message can be an HTTP request to its receiver. */
export function isHttpRequest({ names, connection }: Protocols): boolean {
  return names.includes('http') && connection === undefined;
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

function bindingProtocols(holders: readonly Cursor[]): Declared {
  const bindings = holders.flatMap((holder) => holder.child('bindings').follow().entries());
  return firstOfEach(bindings.filter(([name]) => !name.startsWith('x-') && name !== '$ref'));
}

function firstOfEach(declared: readonly (readonly [name: string, at: Cursor])[]): Declared {
  const placesByName = new Map<string, Cursor>();
  for (const [text, at] of declared) {
    const name = toProtocol(text);
    if (!placesByName.has(name)) placesByName.set(name, at);
  }
  return placesByName;
}
