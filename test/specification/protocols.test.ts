import { expect, test } from 'vitest';
import { type ContractTexts, lowerFiles } from '../contract/lower/lower-files.ts';

interface Parts {
  readonly servers?: string;
  readonly channel?: string;
  readonly operation?: string;
  readonly message?: string;
}

/** A contract with one message that the service sends. */
const contractWith = ({ servers = '', channel = '', operation = '', message = '' }: Parts) => ({
  'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
servers: { ${servers} }
channels:
  doors:
    address: /doors
    ${channel}
    messages: { opened: { ${message} payload: { type: object } } }
operations:
  tell: { action: send, ${operation} channel: { $ref: '#/channels/doors' } }
components:
  messageTraits: { loud: { bindings: { kafka: {} } } }
`,
});
const kafka = 'kafka: { host: a.example, protocol: kafka-secure }';
const https = 'https: { host: b.example, protocol: https }';

test.each<[string, Parts, readonly string[]]>([
  ['nothing is declared', {}, ['http']],
  ['every server is HTTP', { servers: https }, ['http']],
  ['the server is of another protocol', { servers: kafka }, ['kafka']],
  ['one of the servers is HTTP', { servers: `${kafka}, ${https}` }, ['kafka', 'http']],
  [
    'the channel names a server of another protocol',
    { servers: `${kafka}, ${https}`, channel: "servers: [{ $ref: '#/servers/kafka' }]" },
    ['kafka'],
  ],
  [
    'the channel names an HTTP server and a message has another binding',
    {
      servers: `${kafka}, ${https}`,
      channel: "servers: [{ $ref: '#/servers/https' }]",
      message: 'bindings: { kafka: {} },',
    },
    ['http'],
  ],
  ['the operation has a binding', { operation: 'bindings: { amqp: {} },' }, ['amqp']],
  ['the channel has a binding', { channel: 'bindings: { ws: {} }' }, ['ws']],
  ['the message has a binding', { message: 'bindings: { mqtt: {} },' }, ['mqtt']],
  [
    'a trait has a binding',
    { message: "traits: [{ $ref: '#/components/messageTraits/loud' }]," },
    ['kafka'],
  ],
  [
    'a binding chooses among the servers',
    { servers: `${kafka}, ${https}`, operation: 'bindings: { http: { method: POST } },' },
    ['http'],
  ],
  ['the protocol is a variable', { servers: "a: { host: b, protocol: '{how}' }" }, ['http']],
])('where %s, only HTTP has a receiver', async (_, parts, protocols) => {
  const { contract, diagnostics } = await lowerFiles(contractWith(parts));
  const isReceived = protocols.includes('http');
  expect(contract.notifications.map(({ id }) => id)).toEqual(isReceived ? ['opened'] : []);
  expect(contract.messages.map((message) => message.protocols)).toEqual(
    isReceived ? [] : [protocols],
  );
  expect(contract.schemas.map(({ name }) => name)).toEqual(['OpenedPayload']);
  const said = diagnostics.filter(({ code }) => code === 'other-protocol');
  expect(said.map(({ severity, message }) => `${severity} ${message}`)).toEqual(
    isReceived
      ? []
      : [
          `info The protocol of the channel "doors" is ${protocols.join()}, not HTTP: their messages get types and validators, but no receiver.`,
        ],
  );
});

const mixed: ContractTexts = {
  'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
servers:
  broker: { host: a.example, protocol: amqps }
  web: { host: b.example, protocol: https }
channels:
  opened:
    address: /opened
    servers: [{ $ref: '#/servers/web' }]
    messages: { opened: { headers: { type: object, required: [x-at], properties: { x-at: { type: string } } }, payload: { type: object } } }
  closed:
    address: doors.closed
    servers: [{ $ref: '#/servers/broker' }]
    messages:
      closed:
        headers: { type: object, properties: { attempt: { type: integer } } }
        traits: [{ headers: { type: object, properties: { trace: { type: string } } } }]
        payload: { type: object, properties: { at: { type: string } } }
  locked:
    address: doors.locked
    servers: [{ $ref: '#/servers/broker' }]
    messages: { lock: { payload: { type: object, required: [key] } } }
  answers:
    messages: { locked: { payload: { type: boolean } }, jammed: { payload: { type: string } } }
operations:
  tellOpened: { action: send, channel: { $ref: '#/channels/opened' } }
  tellClosed: { action: send, channel: { $ref: '#/channels/closed' } }
  lock:
    action: receive
    channel: { $ref: '#/channels/locked' }
    reply: { channel: { $ref: '#/channels/answers' }, messages: [{ $ref: '#/channels/answers/messages/locked' }] }
  nothing: { action: send, channel: { $ref: '#/channels/answers' }, messages: [] }
`,
};

test('messages of other protocols, received ones and replies are typed, and get no receiver', async () => {
  const { contract, diagnostics } = await lowerFiles(mixed);
  expect(contract.notifications.map(({ id, headersSchema }) => [id, headersSchema])).toEqual([
    ['opened', 'OpenedHeaders'],
  ]);
  expect(
    contract.messages.map(({ id, operation, from, isReply, protocols, address, payload }) =>
      [id, operation, from, isReply, protocols.join(), address, payload].join(' '),
    ),
  ).toEqual([
    'closed tellClosed service false amqp doors.closed ClosedPayload',
    'lock lock integrator false amqp doors.locked LockPayload',
    'locked lock service true amqp,http  LockedPayload',
  ]);
  const schemas = new Map(contract.schemas.map(({ name, definition }) => [name, definition]));
  expect(schemas.get('ClosedHeaders')).toEqual({
    allOf: [
      { type: 'object', properties: { attempt: { type: 'integer' } } },
      { type: 'object', properties: { trace: { type: 'string' } } },
    ],
  });
  expect(schemas.get('OpenedHeaders')).toMatchObject({ required: ['x-at'] });
  expect(diagnostics.map(({ code, line, message }) => `${code} ${line} ${message}`)).toEqual([
    'other-protocol 4 The protocol of the channels "closed", "locked" is amqp, not HTTP: their messages get types and validators, but no receiver.',
    'unstated-authentication 10 The contract does not say how a delivery of "opened" is authenticated.',
    'unreceived-notifications 24 The message "jammed" is used by no operation, so nothing receives it.',
  ]);
});

test('from the perspective of the integrator, the senders are exchanged', async () => {
  const { contract } = await lowerFiles(mixed, 'integrator');
  expect(contract.notifications).toEqual([]);
  expect(contract.messages.map(({ id, from }) => `${id} ${from}`)).toEqual([
    'lock service',
    'opened integrator',
    'closed integrator',
    'locked integrator',
  ]);
});

test.each(['send', 'receive'])(
  'a schema that cannot be read is reported where the service can %s it',
  async (action) => {
    const { diagnostics } = await lowerFiles({
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
channels:
  doors:
    address: doors
    messages:
      opened:
        headers: { schemaFormat: application/raml+yaml;version=1.0, schema: {} }
        payload: { schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: {} }
operations:
  tell: { action: ${action}, channel: { $ref: '#/channels/doors' } }
`,
    });
    const warnings = diagnostics.filter(({ code }) => code === 'unsupported-schema');
    expect(warnings.map(({ severity, line }) => `${severity} ${line}`)).toEqual([
      'warning 8',
      'warning 9',
    ]);
  },
);
