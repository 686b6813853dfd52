import { expectLinear } from '../../../counted-work.ts';
import { describe, expect, test } from 'vitest';
import { createAnswers } from '../../../../packages/runtime/webhooks/answers.ts';
import { atPublicUrl } from '../../../../packages/runtime/webhooks/authentication.ts';
import {
  basicCredentials,
  cookieSecret,
} from '../../../../packages/runtime/webhooks/credentials.ts';
import { createDeviations } from '../../../../packages/runtime/webhooks/deviations.ts';
import {
  parseName,
  proxyHeader,
  readCertificate,
} from '../../../../packages/runtime/webhooks/client-certificate.ts';
import { type Check, createLabelTest } from '../../../../packages/runtime/webhooks/contract.ts';
import {
  createReceiver,
  readFields,
  sharedSecret,
  unauthenticated,
  type Authentication,
  type Catalogue,
  type KindFields,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { toLambdaHandler } from '../../../../packages/runtime/adapters/aws-lambda.ts';
import { receivedHeaders } from '../../../../packages/runtime/webhooks/node.ts';
import { createDispatcher } from '../../../../packages/runtime/webhooks/stored-events.ts';
import { orderedKinds } from './ordered-kinds.ts';

/** A delivery of a size. */
interface Sent {
  readonly target?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

type Send = (size: number) => Sent;

const list = (size: number, write: (index: number) => string, separator = ','): string =>
  Array.from({ length: size }, (_, index) => write(index)).join(separator);

const refused = { pointer: '', keyword: 'type', message: 'is wrong' };
const accepting: Check = { accepts: () => true, violations: () => [] };
const refusing: Check = { accepts: () => false, violations: () => [refused] };
const nothing = { nodes: [], start: [] };

const fields: ReadonlyMap<string, KindFields> = new Map([
  [
    'paid',
    {
      in: 'body',
      fields: {
        id: { shape: { types: ['string'] } },
        amount: { shape: { types: ['number'] } },
        items: { shape: { types: ['array'], items: { types: ['number'] } }, delimiter: ',' },
        list: { shape: { types: ['array'], items: { types: ['object'] } } },
        holder: { shape: { types: ['object'], properties: { name: { types: ['string'] } } } },
      },
    },
  ],
]);

/** A contract with one kind, whose key has a header, a query parameter and a member, and whose answer has the id. */
function catalogueOf(check: Check, isForm = false): Catalogue {
  const answer = createAnswers(
    new Map([
      ['paid', { status: 200, mediaType: 'text/plain', value: { echoes: { body: ['id'] } } }],
    ]),
    undefined,
    undefined,
  );
  const catalogue: Catalogue = {
    name: 'test',
    kinds: new Map([
      [
        'paid',
        {
          check,
          dedupeBy: [{ body: [] }, { header: 'x-id' }, { query: 'id' }],
          orderedBy: [{ body: ['id'] }],
          normalization: [
            { values: [['note', [null]]], members: [['items', 1]] },
            { values: [], members: [], items: 2 },
            { values: [], members: [], number: true },
          ],
        },
      ],
    ]),
    unions: new Map(),
    routes: [
      {
        segments: ['a', { literals: ['', '-', ''], parameters: ['b', 'c'] }],
        kinds: [{ method: '', kinds: ['paid'] }],
      },
    ],
    methods: ['POST'],
    reads: [{ header: 'x-kind' }],
    kindOf: { nodes: [{ read: 0, values: new Map([['other', []]]), rest: ['paid'] }], start: 0 },
    forms: new Map(),
    formOf: nothing,
    ...(isForm && { fields: { kinds: fields, read: readFields } }),
  };
  return Object.assign(catalogue, { answer });
}

const deviations = createDeviations(
  { names: ['paid'], places: [{ members: [], declared: [] }], numbers: new Map() },
  { paid: () => undefined },
);

/** Receives a delivery, and returns how it was handled. */
async function receive(
  catalogue: Catalogue,
  { target = '/a/b-c', headers = [], body = '{"id":"1"}' }: Sent,
  options: object = {},
): Promise<string> {
  const receiver = createReceiver(catalogue, {
    authenticate: unauthenticated(),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
    onEvent: () => undefined,
    maxBodyBytes: 2 ** 30,
    ...options,
  });
  const { reason } = await receiver({
    method: 'POST',
    target,
    headers: receivedHeaders({ rawHeaders: headers.flat() }),
    read: () => Buffer.from(body),
  });
  return reason;
}

const bodies: readonly (readonly [what: string, send: Send])[] = [
  ['members', (n) => ({ body: `{${list(n, (index) => `"m${index}":${index}`)}}` })],
  ['numeric members', (n) => ({ body: `{${list(n, (index) => `"${index * 7}":1`)}}` })],
  ['repeated members', (n) => ({ body: `{${list(n, () => '"m":1')}}` })],
  ['objects', (n) => ({ body: `[${list(n, (index) => `{"id":"${index}","n":null}`)}]` })],
  ['levels', (n) => ({ body: '['.repeat(n) + ']'.repeat(n) })],
  ['levels without an end', (n) => ({ body: '{"a":'.repeat(n) })],
  ['constructors', (n) => ({ body: `{"id":"1","x":[${list(n, () => '{"constructor":[[1]]}')}]}` })],
  ['digits', (n) => ({ body: `{"id":"1","x":${'9'.repeat(n)}}` })],
  ['zeros', (n) => ({ body: `{"id":"1","x":0.${'0'.repeat(n)}1}` })],
  [
    'inexact numbers',
    (n) => ({ body: `{"id":"1","x":[${list(n, () => '0.1234567890123456789')}]}` }),
  ],
  ['numbers as texts', (n) => ({ body: `{"id":"1","items":[${list(n, () => '"1.50"')}]}` })],
  ['escapes', (n) => ({ body: `{"id":"1","x":"${String.raw`\u00e9\\`.repeat(n)}"}` })],
  ['white space', (n) => ({ body: `${' '.repeat(n)}{"id":"1"}` })],
  ['a text without an end', (n) => ({ body: `{"id":"${'\\"'.repeat(n)}` })],
  ['text that is not JSON', (n) => ({ body: 'x'.repeat(n) })],
];

const forms: readonly (readonly [what: string, send: Send])[] = [
  ['fields', (n) => ({ body: `id=1&${list(n, (index) => `f${index}=1`, '&')}` })],
  ['repeated fields', (n) => ({ body: list(n, () => 'id=1', '&') })],
  ['other repeated fields', (n) => ({ body: `id=1&${list(n, () => 'x=1', '&')}` })],
  ['separators', (n) => ({ body: `id=1${'&'.repeat(n)}` })],
  ['brackets', (n) => ({ body: `id=1&${list(n, (index) => `holder[a${index}]=1`, '&')}` })],
  ['empty brackets', (n) => ({ body: `id=1&${list(n, () => 'items[]=1', '&')}` })],
  ['items of a list', (n) => ({ body: `id=1&items=${list(n, () => '1.5')}` })],
  ['encoded items', (n) => ({ body: `id=1&items=${list(n, () => '1%2E5')}` })],
  ['items in JSON', (n) => ({ body: `id=1&${list(n, () => 'list={"a":1}', '&')}` })],
  ['escapes', (n) => ({ body: `id=${'%C3%A9'.repeat(n)}` })],
  ['escapes without digits', (n) => ({ body: `id=${'%'.repeat(n)}` })],
  ['plus signs', (n) => ({ body: `id=${'+'.repeat(n)}` })],
  ['digits', (n) => ({ body: `id=1&amount=${'9'.repeat(n)}` })],
];

const targets: readonly (readonly [what: string, send: Send])[] = [
  [
    'parameters of a query',
    (n) => ({ target: `/a/b-c?${list(n, (index) => `q${index}=1`, '&')}` }),
  ],
  ['a repeated parameter', (n) => ({ target: `/a/b-c?${list(n, () => 'id=1', '&')}` })],
  ['segments', (n) => ({ target: `${'/x'.repeat(n)}/a/b-c` })],
  ['encoded segments', (n) => ({ target: `${'/%C3%A9'.repeat(n)}/a/b-c` })],
  ['empty segments', (n) => ({ target: `${'/'.repeat(n)}a/b-c` })],
  ['dot segments', (n) => ({ target: `${'/x/..'.repeat(n)}/a/b-c` })],
  ['separators of a parameter', (n) => ({ target: `/a/${'-'.repeat(n)}` })],
  ['a long parameter', (n) => ({ target: `/a/${'b'.repeat(n)}` })],
  ['an absolute URL', (n) => ({ target: `https://${'x'.repeat(n)}/a/b-c` })],
  [
    'headers',
    (n) => ({
      headers: Array.from({ length: n }, (_, index) => [
        `x-${String(index).padStart(9, '0')}`,
        '1',
      ]),
    }),
  ],
  ['a repeated header', (n) => ({ headers: Array.from({ length: n }, () => ['x-id', '1']) })],
  ['codings', (n) => ({ headers: [['content-encoding', list(n, () => 'identity')]] })],
];

const toBatch = (n: number, beside = ''): Sent => ({
  target: '/docked',
  headers: [['x-delivery', '1']],
  body: `{${beside}"ships":[${list(n, (index) => `{"id":"${index}","state":"ok"}`)}]}`,
});

describe('twice the input costs at most 2.5 times the work of a receiver', () => {
  test.each(bodies)('JSON: %s', async (_, send) => {
    const catalogue = catalogueOf(accepting);
    await expectLinear((size) => receive(catalogue, send(size)), 2000);
  });

  test.each(bodies)('refused JSON: %s', async (_, send) => {
    const catalogue = catalogueOf(refusing);
    await expectLinear((size) => receive(catalogue, send(size), { deviations }), 2000);
  });

  test.each(bodies)('JSON with numbers as texts: %s', async (_, send) => {
    const catalogue = catalogueOf(accepting);
    await expectLinear((size) => receive(catalogue, send(size), { numbers: 'text' }), 2000);
  });

  test.each([...forms, ...bodies])('forms: %s', async (_, send) => {
    const catalogue = catalogueOf(accepting, true);
    await expectLinear((size) => receive(catalogue, send(size)), 2000);
  });

  test.each(targets)('targets and headers: %s', async (_, send) => {
    const catalogue = catalogueOf(accepting);
    await expectLinear((size) => receive(catalogue, send(size)), 2000);
  });

  test.each([...targets, ...forms, ...bodies])('deliveries for an inbox: %s', async (_, send) => {
    const inbox = { receive: async () => await Promise.resolve({ status: 'stored' }) };
    const catalogue = catalogueOf(accepting, true);
    const options = { inbox, stored: { query: ['q1'] } };
    await expectLinear(async (size) => {
      const receiver = createReceiver(catalogue, {
        authenticate: unauthenticated(),
        onEvent: () => undefined,
        maxBodyBytes: 2 ** 30,
        ...options,
      } as never);
      const { target = '/a/b-c', headers = [], body = '{"id":"1"}' } = send(size);
      await receiver({
        method: 'POST',
        target,
        headers: receivedHeaders({ rawHeaders: headers.flat() }),
        read: () => Buffer.from(body),
      });
    }, 2000);
  });

  test.each([
    ['elements', (n: number) => toBatch(n)],
    ['members beside few elements', (n: number) => toBatch(2, `"x":"${'x'.repeat(n)}",`)],
    [
      'as many members beside them',
      (n: number) =>
        toBatch(
          n,
          list(n, (at) => `"x${at}":1,`, ''),
        ),
    ],
  ])('wire variants: %s', async (_, send) => {
    await expectLinear((size) => receive(orderedKinds, send(size)), 2000);
  });

  test('a worker and its elements', async () => {
    const handle = createDispatcher(orderedKinds, {
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
    });
    await expectLinear(async (size) => {
      const { target = '', headers = [], body = '' } = toBatch(size);
      await handle(
        {
          id: '1-0',
          receiptId: '1',
          position: 0,
          count: 1,
          receivedAt: 0,
          method: 'POST',
          target,
          headers,
          body: Buffer.from(body),
        },
        {} as never,
      );
    }, 2000);
  });

  const secrets: readonly (readonly [what: string, authenticate: Authentication, send: Send])[] = [
    [
      'pairs of a cookie',
      cookieSecret('s', 'secret'),
      (n) => ({ headers: [['cookie', list(n, (index) => `c${index}=1`, '; ')]] }),
    ],
    [
      'a repeated cookie',
      cookieSecret('s', 'secret'),
      (n) => ({ headers: [['cookie', list(n, () => 's=1', '; ')]] }),
    ],
    [
      'a long cookie',
      cookieSecret('s', 'secret'),
      (n) => ({ headers: [['cookie', `s="${'%41'.repeat(n)}"`]] }),
    ],
    [
      'basic credentials',
      basicCredentials('user:password'),
      (n) => ({ headers: [['authorization', `Basic ${'QUFB'.repeat(n)}`]] }),
    ],
    [
      'spaces of basic credentials',
      basicCredentials('user:password'),
      (n) => ({ headers: [['authorization', `Basic${' '.repeat(n)}x`]] }),
    ],
    [
      'a secret in a header',
      sharedSecret({ header: 'x-key' }, 'secret'),
      (n) => ({ headers: [['x-key', 's'.repeat(n)]] }),
    ],
    [
      'a secret in a query',
      sharedSecret({ query: 'key' }, 'secret'),
      (n) => ({ target: `/a/b-c?${list(n, () => 'x=1', '&')}&key=1` }),
    ],
    [
      'a secret in a path',
      sharedSecret({ path: true }, 'secret'),
      (n) => ({ target: `/secret${'/x'.repeat(n)}` }),
    ],
    [
      'a public URL',
      atPublicUrl(
        { received: '/a', called: 'https://shop.example/b' },
        ['$url'],
        sharedSecret({ query: 'key' }, 'secret'),
      ),
      (n) => ({ target: `/a/${'b'.repeat(n)}?${'&'.repeat(n)}` }),
    ],
  ];
  test.each(secrets)('authentication: %s', async (_, authenticate, send) => {
    const catalogue = catalogueOf(accepting);
    await expectLinear((size) => receive(catalogue, send(size), { authenticate }), 2000);
  });

  const xfcc: readonly (readonly [what: string, write: (size: number) => string])[] = [
    ['elements', (n) => list(n, () => 'By=a;Hash=b')],
    ['members', (n) => list(n, () => 'By=a', ';')],
    ['escapes', (n) => `Cert="${String.raw`\"`.repeat(n)}"`],
    ['a quote without an end', (n) => `Cert="${'a'.repeat(n)}`],
    ['spaces', (n) => `Cert=a;${' '.repeat(n)}=`],
    ['an encoded certificate', (n) => `Cert="${'%41'.repeat(n)}"`],
  ];
  test.each(xfcc)('X-Forwarded-Client-Cert: %s', async (_, write) => {
    const source = proxyHeader({
      header: 'X-Forwarded-Client-Cert',
      trust: 'proxy-replaces-header',
      proxies: 'only-proxies-can-connect',
      element: 'last',
    });
    await expectLinear((size) => {
      const text = write(size);
      return swallow(() =>
        source.read({ method: 'POST', url: '/', headers: () => [text], body: new Uint8Array() }),
      );
    }, 2000);
  });

  const names: readonly (readonly [what: string, write: (size: number) => string])[] = [
    ['attributes', (n) => list(n, (index) => `OU=${index}`)],
    ['escapes', (n) => `CN=${String.raw`\,\C3\A9`.repeat(n)}`],
    [
      'hexadecimal digits',
      (n) => `CN=#0c82${(n + 256).toString(16).padStart(4, '0')}${'61'.repeat(n + 256)}`,
    ],
    ['spaces', (n) => list(n, () => '   CN=a')],
    ['numbers', (n) => `1${'.1'.repeat(n)}=a`],
  ];
  test.each(names)('names of a certificate: %s', async (_, write) => {
    await expectLinear((size) => {
      const text = write(size);
      return swallow(() => parseName(text));
    }, 2000);
  });

  test('certificates: attributes', async () => {
    const der = (tag: number, ...content: readonly Uint8Array[]): Uint8Array => {
      const bytes = Buffer.concat(content);
      const { length } = bytes;
      const size =
        length < 128 ? [length] : [0x83, length >> 16, (length >> 8) & 255, length & 255];
      return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
    };
    const [text, id] = [der(0x0c, Buffer.from('a')), der(0x06, Buffer.from([0x55, 4, 3]))];
    const attribute = der(0x31, der(0x30, id, text));
    await expectLinear((size) => {
      const name = der(0x30, ...Array.from({ length: 70 * size }, () => attribute));
      const algorithm = der(0x30);
      const content = der(0x30, der(0x02, Buffer.from([1])), algorithm, name, der(0x30), name);
      const bytes = der(0x30, content, algorithm, der(0x03, Buffer.from([0])));
      swallow(() => readCertificate(bytes));
    }, 100);
  });

  test('paths that a framework passes on', async () => {
    const matches = createLabelTest([{ path: '/a/{b}-{c}' }, { path: '/x' }]);
    for (const part of ['/x', '/%2e%2e', '//', '/..;x', '%2f'])
      await expectLinear((size) => matches(part.repeat(size)), 2000);
  });

  test('events of AWS Lambda', async () => {
    const receiver = createReceiver(catalogueOf(accepting), {
      authenticate: unauthenticated(),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
      onEvent: () => undefined,
    });
    const handler = toLambdaHandler(receiver);
    await expectLinear(
      (size) =>
        handler({
          httpMethod: 'POST',
          path: `/a/${'é-'.repeat(size)}`,
          multiValueQueryStringParameters: Object.fromEntries(
            Array.from({ length: size }, (_, index) => [`q${index}`, ['1', '2']]),
          ),
          multiValueHeaders: Object.fromEntries(
            Array.from({ length: size }, (_, index) => [`x-${index}`, ['1']]),
          ),
          body: '{"id":"1"}',
        }),
      1000,
    );
  });
});

/** Calls a function that can refuse its input. */
function swallow(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
  }
}
