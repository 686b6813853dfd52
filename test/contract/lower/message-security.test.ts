import { expect, test } from 'vitest';
import { lowerFiles } from './lower-files.ts';

interface Parts {
  readonly servers?: string;
  readonly channel?: string;
  readonly operation?: string;
}

/** Returns the security of the one notification of an AsyncAPI 3 document, as lists of scheme names. */
async function securityOf({ servers = '', channel = '', operation = '' }: Parts): Promise<unknown> {
  const { contract } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
servers: { ${servers} }
channels:
  doors: { address: /doors, ${channel} messages: { opened: { payload: { type: object } } } }
operations:
  tell: { action: send, ${operation} channel: { $ref: '#/channels/doors' } }
components:
  securitySchemes:
    seal: { type: httpApiKey, in: header, name: X-Seal }
    key: { type: httpApiKey, in: header, name: X-Key }
`,
  });
  return contract.notifications.map(({ security }) =>
    security.map((requirement) => requirement.map(({ scheme }) => scheme)),
  );
}

const by = (...names: readonly string[]): string =>
  `security: [${names.map((name) => `{ $ref: '#/components/securitySchemes/${name}' }`).join()}],`;
const server = (name: string, security: string, protocol = 'https'): string =>
  `${name}: { ${security} host: ${name}.example, protocol: ${protocol} },`;
const listing = (name: string): string => `servers: [{ $ref: '#/servers/${name}' }],`;

test.each<[string, Parts, readonly (readonly string[])[]]>([
  ['nothing states any', { servers: server('a', '') }, []],
  ['the operation states it', { operation: by('seal') }, [['seal']]],
  ['the only server states it', { servers: server('a', by('seal')) }, [['seal']]],
  ['a server has alternatives', { servers: server('a', by('seal', 'key')) }, [['seal'], ['key']]],
  [
    'both state it: both have to be satisfied',
    { servers: server('a', by('seal')), operation: by('key') },
    [['seal', 'key']],
  ],
  ['both state the same', { servers: server('a', by('seal')), operation: by('seal') }, [['seal']]],
  [
    'several servers are alternatives',
    { servers: server('a', by('seal')) + server('b', by('key')) },
    [['seal'], ['key']],
  ],
  [
    'one of several servers states none',
    { servers: server('a', by('seal')) + server('b', '') },
    [['seal'], []],
  ],
  [
    'the channel lists a server',
    { servers: server('a', by('seal')) + server('b', by('key')), channel: listing('b') },
    [['key']],
  ],
  ['the operation states that there is none', { operation: 'security: [],' }, [[]]],
  ['the server states that there is none', { servers: server('a', 'security: [],') }, [[]]],
  [
    'the operation states none of its own, and the server states one',
    { servers: server('a', by('seal')), operation: 'security: [],' },
    [['seal']],
  ],
  [
    'a server of another protocol states it',
    { servers: server('a', by('seal'), 'kafka') + server('b', '') },
    [],
  ],
])('%s', async (_, parts, expected) => {
  expect(await securityOf(parts)).toEqual([expected]);
});

test('the security of a server of AsyncAPI 2 applies', async () => {
  const { contract } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 2.6.0
info: { title: Doors, version: 1.0.0 }
servers:
  a: { url: 'https://a.example', protocol: https, security: [{ seal: [] }] }
  b: { url: 'https://b.example', protocol: https, security: [{ key: [] }] }
channels:
  /doors: { servers: [a], subscribe: { message: { payload: { type: object } } } }
  /windows: { subscribe: { security: [{ key: [] }], message: { payload: { type: object } } } }
components:
  securitySchemes:
    seal: { type: httpApiKey, in: header, name: X-Seal }
    key: { type: httpApiKey, in: header, name: X-Key }
`,
  });
  expect(contract.notifications.map(({ label, security }) => [label?.path, security])).toEqual([
    ['/doors', [[{ scheme: 'seal', scopes: [] }]]],
    [
      '/windows',
      [
        [
          { scheme: 'seal', scopes: [] },
          { scheme: 'key', scopes: [] },
        ],
        [{ scheme: 'key', scopes: [] }],
      ],
    ],
  ]);
});

/** Returns the security of the one notification beside a call, with the servers that the channels of both list. */
async function besideCall(
  lists: { readonly told?: string; readonly called?: string; readonly more?: string },
  perspective: 'service' | 'integrator' = 'service',
): Promise<unknown> {
  const [telling, calling] = perspective === 'service' ? ['send', 'receive'] : ['receive', 'send'];
  const { told = '', called = '', more = '' } = lists;
  const { contract } = await lowerFiles(
    {
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
servers: { ${server('api', by('key'))} ${more} }
channels:
  told: { address: /told, ${told} messages: { opened: { payload: { type: object } } } }
  called: { address: /called, ${called} messages: { open: { payload: { type: object } } } }
operations:
  tell: { action: ${telling ?? ''}, channel: { $ref: '#/channels/told' } }
  call: { action: ${calling ?? ''}, channel: { $ref: '#/channels/called' } }
components:
  securitySchemes:
    seal: { type: httpApiKey, in: header, name: X-Seal }
    key: { type: httpApiKey, in: header, name: X-Key }
`,
    },
    perspective,
  );
  return contract.notifications.map(({ security }) =>
    security.map((requirement) => requirement.map(({ scheme }) => scheme)),
  );
}

test.each(['service', 'integrator'] as const)(
  'the security of a server that only calls name is not that of deliveries, from the perspective of the %s',
  async (perspective) => {
    expect(await besideCall({ called: listing('api') }, perspective)).toEqual([[]]);
    const hooks = server('hooks', by('seal'));
    // The other server is left, and its security applies.
    expect(await besideCall({ called: listing('api'), more: hooks }, perspective)).toEqual([
      [['seal']],
    ]);
    const both = { called: listing('api'), told: listing('api') };
    expect(await besideCall(both, perspective)).toEqual([[['key']]]);
    expect(await besideCall({ told: listing('api') }, perspective)).toEqual([[['key']]]);
    // Neither channel lists a server: AsyncAPI has both available on every server.
    expect(await besideCall({}, perspective)).toEqual([[['key']]]);
  },
);
