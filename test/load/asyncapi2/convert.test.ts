import { expect, test } from 'vitest';
import { load } from '../../../generator/load/load.ts';
import type { Documents } from '../../../generator/documents/documents.ts';
import { checkAsyncapi } from '../../../generator/load/validate/check-asyncapi.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { writeContract } from '../write-contract.ts';

const versions = ['2.0.0', '2.1.0', '2.2.0', '2.3.0', '2.4.0', '2.5.0', '2.6.0'];

async function read(files: Readonly<Record<string, string>>): Promise<Documents> {
  const folder = await writeContract(files);
  return await load({ asyncapi: 'asyncapi.yaml' }, { folder });
}

function messagesOf({ diagnostics }: Documents): readonly string[] {
  return diagnostics.map(
    ({ severity, code, file, line, column, message }) =>
      `${severity} ${code} ${file}:${line}:${column} ${message}`,
  );
}

/** A lamp that clients tell to dim (`publish`), and that tells clients how bright it is (`subscribe`). */
const lamp = (version: string): string => `asyncapi: ${version}
info: { title: Lamp, version: 1.0.0 }
channels:
  /lamps/{lamp}:
    parameters:
      lamp: { description: Its number., schema: { type: string } }
    publish:
      operationId: dim
      message: { $ref: '#/components/messages/dimmed' }
    subscribe:
      operationId: shine
      message:
        oneOf:
          - { $ref: '#/components/messages/bright' }
          - { $ref: './messages.yaml#/Dark' }
components:
  messages:
    dimmed: { payload: { type: object, required: [to], properties: { to: { type: integer } } } }
    bright:
      x-note: kept
      payload: { $ref: '#/components/schemas/Lumens' }
  schemas:
    Lumens: { type: object, required: [lumens], properties: { lumens: { type: integer } } }
`;
const lampFiles = (version: string): Readonly<Record<string, string>> => ({
  'asyncapi.yaml': lamp(version),
  'messages.yaml': "Dark:\n  payload: { $ref: './schemas.yaml#/Darkness' }\n",
  'schemas.yaml': 'Other: {}\nDarkness: { type: object, required: [off] }\n',
});

test.each(versions)('AsyncAPI %s becomes a valid document of AsyncAPI 3', async (version) => {
  const documents = await read(lampFiles(version));
  expect(messagesOf(documents)).toEqual([]);
  expect(documents.asyncapi?.version).toBe('3.0.0');
  expect(checkAsyncapi(documents.asyncapi?.root ?? {}, '3.0.0')).toEqual([]);
  expect(documents.asyncapi?.root).toMatchObject({
    channels: { '/lamps/{lamp}': { parameters: { lamp: { description: 'Its number.' } } } },
    components: { messages: { bright: { 'x-note': 'kept' } } },
  });
});

test.each([
  ['service', ['bright', 'Dark']],
  ['integrator', ['dimmed']],
] as const)(
  'from the perspective of the %s, the integrator receives %j',
  async (perspective, ids) => {
    const { contract } = await lowerFiles(lampFiles('2.6.0'), perspective);
    expect(contract.notifications.map(({ id }) => id)).toEqual(ids);
    expect(contract.notifications.map(({ label }) => label?.path)).toEqual(
      ids.map(() => '/lamps/{lamp}'),
    );
  },
);

test('every node leads to the line where it is written', async () => {
  const { contract, documents } = await lowerFiles(lampFiles('2.6.0'));
  const places = [...contract.notifications, ...contract.schemas].map(({ kind, pointer }) => {
    const { file, line, column } = documents.locate(pointer);
    return `${kind} ${file}:${line}:${column}`;
  });
  expect(places).toEqual([
    'notification asyncapi.yaml:19:5',
    'notification asyncapi.yaml:15:13',
    'schema schemas.yaml:2:1',
    'schema asyncapi.yaml:18:15',
    'schema asyncapi.yaml:23:5',
  ]);
  const at = (...members: readonly string[]): string => {
    const { file, line, column } = documents.locate(`asyncapi#/${members.join('/')}`);
    return `${file}:${line}:${column}`;
  };
  expect(at('operations', 'dim')).toBe('asyncapi.yaml:7:5');
  expect(at('channels', '~1lamps~1{lamp}', 'address')).toBe('asyncapi.yaml:4:3');
  expect(at('channels', '~1lamps~1{lamp}', 'parameters', 'lamp', 'description')).toBe(
    'asyncapi.yaml:6:15',
  );
});

test('a message of another file is one message for all operations that have it', async () => {
  const { contract } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /front: { subscribe: { message: { $ref: ./opened.yaml } } }
  /back: { subscribe: { message: { $ref: ./opened.yaml } } }
`,
    'opened.yaml': 'payload: { type: object, properties: { at: { type: string } } }\n',
  });
  expect(contract.notifications.map(({ pointer }) => pointer)).toEqual([
    'asyncapi#/components/messages/opened',
    'asyncapi#/components/messages/opened',
  ]);
  expect(contract.schemas).toHaveLength(1);
});

test('a structure error is one of the version that the document names, at its place', async () => {
  const message = (version: string): string => `asyncapi: ${version}
info: { title: Doors, version: 1.0.0 }
channels:
  /doors:
    subscribe:
      message:
        messageId: opened
        payload: { type: object }
`;
  // `messageId` is new in 2.4.
  expect(messagesOf(await read({ 'asyncapi.yaml': message('2.4.0') }))).toEqual([]);
  expect(messagesOf(await read({ 'asyncapi.yaml': message('2.0.0') }))).toEqual([
    'warning invalid-asyncapi asyncapi.yaml:7:9 Property `messageId` is not expected here.',
  ]);
});

test.each([
  [
    'a message that is a text',
    'channels:\n  /doors:\n    subscribe:\n      message: opened\n',
    'asyncapi.yaml:6:7',
  ],
  ['channels that are a list', 'channels:\n  - subscribe: {}\n', 'asyncapi.yaml:3:1'],
  ['a server without a protocol', 'channels: {}\nservers:\n  a: { url: b }\n', 'asyncapi.yaml:5:3'],
  [
    'security of a server that is not defined',
    'channels: {}\nservers:\n  a: { url: b, protocol: https, security: [{ key: [] }] }\n',
    'asyncapi.yaml:5:46',
  ],
  [
    'security of an operation that is not defined',
    'channels:\n  /a:\n    subscribe: { message: {}, security: [{ key: [] }] }\n',
    'asyncapi.yaml:5:44',
  ],
  [
    'a channel that leads nowhere',
    "channels:\n  /a: { $ref: '#/components/channels/b' }\n",
    'asyncapi.yaml:4:9',
  ],
])('reports %s at its place', async (_, text, place) => {
  const documents = await read({
    'asyncapi.yaml': `asyncapi: 2.6.0\ninfo: { title: Doors, version: 1.0.0 }\n${text}`,
  });
  expect(messagesOf(documents).map((message) => message.split(' ')[2])).toContain(place);
});

const withChannel = (channel: string, more = ''): string => `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors/{door}:
${channel.replaceAll(/^/gmu, '    ')}
${more}`;
const subscribe = 'subscribe: { message: { payload: { type: object } } }';

test.each([
  [
    'keywords of a parameter',
    withChannel(
      `parameters: { door: { schema: { type: integer, minimum: 1, description: It. } } }\n${subscribe}`,
    ),
    [
      'asyncapi.yaml:5:27 A parameter of AsyncAPI 3 is a string without a schema; "type", "minimum"',
    ],
  ],
  [
    'schemes that are required together',
    withChannel(
      `parameters: { door: {} }\nsubscribe:\n  security: [{ a: [], b: [] }]\n  message: { payload: {} }`,
      'components: { securitySchemes: { a: { type: X509 }, b: { type: userPassword } } }',
    ),
    ['asyncapi.yaml:7:18 AsyncAPI 3 cannot require several schemes together'],
  ],
  [
    'scopes',
    withChannel(
      `parameters: { door: {} }\n${subscribe}`,
      `servers: { live: { url: a, protocol: https, security: [{ a: [read] }] } }
components: { securitySchemes: { a: { type: openIdConnect, openIdConnectUrl: 'https://a.example' } } }`,
    ),
    ['asyncapi.yaml:7:58 The scopes of "a" are left out'],
  ],
  [
    'a URL of another protocol, and a relative one',
    withChannel(
      `parameters: { door: {} }\n${subscribe}`,
      `servers:
  live: { url: 'https://a.example', protocol: wss }
  test: { url: /test, protocol: https }`,
    ),
    [
      'asyncapi.yaml:8:11 The URL "https://a.example" is not of the protocol "wss"',
      'asyncapi.yaml:9:11 AsyncAPI 3 has no relative URL of a server: "/test" has no host.',
    ],
  ],
  [
    'names of traits',
    withChannel(
      `parameters: { door: {} }
subscribe:
  traits: [{ operationId: a }]
  message: { payload: {}, traits: [{ messageId: b }] }`,
    ),
    [
      'asyncapi.yaml:7:18 A trait of AsyncAPI 3 has no `operationId`',
      'asyncapi.yaml:8:42 A trait of AsyncAPI 3 has no `messageId`',
    ],
  ],
  [
    'a deprecated channel',
    withChannel(`parameters: { door: {} }\ndeprecated: true\n${subscribe}`),
    ['asyncapi.yaml:6:5 AsyncAPI 3 does not say that the channel "/doors/{door}" is deprecated.'],
  ],
])('reports what AsyncAPI 3 cannot express: %s', async (_, text, lost) => {
  const documents = await read({ 'asyncapi.yaml': text });
  const losses = messagesOf(documents).filter((message) => message.includes('lost-in-conversion'));
  expect(losses).toHaveLength(lost.length);
  for (const [index, part] of lost.entries()) {
    expect(losses[index]).toContain(`warning lost-in-conversion ${part}`);
  }
});

test('the enumeration, the default and the description of a parameter are kept', async () => {
  const text = withChannel(
    `parameters: { door: { $ref: '#/components/parameters/door' } }\n${subscribe}`,
    `components:
  parameters:
    door: { schema: { $ref: '#/components/schemas/Door' } }
  schemas:
    Door: { type: string, enum: [front, back], default: front, description: Which one. }
`,
  );
  const documents = await read({ 'asyncapi.yaml': text });
  expect(messagesOf(documents)).toEqual([]);
  expect(documents.asyncapi?.root).toMatchObject({
    components: {
      parameters: {
        door: { enum: ['front', 'back'], default: 'front', description: 'Which one.' },
      },
    },
  });
});

test('a trait overrides a message, and a later trait an earlier one', async () => {
  const text = withChannel(
    `parameters: { door: {} }
subscribe:
  traits: [{ bindings: { http: { method: PUT } } }]
  message:
    summary: of the message
    contentType: text/plain
    traits:
      - { contentType: application/xml, headers: { type: object, properties: { x-a: { const: a } } } }
      - { $ref: '#/components/messageTraits/json' }
    headers: { type: object, properties: { x-b: { const: b } } }
    payload: { type: object }`,
    'components: { messageTraits: { json: { contentType: application/json } } }',
  );
  const { contract } = await lowerFiles({ 'asyncapi.yaml': text });
  const [notification] = contract.notifications;
  expect(notification).toMatchObject({
    summary: 'of the message',
    contentType: 'application/json',
    method: 'PUT',
  });
  expect(notification?.headers.map(({ name }) => name).toSorted()).toEqual(['x-a', 'x-b']);
});

test('references into a channel follow what is moved', async () => {
  const text = `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors:
    subscribe: { message: { messageId: opened, payload: { type: object, required: [at] } } }
  /gates: { $ref: '#/components/channels/gates' }
components:
  channels:
    gates:
      subscribe:
        message:
          name: closed
          payload: { $ref: '#/channels/~1doors/subscribe/message/payload' }
`;
  const { contract, documents } = await lowerFiles({ 'asyncapi.yaml': text });
  expect(messagesOf(documents)).toEqual([]);
  expect(contract.notifications.map(({ id, label }) => `${id} ${label?.path}`)).toEqual([
    'opened /doors',
    'closed /gates',
  ]);
  expect(new Set(contract.notifications.map(({ payload }) => payload)).size).toBe(1);
});

test.each([
  'application/vnd.apache.avro;version=1.9.0',
  'application/vnd.apache.avro+json;version=1.9.0',
  'application/x-protobuf',
])('a payload of the format %s is reported at its place', async (schemaFormat) => {
  const text = `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors:
    subscribe:
      message:
        name: opened
        schemaFormat: ${schemaFormat}
        payload: { type: record, name: Opened, fields: [{ name: at, type: long }] }
`;
  const { diagnostics, documents } = await lowerFiles({ 'asyncapi.yaml': text });
  expect(messagesOf(documents)).toEqual([]);
  expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toContain('unsupported-schema 9');
});

test('an OpenAPI schema of a message is read as one', async () => {
  const text = `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors:
    subscribe:
      message:
        name: opened
        schemaFormat: application/vnd.oai.openapi;version=3.0.0
        payload: { type: string, nullable: true }
`;
  const { contract } = await lowerFiles({ 'asyncapi.yaml': text });
  expect(contract.schemas[0]?.definition).toEqual({ type: ['string', 'null'] });
});

test('components whose alternatives lead to one another end, and each message is there once', async () => {
  const layers = Array.from({ length: 30 }, (_, index) => {
    const next = `{ $ref: '#/components/messages/m${index + 1}' }, `;
    return `    m${index}: { oneOf: [${next.repeat(3)}{ $ref: '#/components/messages/m0' }] }`;
  });
  const text = `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
channels:
  /doors: { subscribe: { message: { $ref: '#/components/messages/m0' } } }
components:
  messages:
${layers.join('\n')}
    m30: { payload: { type: object } }
`;
  const { contract, documents } = await lowerFiles({ 'asyncapi.yaml': text });
  expect(messagesOf(documents)).toEqual([]);
  expect(contract.notifications.map(({ id }) => id)).toEqual(['m30']);
});

const vendors: readonly (readonly [
  name: string,
  text: string,
  notifications: readonly string[],
  messages: readonly string[],
])[] = [
  [
    'a WebSocket service with messages in both directions and an authenticating query',
    `asyncapi: 2.6.0
info: { title: Voices, version: 1.0.0 }
servers:
  live: { url: 'wss://voices.example', protocol: wss, security: [{ key: [] }] }
channels:
  /v1/speech/{voice}/stream:
    parameters: { voice: { $ref: '#/components/parameters/voice' } }
    bindings: { ws: { bindingVersion: 0.1.0, query: { type: object, properties: { model: { type: string } } } } }
    publish:
      operationId: sendText
      message: { oneOf: [{ $ref: '#/components/messages/start' }, { $ref: '#/components/messages/text' }] }
    subscribe:
      operationId: receiveSpeech
      message: { $ref: '#/components/messages/speech' }
components:
  parameters: { voice: { description: A voice., schema: { type: string } } }
  messages:
    start: { payload: { type: object, required: [key], properties: { key: { type: string } } } }
    text: { payload: { type: object, required: [text], properties: { text: { type: string } } } }
    speech: { payload: { type: object, properties: { sound: { type: string, format: byte } } } }
  securitySchemes: { key: { type: httpApiKey, in: header, name: x-key } }
`,
    [],
    ['speech service ws', 'start integrator ws', 'text integrator ws'],
  ],
  [
    'triggers without servers, distinguished by extensions',
    `asyncapi: 2.1.0
info: { title: Tickets, version: 1.0.0 }
x-identifier-type: header
x-identifier-path: X-Ticket-Event
channels:
  ticket:
    x-service-type: TicketService
    subscribe:
      message:
        oneOf:
          - x-event-type: onOpened
            payload: { $ref: '#/components/schemas/TicketEvent' }
          - x-event-type: onClosed
            payload: { $ref: '#/components/schemas/TicketEvent' }
components:
  schemas:
    TicketEvent:
      type: object
      required: [action]
      properties: { action: { type: string }, ticket: { anyOf: [{ type: 'null' }, { type: object }] } }
`,
    ['ticket subscribe 1', 'ticket subscribe 2'],
    [],
  ],
  [
    'webhooks of a code host, whose headers come from a trait',
    `asyncapi: 2.4.0
info: { title: Code, version: 1.0.0 }
servers: { hook: { url: '{receiver}', protocol: https, variables: { receiver: { default: a.example } } } }
channels:
  push:
    subscribe:
      bindings: { http: { type: request, method: POST, bindingVersion: 0.1.0 } }
      message: { $ref: '#/components/messages/push' }
components:
  messages:
    push:
      traits: [{ $ref: '#/components/messageTraits/delivery' }]
      payload: { type: object, properties: { ref: { type: string } } }
  messageTraits:
    delivery:
      headers: { type: object, required: [X-Event], properties: { X-Event: { type: string } } }
`,
    ['push'],
    [],
  ],
];

test.each(vendors)('reads %s', async (_, text, notifications, messages) => {
  const { contract, diagnostics, documents } = await lowerFiles({ 'asyncapi.yaml': text });
  expect(messagesOf(documents)).toEqual([]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(contract.notifications.map(({ id }) => id)).toEqual(notifications);
  expect(
    contract.messages.map(({ id, from, protocols }) => `${id} ${from} ${protocols.join()}`),
  ).toEqual(messages);
  expect(checkAsyncapi(documents.asyncapi?.root ?? {}, '3.0.0')).toEqual([]);
});
