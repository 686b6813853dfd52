import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { part, type Answer, type Input } from '../../../packages/runtime/client/client.ts';
import type { ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';
import { trade } from './trade.ts';

interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

let generated: GeneratedClient;
let module: ClientModule;
let baseUrl: string;
let recorded: Recorded[] = [];
let reply: readonly [number, Record<string, string>, string | Buffer] = [200, {}, ''];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    recorded.push({ method, url, headers, body: Buffer.concat(chunks) });
    const [status, more, body] = reply;
    response.writeHead(status, more).end(body);
  });
});

beforeAll(async () => {
  generated = await generateClient(await readOpenapi(trade));
  module = (await import(
    pathToFileURL(join(generated.client, 'src/index.ts')).href
  )) as ClientModule;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await generated[Symbol.asyncDispose]();
});
beforeEach(() => {
  recorded = [];
  reply = [200, {}, ''];
});

async function call(name: string, input?: Input, more: object = {}): Promise<Recorded> {
  const client = module.createClient({
    baseUrl,
    credentials: { key: 'k' },
    // These tests are about how values are written, whether the contract has them or not.
    invalidRequest: 'ignore',
    ...more,
  });
  const method = client[name];
  if (method === undefined) throw new Error(`There is no ${name}`);
  await method(input);
  const last = recorded.at(-1);
  if (last === undefined) throw new Error('Nothing arrived');
  return last;
}

const list = ['blue', 'black', 'brown'];
const record = { R: 100, G: 200, B: 150 };

describe('parameters arrive as the table of OpenAPI 3.1.1, 4.8.12.4 writes them', () => {
  test.each([
    ['pathSimple', 'blue', '/v1/simple/false/blue'],
    ['pathSimple', list, '/v1/simple/false/blue,black,brown'],
    ['pathSimple', record, '/v1/simple/false/R,100,G,200,B,150'],
    ['pathSimpleExploded', 'blue', '/v1/simple/true/blue'],
    ['pathSimpleExploded', list, '/v1/simple/true/blue,black,brown'],
    ['pathSimpleExploded', record, '/v1/simple/true/R=100,G=200,B=150'],
    ['pathLabel', 'blue', '/v1/label/false/.blue'],
    ['pathLabel', list, '/v1/label/false/.blue,black,brown'],
    ['pathLabel', record, '/v1/label/false/.R,100,G,200,B,150'],
    ['pathLabelExploded', 'blue', '/v1/label/true/.blue'],
    ['pathLabelExploded', list, '/v1/label/true/.blue.black.brown'],
    ['pathLabelExploded', record, '/v1/label/true/.R=100.G=200.B=150'],
    ['pathMatrix', 'blue', '/v1/matrix/false/;color=blue'],
    ['pathMatrix', list, '/v1/matrix/false/;color=blue,black,brown'],
    ['pathMatrix', record, '/v1/matrix/false/;color=R,100,G,200,B,150'],
    ['pathMatrixExploded', 'blue', '/v1/matrix/true/;color=blue'],
    ['pathMatrixExploded', list, '/v1/matrix/true/;color=blue;color=black;color=brown'],
    ['pathMatrixExploded', record, '/v1/matrix/true/;R=100;G=200;B=150'],
    ['pathSimple', "a b;c='é'(*)!", '/v1/simple/false/a%20b%3Bc%3D%27%C3%A9%27%28%2A%29%21'],
    ['pathSimple', 'a\\b?c#d%2e', '/v1/simple/false/a%5Cb%3Fc%23d%252e'],
  ] as const)('%s %j', async (name, color, url) => {
    expect((await call(name, { path: { color } })).url).toBe(url);
  });

  test.each([
    ['queryForm', '', '?color='],
    ['queryForm', 'blue', '?color=blue'],
    ['queryForm', list, '?color=blue,black,brown'],
    ['queryForm', record, '?color=R,100,G,200,B,150'],
    ['queryFormExploded', 'blue', '?color=blue'],
    ['queryFormExploded', list, '?color=blue&color=black&color=brown'],
    ['queryFormExploded', record, '?R=100&G=200&B=150'],
    ['queryFormExploded', [], ''],
    ['queryFormExploded', undefined, ''],
    ['queryFormExploded', null, ''],
    ['queryFormExploded', ['a&b', 'c=d', null], '?color=a%26b&color=c%3Dd'],
    ['querySpaceDelimited', list, '?color=blue%20black%20brown'],
    ['querySpaceDelimited', record, '?color=R%20100%20G%20200%20B%20150'],
    ['querySpaceDelimitedExploded', list, '?color=blue&color=black&color=brown'],
    ['queryPipeDelimited', list, '?color=blue%7Cblack%7Cbrown'],
    ['queryPipeDelimited', record, '?color=R%7C100%7CG%7C200%7CB%7C150'],
    ['queryPipeDelimitedExploded', list, '?color=blue&color=black&color=brown'],
    ['queryDeepObjectExploded', record, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    [
      'queryDeepObject',
      { a: { b: [1, 2] }, c: null },
      '?color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2',
    ],
  ] as const)('%s %j', async (name, color, search) => {
    expect((await call(name, { query: { color } })).url.replace(/^[^?]*/, '')).toBe(search);
  });

  test.each([
    ['others', 'blue', 'blue', 'color=blue'],
    ['others', list, 'blue,black,brown', 'color=blue,black,brown'],
    ['others', record, 'R,100,G,200,B,150', 'color=R,100,G,200,B,150'],
    ['othersExploded', list, 'blue,black,brown', 'color=blue; color=black; color=brown'],
    ['othersExploded', record, 'R=100,G=200,B=150', 'R=100; G=200; B=150'],
  ] as const)('%s %j', async (name, value, header, cookie) => {
    const { headers } = await call(name, {
      headers: { 'X-Color': value },
      cookies: { color: value },
    });
    expect(headers).toMatchObject({ 'x-color': header, cookie });
  });

  test('by their content', async () => {
    const value = { a: 1 };
    const { url, headers } = await call('content', {
      path: { filter: value },
      query: { q: value, plain: 'a b' },
      headers: { 'X-Q': value },
      cookies: { c: value },
    });
    expect(url).toBe('/v1/content/%7B%22a%22%3A1%7D?q=%7B%22a%22%3A1%7D&plain=a%20b');
    expect(headers).toMatchObject({ 'x-q': '{"a":1}', cookie: 'c=%7B%22a%22%3A1%7D' });
  });

  test('with reserved characters, but for those that would change the query', async () => {
    const { url } = await call('reserved_', {
      query: { q: "/a:b?c@d!$(*),;e=f&g+h#i[j]'%2F%zz", 'r[]': ['x'] },
    });
    expect(url).toBe('/v1/reserved?q=/a:b?c@d!$(*),;e=f%26g%2Bh%23i%5Bj%5D%27%2F%25zz&r%5B%5D=x');
  });

  test.each([
    ['reserved_', { query: {} }],
    ['pathSimple', {}],
    ['queryForm', { query: { color: [['nested']] } }],
    ['queryForm', { query: { color: Number.NaN } }],
    ['sendJson', {}],
    ['sendSeveral', { mediaType: 'constructor', body: 'x' }],
    ['sendSeveral', { mediaType: 'text/plain', body: 7 }],
    ['pathSimple', { path: { color: 'a' }, body: 'x' }],
  ])('%s refuses %j', async (name, input) => {
    await expect(call(name, input)).rejects.toMatchObject({ code: 'invalid-input' });
    expect(recorded).toEqual([]);
  });
});

describe('a body arrives', () => {
  const type = ({ headers }: Recorded): string | undefined => headers['content-type'];

  test('as JSON', async () => {
    const arrived = await call('sendJson', { body: { name: 'Möwe' } });
    expect([type(arrived), arrived.body.toString()]).toEqual([
      'application/json',
      '{"name":"Möwe"}',
    ]);
  });

  test('as a form, each property in its style', async () => {
    const arrived = await call('sendForm', {
      body: {
        name: 'a/b &',
        tags: ['x', 'y'],
        flat: ['x', 'y'],
        deep: { k: 1 },
        raw: { k: 'a b' },
        gone: undefined,
      },
    });
    expect(type(arrived)).toBe('application/x-www-form-urlencoded');
    expect(arrived.body.toString()).toBe(
      'name=a%2Fb+%26&tags=x&tags=y&flat=x,y&deep%5Bk%5D=1&raw=%7B%22k%22%3A%22a+b%22%7D',
    );
  });

  test('as multipart, with what its parts have of their own', async () => {
    const arrived = await call('sendMultipart', {
      body: {
        file: part(Uint8Array.of(1), {
          mediaType: 'image/png',
          fileName: 'ü"\r\n.png',
          headers: { 'X-Sum': 'a b', 'content-id': '<1>' },
        }),
        pages: [new Blob(['1'], { type: 'text/css' }), part(new Blob(['2']), { fileName: '2' })],
        note: part('ü', { fileName: 'note.txt', mediaType: 'text/plain; charset=utf-8' }),
        table: [part('a', { headers: { 'x-rows': '1', 'X-Version': '3' } })],
      },
    });
    const boundary = /boundary=(.*)$/.exec(type(arrived) ?? '')?.[1];
    const parts = arrived.body.toString().split(`--${boundary}`).slice(1, -1);
    expect(parts.map((text) => text.slice(2, -2))).toEqual([
      'Content-Disposition: form-data; name="file"; filename="ü%22%0D%0A.png"\r\n' +
        'Content-Type: image/png\r\nX-Sum: a b\r\ncontent-id: <1>\r\n\r\n\x01',
      'Content-Disposition: form-data; name="pages"; filename="blob"\r\nContent-Type: text/css\r\n\r\n1',
      'Content-Disposition: form-data; name="pages"; filename="2"\r\n' +
        'Content-Type: application/octet-stream\r\n\r\n2',
      'Content-Disposition: form-data; name="note"; filename="note.txt"\r\n' +
        'Content-Type: text/plain; charset=utf-8\r\n\r\nü',
      'Content-Disposition: form-data; name="table"\r\nContent-Type: text/csv\r\n' +
        'X-Version: 3\r\nx-rows: 1\r\n\r\na',
    ]);
  });

  test.each([
    ['without a header that the contract requires', { table: 'a' }, 'table'],
    [
      'with a line end in a header',
      { note: part('x', { headers: { 'X-A': 'secret\r\nb' } }) },
      'note',
    ],
    [
      'with a header that is not a name',
      { note: part('x', { headers: { 'a b': 'secret' } }) },
      'note',
    ],
    [
      'with a line end in its media type',
      { note: part('x', { mediaType: 'secret/x\r\n' }) },
      'note',
    ],
    [
      'with the name of another part',
      { note: part('x', { headers: { 'Content-Disposition': 'secret' } }) },
      'note',
    ],
    ['that is a date', { note: new Date() }, 'note'],
    ['that is a stream', { file: new Blob(['secret']).stream() }, 'file'],
  ])('and is refused with a part %s', async (_, body, name) => {
    const failed = call('sendMultipart', { body });
    await expect(failed).rejects.toMatchObject({ code: 'invalid-input' });
    const { message } = (await failed.catch((error: unknown) => error)) as Error;
    expect(message).toContain(`"${name}"`);
    expect(message).not.toContain('secret');
    expect(recorded).toEqual([]);
  });

  test('as multipart, each part with its name and media type', async () => {
    const arrived = await call('sendMultipart', {
      body: {
        file: new File([Uint8Array.of(0, 255)], 'a"\r\n.png', { type: 'image/png' }),
        pages: [new Uint8Array([1]), new Blob(['2'])],
        note: 'ü',
        about: { name: 'x' },
        table: part('a,b', { headers: { 'X-Rows': '1' } }),
      },
    });
    const form = await new Response(new Uint8Array(arrived.body), {
      headers: { 'content-type': type(arrived) ?? '' },
    }).formData();
    expect([...form.keys()]).toEqual(['file', 'pages', 'pages', 'note', 'about', 'table']);
    const file = form.get('file') as File;
    expect([file.type, ...new Uint8Array(await file.arrayBuffer())]).toEqual(['image/png', 0, 255]);
    expect([form.get('note'), form.get('about'), form.get('table')]).toEqual([
      'ü',
      '{"name":"x"}',
      'a,b',
    ]);
    const text = arrived.body.toString();
    expect(text).toContain('filename="a%22%0D%0A.png"');
    expect(text).toContain('name="about"\r\nContent-Type: application/json\r\n');
    expect(text).toContain(
      'name="table"\r\nContent-Type: text/csv\r\nX-Version: 2\r\nX-Rows: 1\r\n\r\na,b\r\n',
    );
  });

  test.each([
    ['the first media type', { body: 'hällo' }, 'text/plain', 'hällo'],
    [
      'bytes',
      { mediaType: 'application/octet-stream', body: new Uint8Array([104, 105]) },
      'application/octet-stream',
      'hi',
    ],
    [
      'a view',
      { mediaType: 'application/octet-stream', body: new Uint8Array([1, 104, 105]).subarray(1) },
      'application/octet-stream',
      'hi',
    ],
    [
      'a stream',
      { mediaType: 'application/octet-stream', body: new Blob(['hi']).stream() },
      'application/octet-stream',
      'hi',
    ],
    [
      'JSON',
      { mediaType: 'application/json', body: { name: 'x' } },
      'application/json',
      '{"name":"x"}',
    ],
    ['nothing', {}, undefined, ''],
  ])('as %s', async (_, input, mediaType, text) => {
    const arrived = await call('sendSeveral', input);
    expect([type(arrived), arrived.body.toString()]).toEqual([mediaType, text]);
  });
});

describe('an answer is', () => {
  const answer = async (): Promise<unknown> => {
    const options = { baseUrl, retry: { attempts: 1 }, invalidResponse: 'throw' };
    return await module.createClient(options)['answers']?.();
  };

  test.each([
    [
      200,
      'application/json; charset=utf-8',
      '{"name":"x"}',
      { status: 200, declaredStatus: '200', mediaType: 'application/json', body: { name: 'x' } },
    ],
    [
      200,
      'application/vnd.ship+json',
      '{"name":"x"}',
      { status: 200, declaredStatus: '200', mediaType: 'application/json', body: { name: 'x' } },
    ],
    [
      200,
      'text/plain',
      'hüllo',
      { status: 200, declaredStatus: '200', mediaType: 'text/plain', body: 'hüllo' },
    ],
    [
      200,
      'image/png',
      Buffer.from([1, 2]),
      { status: 200, declaredStatus: '200', mediaType: 'image/*', body: Uint8Array.of(1, 2) },
    ],
    [204, '', '', { status: 204, declaredStatus: '204', mediaType: undefined, body: undefined }],
  ])('read by its status and media type: %i %s', async (status, mediaType, body, expected) => {
    reply = [status, mediaType === '' ? {} : { 'content-type': mediaType }, body];
    expect(await answer()).toMatchObject(expected);
  });

  test.each([
    [200, 'application/xml', '<a/>', 'unexpected-content'],
    [200, '', '', 'unexpected-content'],
    [200, 'application/json', '{"name":', 'invalid-response'],
    [200, 'application/json', '{"name":7}', 'invalid-response'],
    [200, 'application/json', Buffer.from([0x22, 0xff, 0x22]), 'invalid-response'],
    [302, '', '', 'redirected'],
    [201, 'application/json', '{"name":"x"}', 'unexpected-status'],
  ])(
    'refused where the contract does not declare it: %i %s %s',
    async (status, mediaType, body, code) => {
      reply = [status, mediaType === '' ? {} : { 'content-type': mediaType }, body];
      await expect(answer()).rejects.toMatchObject({ code, status, operation: 'answers' });
    },
  );

  test.each([
    [418, 'application/problem+json', '{"title":"t"}', '4XX', { title: 't' }],
    [503, '', '', 'default', undefined],
    [404, 'application/json', '{"title":7}', undefined, { title: 7 }],
  ])(
    'an error with the failure: %i %s %s',
    async (status, mediaType, text, declaredStatus, body) => {
      reply = [status, mediaType === '' ? {} : { 'content-type': mediaType }, text];
      const error: unknown = await answer().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'failure-status', status, operation: 'answers', body });
      expect((error as { declaredStatus?: string }).declaredStatus).toBe(declaredStatus);
      const { isAnswersFailure } = module as unknown as Record<string, (error: unknown) => boolean>;
      expect(isAnswersFailure?.(error)).toBe(declaredStatus !== undefined);
    },
  );

  test('read with the headers that the contract declares', async () => {
    const read = async (headers: Record<string, string>): Promise<unknown> => {
      reply = [200, { 'content-type': 'text/plain', ...headers }, ''];
      const { declaredHeaders } = (await answer()) as Answer;
      expect(Object.getPrototypeOf(declaredHeaders)).toBe(Object.prototype);
      return Object.entries(declaredHeaders);
    };
    expect(
      await read({
        'x-limit': '5',
        'x-ratio': '-1.5e-3',
        'x-last': 'false',
        'x-kind': 'big',
        'x-tags': 'a, b c,d',
        'x-sizes': '1,2',
        'x-data': '{"a":1}',
        'x-map': 'R=1,G=2',
        'x-other': 'not declared',
      }),
    ).toEqual([
      ['X-Limit', 5],
      ['X-Ratio', -0.0015],
      ['X-Last', false],
      ['X-Kind', 'big'],
      ['X-Tags', ['a', 'b c', 'd']],
      ['X-Sizes', [1, 2]],
      ['X-Data', { a: 1 }],
      ['X-Map', 'R=1,G=2'],
    ]);
    expect(
      await read({
        'x-limit': '12345678901234567890',
        'x-ratio': '0x10',
        'x-last': 'yes',
        'x-sizes': '1,two',
        'x-data': '{',
      }),
    ).toEqual([]);
  });

  test('refused with its body at hand where the status is not declared', async () => {
    reply = [409, { 'content-type': 'application/json' }, '{"why":"full"}'];
    const failed = call('sendJson', { body: { name: 'x' } });
    await expect(failed).rejects.toMatchObject({ code: 'unexpected-status', status: 409 });
    const error: unknown = await failed.catch((reason: unknown) => reason);
    expect(error).toHaveProperty('body', { why: 'full' });
    expect(JSON.stringify(error)).not.toContain('full');
  });
});

describe('credentials travel', () => {
  test.each([
    [{ key: 'k' }, { 'x-key': 'k' }],
    [
      { basic: { username: 'ü', password: 'p:q' } },
      { authorization: `Basic ${Buffer.from('ü:p:q').toString('base64')}` },
    ],
    [{ key: 'k', basic: { username: 'u', password: 'p' } }, { 'x-key': 'k' }],
  ])('by the first alternative that they satisfy: %j', async (credentials, expected) => {
    const { headers } = await call('queryForm', {}, { credentials });
    expect(headers).toMatchObject(expected);
    expect(
      Object.keys(headers).filter((name) => ['authorization', 'x-key'].includes(name)),
    ).toHaveLength(1);
  });

  test('in header, cookie and query at once', async () => {
    const credentials = { session: async () => 's', cookieKey: 'c d', queryKey: 'q/1' };
    const { url, headers } = await call('bearer_', {}, { credentials });
    expect([url, headers.authorization, headers.cookie]).toEqual([
      '/v1/bearer?key=q%2F1',
      'Bearer s',
      'sid=c%20d',
    ]);
  });

  test('nowhere that the contract asks for none', async () => {
    const { headers } = await call('answers', {}, { credentials: undefined }).catch(
      () => recorded[0] ?? { headers: {} },
    );
    expect(headers).not.toHaveProperty('x-key');
  });

  test('are missed before anything is sent', async () => {
    const failed = call('queryForm', {}, { credentials: { session: 's' } });
    await expect(failed).rejects.toMatchObject({ code: 'missing-credential' });
    expect(recorded).toEqual([]);
  });
});

describe('an operation', () => {
  test('with an address of its own is called there', async () => {
    let called = '';
    const fetch = async (url: string): Promise<Response> => {
      called = url;
      return new Response();
    };
    await module.createClient({ fetch, credentials: { key: 'k' } })['request_']?.({ body: 'x' });
    expect(called).toBe('https://uploads.harbour.example/uploads');
    await module.createClient({ fetch, credentials: { key: 'k' } })['queryForm']?.();
    expect(called).toBe('https://harbour.example/v1/query/form/false');
  });

  test('is called by its method and path as well', async () => {
    const client = module.createClient({ baseUrl, credentials: { key: 'k' } });
    await client.request('GET', '/query/form/false', { query: { color: list } });
    expect(recorded.at(-1)?.url).toBe('/v1/query/form/false?color=blue,black,brown');
    await client.request('GET', '/not/declared', { query: { color: list } });
    expect(recorded.at(-1)?.url).toBe('/v1/not/declared?color=blue&color=black&color=brown');
  });

  test('that the platform’s fetch does not send is sent by one that does', async () => {
    let sent: RequestInit | undefined;
    const fetch = async (_: string, init: RequestInit): Promise<Response> => {
      sent = init;
      return new Response();
    };
    await module.createClient({ fetch, credentials: { key: 'k' } })['trace']?.();
    expect(sent).toMatchObject({ method: 'TRACE' });
    expect(sent?.body ?? undefined).toBeUndefined();
    const retry = { attempts: 1 };
    const refused = module.createClient({ retry, credentials: { key: 'k' } })['trace']?.();
    await expect(refused).rejects.toMatchObject({ code: 'invalid-input' });
    expect(recorded).toEqual([]);
  });
});
