import { expect, test } from 'vitest';
import type {
  ServedContent,
  ServedOperation,
  ServedResponse,
  Service,
} from '../../../../packages/simulator/src/service.ts';
import { startCalls } from '../fixture-client.ts';
import { fixtureService, toCheck } from '../fixture-service.ts';

const media = (mediaType: string, value: string | object): ServedContent => ({
  mediaType,
  examples: [{ name: 'example', value: JSON.parse(JSON.stringify(value)) }],
});

const response = (status: string, ...content: readonly ServedContent[]): ServedResponse => ({
  status,
  description: status,
  fixedHeaders: {},
  content,
});

/** Creates a service with one operation at `/it`. */
function serviceOf(operation: Partial<ServedOperation>): Service {
  const base: ServedOperation = {
    name: 'it',
    id: 'it',
    method: 'GET',
    path: '/it',
    parameters: [],
    responses: [],
    security: [],
  };
  return {
    ...fixtureService,
    operations: [{ ...base, ...operation }],
    checks: new Map([['named', toCheck({ type: 'object', required: ['name'] })]]),
  };
}

interface Answered {
  readonly title: string;
  readonly responses: readonly ServedResponse[];
  readonly accept?: string;
  readonly answer: readonly [status: number, type: string | null, text: string];
}

const text = media('text/plain', 'plain');
const json = media('application/json', { a: 1 });

test.each<Answered>([
  {
    title: 'a range',
    responses: [response('2XX', json)],
    answer: [200, 'application/json', '{"a":1}'],
  },
  {
    title: 'a code after an error',
    responses: [response('404', text), response('202', json)],
    answer: [202, 'application/json', '{"a":1}'],
  },
  {
    title: 'default',
    responses: [response('default', json)],
    answer: [200, 'application/json', '{"a":1}'],
  },
  {
    title: 'default beside a failure, which describes no success',
    responses: [response('404', text), response('default', json)],
    answer: [204, null, ''],
  },
  { title: 'no content', responses: [response('204', json)], answer: [204, null, ''] },
  { title: 'no response', responses: [], answer: [204, null, ''] },
  { title: 'a redirect', responses: [response('302')], answer: [302, null, ''] },
  {
    title: 'the accepted type',
    responses: [response('200', json, text)],
    accept: 'text/*;q=0.9, application/json;q=0.1',
    answer: [200, 'text/plain', 'plain'],
  },
  {
    title: 'the first where none is accepted',
    responses: [response('200', json, text)],
    accept: 'image/png',
    answer: [200, 'application/json', '{"a":1}'],
  },
  {
    title: 'a refused type',
    responses: [response('200', json, text)],
    accept: 'application/json;q=0, */*',
    answer: [200, 'text/plain', 'plain'],
  },
  {
    title: 'a type of JSON',
    responses: [response('200', media('application/vnd.x+json', 'text'))],
    answer: [200, 'application/vnd.x+json', '"text"'],
  },
  {
    title: 'a form',
    responses: [response('200', media('application/x-www-form-urlencoded', { a: 'b c' }))],
    answer: [200, 'application/x-www-form-urlencoded', 'a=b+c'],
  },
  {
    title: 'a type that is a range',
    responses: [response('200', media('*/*', { a: 1 }))],
    answer: [200, 'application/json', '{"a":1}'],
  },
  {
    title: 'a range of texts, whose letter case is free',
    responses: [response('200', media('TEXT/*', { a: 1 }))],
    answer: [200, 'text/json', '{"a":1}'],
  },
  {
    title: 'a type with an asterisk in a parameter, which is no range',
    responses: [response('200', media('application/json;profile="*"', { a: 1 }))],
    answer: [200, 'application/json;profile="*"', '{"a":1}'],
  },
])('answers with $title', async ({ responses, accept, answer }) => {
  await using running = await startCalls({}, serviceOf({ responses }));
  const answered = await fetch(`${running.server.url}/it`, {
    redirect: 'manual',
    ...(accept === undefined ? {} : { headers: { accept } }),
  });
  expect([answered.status, answered.headers.get('content-type'), await answered.text()]).toEqual(
    answer,
  );
});

test('answers HEAD with the headers of GET', async () => {
  await using running = await startCalls({}, serviceOf({ responses: [response('200', json)] }));
  const answered = await fetch(`${running.server.url}/it`, { method: 'HEAD' });
  expect([answered.status, answered.headers.get('content-length'), await answered.text()]).toEqual([
    200,
    '7',
    '',
  ]);
  expect(running.entries()[0]?.response?.body.text).toBe('');
});

const body = (...content: readonly Partial<ServedContent>[]): ServedOperation['requestBody'] => ({
  required: true,
  content: content.map((media) => ({
    mediaType: 'application/json',
    examples: [],
    samples: [],
    ...media,
  })),
});

interface Sent {
  readonly title: string;
  readonly body: ServedOperation['requestBody'];
  readonly type: string;
  readonly sent: string;
  readonly value?: unknown;
  readonly code?: string;
}

const form = 'application/x-www-form-urlencoded';
const shape = {
  types: ['object'],
  properties: {
    n: { types: ['integer'] },
    list: { types: ['array'], items: { types: ['integer'] } },
  },
} as const;
const boundary = [
  '--b',
  'content-disposition: form-data; name="n"',
  '',
  '3',
  '--b',
  'content-disposition: form-data; name="file"; filename="a.bin"',
  'content-type: application/octet-stream',
  '',
  'bytes',
  '--b--',
  '',
].join('\r\n');

test.each<Sent>([
  {
    title: 'JSON',
    body: body({ schema: 'named' }),
    type: 'application/json; charset=utf-8',
    sent: '{"name":1}',
    value: { name: 1 },
  },
  {
    title: 'invalid JSON',
    body: body({ schema: 'named' }),
    type: 'application/json',
    sent: '{}',
    code: 'body invalid-body',
  },
  {
    title: 'malformed JSON',
    body: body({}),
    type: 'application/json',
    sent: '{',
    code: 'body malformed-json',
  },
  {
    title: 'no body',
    body: body({}),
    type: 'application/json',
    sent: '',
    code: 'body missing-body',
  },
  {
    title: 'another type',
    body: body({}),
    type: 'image/png',
    sent: 'x',
    code: 'media-type unknown-media-type',
  },
  { title: 'no type', body: body({}), type: '', sent: '{}', code: 'media-type missing-media-type' },
  {
    title: 'a form',
    body: body({ mediaType: form, shape }),
    type: form,
    sent: 'n=1&list=1&list=2&o=a+b',
    value: { o: 'a b', n: 1, list: [1, 2] },
  },
  {
    title: 'a delimited form',
    body: body({
      mediaType: form,
      shape,
      form: { fields: [{ name: 'list', style: 'form', explode: false }] },
    }),
    type: form,
    sent: 'list=1,2',
    value: { list: [1, 2] },
  },
  {
    title: 'JSON of the type of forms',
    body: body({ mediaType: form, shape }),
    type: form,
    sent: '{"n":1}',
    code: 'body form-as-json',
  },
  {
    title: 'a form for JSON',
    body: body({}),
    type: form,
    sent: 'n=1',
    code: 'media-type json-as-form',
  },
  {
    title: 'multipart',
    body: body({ mediaType: 'multipart/form-data', shape }),
    type: 'multipart/form-data; boundary=b',
    sent: boundary,
    value: { n: 3, file: 'bytes' },
  },
  {
    title: 'malformed multipart',
    body: body({ mediaType: 'multipart/form-data' }),
    type: 'multipart/form-data',
    sent: boundary,
    code: 'body malformed-form',
  },
  {
    title: 'text',
    body: body({ mediaType: 'text/plain' }),
    type: 'text/plain',
    sent: 'é',
    value: 'é',
  },
  {
    title: 'bytes',
    body: body({ mediaType: 'application/*' }),
    type: 'application/pdf',
    sent: 'x',
    value: 'x',
  },
])('checks $title', async ({ body: declared, type, sent, value, code }) => {
  const operation = { method: 'POST', responses: [response('204')] };
  await using running = await startCalls(
    {},
    serviceOf(declared === undefined ? operation : { ...operation, requestBody: declared }),
  );
  const seen: unknown[] = [];
  running.server.respond('it', (call) => {
    seen.push(call.body);
    return {};
  });
  await fetch(`${running.server.url}/it`, {
    method: 'POST',
    body: Buffer.from(sent),
    ...(type === '' ? {} : { headers: { 'content-type': type } }),
  });
  const failure = running.entries()[0]?.steps.find(({ outcome }) => outcome === 'failed');
  expect(failure && `${failure.name} ${failure.code}`).toBe(code);
  expect(seen).toEqual(code === undefined ? [value] : []);
});

test('answers as a handler decides, until it ends', async () => {
  await using running = await startCalls({}, serviceOf({ responses: [response('200', json)] }));
  const { server } = running;
  const get = async (): Promise<unknown> => {
    const answered = await fetch(`${server.url}/it`);
    return [answered.status, answered.headers.get('x-own'), await answered.text()];
  };
  const heard: unknown[] = [];
  const endListening = server.onCall(({ call, entry, responseBody }) =>
    heard.push([call.operation, entry.id, responseBody]),
  );
  const end = server.respond('it', { status: 418, headers: { 'x-own': '1' }, body: { b: 2 } });
  expect(await get()).toEqual([418, '1', '{"b":2}']);
  const endSecond = server.respond('it', async () => {
    throw new Error('secret of the handler');
  });
  expect(await get()).toEqual([500, null, expect.stringContaining('handler-failed')]);
  endSecond();
  expect(await get()).toEqual([418, '1', '{"b":2}']);
  end();
  endListening();
  expect(await get()).toEqual([200, null, '{"a":1}']);
  expect(heard).toEqual([
    ['it', 1, { b: 2 }],
    ['it', 2, expect.objectContaining({ code: 'handler-failed' })],
    ['it', 3, { b: 2 }],
  ]);
  expect(() => server.respond('other', {})).toThrow(
    expect.objectContaining({ code: 'unknown-name' }),
  );
});
