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
