import { memoize } from '../execution/memoize.ts';
import { Cursor } from '../json/cursor.ts';
import type { JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { isStreamed } from './media-type.ts';
import { httpServers } from './servers.ts';
import { inherited, withTraits } from './traits.ts';

/** What shows that the receiver of a message connects to its sender. */
export interface Connection {
  readonly at: Cursor;
  readonly reason: string;
  /** The protocol, if it is not that of the servers. */
  readonly protocol?: readonly string[];
}

/**
 * Returns what shows that the receiver of a message connects to the sender over HTTP or WebSocket, so that the sender
 * makes no request to it; `undefined` if nothing does. An HTTP method of the operation contradicts all evidence except
 * that of the message itself.
 */
export function connectionOf(
  root: Cursor,
  channel: Cursor,
  operation: Cursor,
  message: Cursor,
): Connection | undefined {
  const streamed = streamedAt(root, operation, message);
  if (streamed !== undefined) return { at: streamed, reason: 'they are parts of a stream' };
  const id = root.child('id');
  const { twoWay, withMethod } = usesOf(root.root);
  if (withMethod.has(operation.pointer)) return undefined;
  if (/^wss?:/iu.test(id.text() ?? ''))
    return { at: id, reason: 'the id of the document is that of a WebSocket', protocol: ['ws'] };
  if (twoWay.has(channel.pointer))
    return { at: channel, reason: 'the channel also carries replies to its receiver' };
  // The service reads what it receives, and sends nothing, at its own address.
  const hosts = httpServers(root, channel).map((server) => server.child('host'));
  const documentHost = ownHost(id.text() ?? '');
  const [host] = hosts;
  if (operation.text('action') !== 'send' || host === undefined || documentHost === undefined)
    return undefined;
  return hosts.every((at) => isHostOf(at.text() ?? '', documentHost))
    ? { at: host, reason: 'the host of the server is that of the document, the sender' }
    : undefined;
}

/** Returns what shows that a message is a part of a response to a client. */
function streamedAt(root: Cursor, operation: Cursor, message: Cursor): Cursor | undefined {
  const response = withTraits(operation)
    .map((part) => part.child('bindings').follow().child(responseBinding))
    .find(({ value }) => value !== undefined);
  if (response !== undefined) return response;
  const contentType = inherited(message, 'contentType');
  const mediaType = contentType.text() ?? root.text('defaultContentType') ?? '';
  // The items of a sequence are not requests.
  if (isStreamed(mediaType)) return contentType.value === undefined ? message : contentType;
  return withTraits(message)
    .flatMap((part) =>
      part.child('bindings').follow().child('http').follow().entries('headers', 'properties'),
    )
    .find(([name, schema]) => name.toLowerCase() === 'transfer-encoding' && isChunked(schema))?.[1];
}

function isChunked(schema: Cursor): boolean {
  return schema.text('const') === 'chunked' || schema.texts('enum').join() === 'chunked';
}

/** The binding of operations whose messages are responses, which only AsyncAPI 2 can state. */
export const responseBinding = 'x-http-response';

/** Returns the host in the id of a document, which is a URI such as `https://example.com/a` or `tag:example.com,2026:a`. */
function ownHost(id: string): string | undefined {
  const match = /^(?:[a-z][a-z\d+.-]*:\/\/(?<host>[^/?#:]+)|tag:(?<tag>[^,:@]+),)/iu.exec(
    id,
  )?.groups;
  return (match?.['host'] ?? match?.['tag'])?.toLowerCase();
}

function isHostOf(host: string, serverHost: string): boolean {
  return host.replace(/:\d+$/u, '').toLowerCase() === serverHost;
}

/**
 * Returns the channels with operations of both actions that also carry the replies to one of them, and the operations
 * with an HTTP method. Replies arrive where a request was made, so other messages of the channel do too.
 */
const usesOf = memoize((document: JsonObject) => {
  const actions = new Map<Pointer, Set<string>>();
  const replying = new Set<Pointer>();
  const withMethod = new Set<Pointer>();
  for (const [, entry] of Cursor.ofDocument(document, 'asyncapi').entries('operations')) {
    const operation = entry.follow();
    const hasMethod = withTraits(operation).some(
      (part) => part.child('bindings').follow().child('http').follow().text('method') !== undefined,
    );
    if (hasMethod) {
      withMethod.add(operation.pointer);
      continue;
    }
    const { pointer } = operation.child('channel').follow();
    const channelActions = actions.get(pointer) ?? new Set();
    actions.set(pointer, channelActions.add(operation.text('action') ?? ''));
    const reply = operation.child('reply').follow().child('channel').follow();
    if (reply.pointer === pointer) replying.add(pointer);
  }
  const twoWay = new Set([...replying].filter((channel) => (actions.get(channel)?.size ?? 0) > 1));
  return { twoWay, withMethod };
});
