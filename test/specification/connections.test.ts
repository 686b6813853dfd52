import { expect, test } from 'vitest';
import { lowerFiles } from '../contract/lower/lower-files.ts';

interface Parts {
  readonly root?: string;
  readonly channel?: string;
  readonly operation?: string;
  readonly other?: string;
  readonly message?: string;
}

/** A document with one message that the service sends. */
const documentWith = ({
  root = '',
  channel = '',
  operation = '',
  other = '',
  message = '',
}: Parts): string => `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
${root}
channels:
  doors:
    address: /doors
    ${channel}
    messages: { opened: { ${message} payload: { type: object } } }
operations:
  tell: { action: send, ${operation} channel: { $ref: '#/channels/doors' } }
  ${other}
`;

const doors = "channel: { $ref: '#/channels/doors' }";
const post = 'bindings: { http: { method: POST } },';
const listen = `listen: { action: receive, ${doors}, reply: { ${doors} } }`;
const at = (host: string): string => `servers: { a: { host: ${host}, protocol: https } }`;

test.each<[string, Parts, string, readonly string[]]>([
  ['a WebSocket binding', { channel: 'bindings: { ws: {} }' }, 'WebSocket', ['ws']],
  [
    'a WebSocket binding beside an HTTP server that the channel lists',
    {
      root: at('a.example'),
      channel: "servers: [{ $ref: '#/servers/a' }]\n    bindings: { ws: {} }",
    },
    'WebSocket binding',
    ['ws'],
  ],
  ['the id of a WebSocket', { root: 'id: wss://a.example/doors' }, 'id of the document', ['ws']],
  [
    'the id of a WebSocket, with an HTTP server',
    { root: `id: wss://a.example/doors\n${at('b.example')}` },
    'id of the document',
    ['ws'],
  ],
  ['a channel with replies', { other: listen }, 'replies', ['unstated']],
  [
    'a channel with replies at an HTTP server',
    { root: at('a.example'), other: listen },
    'replies',
    ['http'],
  ],
  [
    'a stream of events',
    { operation: post, message: 'contentType: text/event-stream,' },
    'stream',
    ['http'],
  ],
  [
    'a chunked body',
    {
      root: at('a.example'),
      operation: post,
      message:
        'bindings: { http: { headers: { type: object, properties: { Transfer-Encoding: { const: chunked } } } } },',
    },
    'stream',
    ['http'],
  ],
  [
    'a server at the host of the document',
    { root: `id: 'tag:a.example,2026:api'\n${at('a.example:443')}` },
    'host of the server',
    ['http'],
  ],
])('%s shows that no sender makes a request to a receiver', async (_, parts, reason, protocols) => {
  const { contract, diagnostics } = await lowerFiles({ 'asyncapi.yaml': documentWith(parts) });
  expect(contract.notifications).toEqual([]);
  const received = contract.messages.filter(({ from, isReply }) => from === 'service' && !isReply);
  expect(received.map((message) => [message.id, message.protocols])).toEqual([
    [expect.stringContaining('opened'), protocols],
  ]);
  expect(contract.schemas.map(({ name }) => name)).toContain(received[0]?.payload);
  const notes = diagnostics.filter(({ code }) => code === 'other-protocol');
  expect(notes.map(({ severity }) => severity)).toContain('info');
  expect(notes.map(({ message }) => message).join()).toMatch(
    reason === 'WebSocket' ? /is ws, not HTTP/u : new RegExp(`because [^,]*${reason}`, 'u'),
  );
});

test.each<[string, Parts]>([
  ['nothing', {}],
  ['a channel in both directions', { other: `listen: { action: receive, ${doors} }` }],
  ['an id that is not an address', { root: 'id: urn:example:doors' }],
  ['an id at another host than the server', { root: `id: https://a.example\n${at('b.example')}` }],
  ['a method, although the channel has both directions', { operation: post, other: listen }],
  [
    'a method, although the id is that of a WebSocket',
    { root: 'id: wss://a.example', operation: post },
  ],
  [
    'a method, although the server is at the host of the document',
    { root: `id: https://a.example\n${at('a.example')}`, operation: post },
  ],
  ['bindings for WebSocket and HTTP', { channel: 'bindings: { ws: {} }', operation: post }],
])('with %s, a message is a notification', async (_, parts) => {
  const { contract } = await lowerFiles({ 'asyncapi.yaml': documentWith(parts) });
  expect(contract.notifications).toHaveLength(1);
});

test('from the perspective of the integrator, its own server receives', async () => {
  const text = documentWith({ root: `id: https://a.example\n${at('a.example')}` });
  const { contract } = await lowerFiles(
    { 'asyncapi.yaml': text.replace('action: send', 'action: receive') },
    'integrator',
  );
  expect(contract.notifications.map(({ id }) => id)).toEqual(['opened']);
});

test('a response of AsyncAPI 2 is not a notification', async () => {
  const { contract, diagnostics } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors: { subscribe: { bindings: { http: { type: response } }, message: { payload: { type: object } } } }
`,
  });
  expect(contract.notifications).toEqual([]);
  expect(diagnostics.map(({ code, line }) => `${code}:${line}`)).toEqual(['other-protocol:4']);
});
