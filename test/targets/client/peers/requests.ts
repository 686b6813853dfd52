import type { Input } from '../../../../packages/runtime/client/client.ts';

const responses = { 204: { description: 'Done.' } };
const text = { type: 'string' };
const file = { type: 'string', format: 'binary' };
const list = { type: 'array', items: text };
const record = { type: 'object', additionalProperties: true };
const anything = { type: ['string', 'number', 'boolean', 'array', 'object'] };

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: object;
  /** The inputs, by what they are. */
  readonly inputs: Readonly<Record<string, Input>>;
}

const values: Readonly<Record<string, unknown>> = {
  text: 'blue',
  number: 1.5,
  boolean: false,
  unicode: 'é ü 東',
  reserved: "a/b?c#d&e=f+g;h,i:j@k'(l)*!m%20",
  list: ['blue', 'a,b', 'c&d'],
  'list of one': ['blue'],
  record: { R: 100, G: 'a b' },
};

const inQuery: Readonly<Record<string, unknown>> = {
  ...values,
  'empty text': '',
  'empty list': [],
  absent: undefined,
  'record with absent member': { R: 100, G: undefined },
};

const word = (style: string, explode: boolean): string =>
  `${style[0]?.toUpperCase()}${style.slice(1)}${explode ? 'Exploded' : ''}`;

const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Returns an operation with one parameter, and a call of it for each value. */
function parameter(
  id: string,
  place: keyof typeof groups,
  more: object,
  valuesByName: Readonly<Record<string, unknown>>,
): Call {
  const name = place === 'header' ? 'X-Color' : 'color';
  const declared = { name, in: place, required: place === 'path', schema: anything, ...more };
  return {
    method: 'get',
    path: place === 'path' ? `/${id}/{color}` : `/${id}`,
    operation: { operationId: id, parameters: [declared] },
    inputs: Object.fromEntries(
      Object.entries(valuesByName).map(([what, value]) => [
        what,
        { [groups[place]]: { [name]: value } },
      ]),
    ),
  };
}

const styles: Readonly<Record<keyof typeof groups, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

const withoutUnicode = (all: typeof values): typeof values =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== 'unicode'));

const simple = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) =>
  styles[place].flatMap((style) =>
    [false, true].map((explode) => {
      const id = `${place}${word(style, explode)}`;
      const valuesByName = place === 'query' ? inQuery : values;
      // A header has no characters outside Latin-1, which the styles of headers do not escape.
      const inHeader = place === 'header' ? withoutUnicode(valuesByName) : valuesByName;
      const objects = Object.entries(valuesByName).filter(([what]) => what.startsWith('record'));
      return parameter(
        id,
        place,
        { style, explode },
        style === 'deepObject' ? Object.fromEntries(objects) : inHeader,
      );
    }),
  ),
);

const nested = { state: 'open', size: { min: 1, tags: ['a', 'b'] }, list: [{ a: 1 }, { a: 2 }] };
const content = (schema: object): object => ({
  content: { 'application/json': { schema } },
  schema: undefined,
});

const specialCalls: readonly Call[] = [
  parameter('nestedObject', 'query', { style: 'deepObject', explode: true }, { nested }),
  parameter('allowReserved', 'query', { allowReserved: true }, values),
  parameter('contentQuery', 'query', content(record), { record: { a: 'x y', b: [1] } }),
  parameter('contentPath', 'path', content(record), { record: { a: 'x y', b: [1] } }),
  parameter('contentHeader', 'header', content(record), { record: { a: 'x y', b: [1] } }),
  parameter(
    'contentText',
    'query',
    { content: { 'text/plain': { schema: text } }, schema: undefined },
    {
      text: 'a b&c',
    },
  ),
  {
    method: 'get',
    path: '/several/{a}-{b}',
    operation: {
      operationId: 'several',
      parameters: [
        { name: 'a', in: 'path', required: true, schema: text },
        { name: 'b', in: 'path', required: true, schema: text },
        { name: 'tags[]', in: 'query', schema: list },
        { name: 'after', in: 'query', schema: { type: 'string', format: 'date-time' } },
        { name: 'X-One', in: 'header', schema: text },
        { name: 'X-Two', in: 'header', schema: { type: 'integer' } },
      ],
    },
    inputs: {
      all: {
        path: { a: '1', b: '2' },
        query: { 'tags[]': ['x', 'y'], after: '2026-11-23T10:00:00+01:00' },
        headers: { 'X-One': 'one', 'X-Two': 2 },
      },
    },
  },
];

/** Returns an operation with a body, and a call of it for each input. */
function body(
  id: string,
  contents: object,
  bodies: Readonly<Record<string, unknown>>,
  required = true,
): Call {
  return {
    method: 'post',
    path: `/${id}`,
    operation: { operationId: id, requestBody: { required, content: contents } },
    inputs: Object.fromEntries(
      Object.entries(bodies).map(([what, value]) => [what, { body: value }]),
    ),
  };
}

const form = (properties: object, encoding?: object): object => ({
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', properties },
    ...(encoding && { encoding }),
  },
});
const parts = (properties: object, encoding?: object): object => ({
  'multipart/form-data': { schema: { type: 'object', properties }, ...(encoding && { encoding }) },
});
const png = new Blob([Uint8Array.of(137, 80)], { type: 'image/png' });

const bodies: readonly Call[] = [
  body(
    'sendJson',
    { 'application/json': { schema: record } },
    {
      object: { name: 'Möwe "a"', list: [1, null], gone: undefined, nested: { a: true } },
      'empty object': {},
    },
  ),
  body('jsonText', { 'application/json': { schema: text } }, { text: 'a', 'empty text': '' }),
  body('jsonNumber', { 'application/json': { schema: { type: 'number' } } }, { zero: 0 }),
  body('jsonBoolean', { 'application/json': { schema: { type: 'boolean' } } }, { false: false }),
  body('jsonList', { 'application/json': { schema: list } }, { list: ['a'], 'empty list': [] }),
  body('patch', { 'application/merge-patch+json': { schema: record } }, { null: { a: null } }),
  body(
    'optionalJson',
    { 'application/json': { schema: record } },
    { absent: undefined, object: { a: 1 } },
    false,
  ),
  body('plain', { 'text/plain': { schema: text } }, { text: 'hällo\r\n', 'empty text': '' }),
  body(
    'bytes',
    { 'application/octet-stream': { schema: file } },
    { bytes: Uint8Array.of(104, 105), blob: new Blob(['hi']) },
  ),
  body('image', { 'image/png': { schema: file } }, { blob: png }),
  body('xml', { 'application/xml': { schema: text } }, { text: '<a>é</a>' }),
  body(
    'severalTypes',
    {
      'application/json': { schema: record },
      'text/plain': { schema: text },
      'application/x-www-form-urlencoded': { schema: record },
    },
    { 'first media type': { a: 'b' } },
  ),
  body('sendForm', form({ name: text, count: { type: 'integer' }, is: { type: 'boolean' } }), {
    scalars: { name: "a b+c&d=é/?'(*)!~", count: 0, is: false },
    empty: { name: '' },
    absent: { name: 'a', count: undefined },
  }),
  body('formLists', form({ tags: list }), {
    list: { tags: ['x y', 'z'] },
    'empty list': { tags: [] },
  }),
  body('formObjects', form({ about: record }), { object: { about: { a: 'b c' } } }),
  body(
    'formStyles',
    form(
      { flat: list, deep: record },
      {
        flat: { style: 'form', explode: false },
        deep: { style: 'deepObject', explode: true },
      },
    ),
    { both: { flat: ['x', 'y'], deep: { k: 1 } } },
  ),
  body('parts', parts({ name: text, count: { type: 'integer' }, file }), {
    scalars: { name: 'é "a"', count: 0 },
    file: { name: 'a', file: new File([Uint8Array.of(137, 80)], 'a b.png', { type: 'image/png' }) },
    blob: { file: png },
    'blob without type': { file: new Blob(['hi']) },
  }),
  body('partLists', parts({ tags: list, files: { type: 'array', items: file } }), {
    texts: { tags: ['x', 'y'] },
    files: { files: [png, new File(['hi'], 'hi.txt', { type: 'text/plain' })] },
    'empty list': { tags: [] },
  }),
  body('partObjects', parts({ about: record, many: { type: 'array', items: record } }), {
    object: { about: { a: 'b' } },
    objects: { many: [{ a: 1 }, { a: 2 }] },
  }),
  body(
    'partTypes',
    parts(
      { table: text, about: record, photo: file },
      {
        table: { contentType: 'text/csv' },
        about: { contentType: 'application/vnd.about+json' },
        photo: { contentType: 'image/png, image/jpeg' },
      },
    ),
    {
      text: { table: 'a,b' },
      object: { about: { a: 1 } },
      photo: { photo: new Blob(['hi'], { type: 'image/jpeg' }) },
    },
  ),
];

const calls = [...simple, ...specialCalls, ...bodies];

/** An OpenAPI document with every style of parameters and kind of body. */
export const requestDocument: object = {
  openapi: '3.1.1',
  info: { title: 'Requests', version: '1.0.0' },
  servers: [{ url: 'https://requests.example/v1' }],
  paths: Object.fromEntries(
    calls.map(({ method, path, operation }) => [path, { [method]: { ...operation, responses } }]),
  ),
};

/** One call: its name, the function to call, and the input. */
export interface PeerRequest {
  readonly name: string;
  readonly operation: string;
  readonly input: Input;
}

/** Every call that is compared. */
export const peerRequests: readonly PeerRequest[] = calls.flatMap(({ operation, inputs }) => {
  const id = 'operationId' in operation ? String(operation.operationId) : '';
  return Object.entries(inputs).map(([what, input]) => ({
    name: `${id}: ${what}`,
    operation: id,
    input,
  }));
});
