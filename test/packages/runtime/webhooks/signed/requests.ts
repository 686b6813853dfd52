import { formsOf, headerOf, plainForm, signText, signedTextOf, type Form } from './forms.ts';

/** Where the data and the identity of a notification are. */
export type PlaceName = 'form' | 'query' | 'header' | LabelName;

/** Labels, and whether a signature covers them. The payload of some has wire variants. */
type LabelName =
  | 'label'
  | 'unsigned label'
  | 'label and list'
  | 'unsigned label and list'
  | 'label and list inside'
  | 'label and other name'
  | 'label and signed elements';

/** A request of a sender. */
export interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface PlaceParts {
  /** The parts that are signed. */
  readonly over: readonly unknown[];
  /** Whether what decides the kind is signed. */
  readonly isKindSigned: boolean;
  readonly dedupeBy: string;
  /** What `x-variants` states of the payload. */
  readonly variants?: object;
  /** The member of the canonical payload that has the order; left out if it is the payload itself. */
  readonly inside?: string;
  /** The members of each order that a signature in the body covers, instead of one in a header. */
  readonly sealed?: readonly ('id' | 'note')[];
  /** How many events a genuine request has. Default: 1. */
  readonly events?: number;
  readonly genuine: Omit<SentRequest, 'headers'> & { readonly headers?: SentRequest['headers'] };
  /** Returns the text that the sender signs. */
  readonly signed: (request: PlaceParts['genuine']) => string;
}

const body = '{"note":"A note.","id":"inv-1"}';
const list = '{"batch":true,"items":[{"note":"A.","id":"inv-1"},{"amount":1.50,"id":"inv-2"}]}';
const isList = { '$request.body#/items': { type: 'array' } };
const form = 'id=inv-1&amount=10.50&note=A+note.&tags=a&tags=b';

const places: Readonly<Record<PlaceName, PlaceParts>> = {
  form: {
    over: ['$request.body'],
    isKindSigned: true,
    dedupeBy: '$request.body#/id',
    genuine: {
      method: 'POST',
      target: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    },
    signed: (request) => request.body,
  },
  query: {
    over: ['$url.path+query'],
    isKindSigned: true,
    dedupeBy: '$request.body#/id',
    genuine: { method: 'GET', target: `/?${form}`, body: '' },
    signed: ({ target }) => target,
  },
  label: {
    over: ['$url.path', { text: '\n' }, '$request.body'],
    isKindSigned: true,
    dedupeBy: '$request.path.id',
    genuine: { method: 'POST', target: '/orders/inv-1/paid', body },
    signed: (request) => `${request.target}\n${request.body}`,
  },
  'unsigned label': {
    over: ['$request.body'],
    isKindSigned: false,
    dedupeBy: '$request.body#/id',
    genuine: { method: 'POST', target: '/orders/inv-1/paid', body },
    signed: (request) => request.body,
  },
  'label and list': {
    over: ['$url.path', { text: '\n' }, '$request.body'],
    isKindSigned: true,
    dedupeBy: '$request.body#/id',
    variants: { list: { when: isList, each: '/items' } },
    events: 2,
    genuine: { method: 'POST', target: '/orders/inv-1/paid', body: list },
    signed: (request) => `${request.target}\n${request.body}`,
  },
  'unsigned label and list': {
    over: ['$request.body'],
    isKindSigned: false,
    dedupeBy: '$request.body#/id',
    variants: { list: { when: isList, each: '/items' } },
    events: 2,
    genuine: { method: 'POST', target: '/orders/inv-1/paid', body: list },
    signed: (request) => request.body,
  },
  'label and list inside': {
    over: ['$url.path', { text: '\n' }, '$request.body'],
    isKindSigned: true,
    dedupeBy: '$request.body#/order/id',
    variants: { list: { when: isList, each: '/items', as: '/order' } },
    inside: 'order',
    events: 2,
    genuine: { method: 'POST', target: '/orders/inv-1/paid', body: list },
    signed: (request) => `${request.target}\n${request.body}`,
  },
  'label and other name': {
    over: ['$url.path', { text: '\n' }, '$request.body'],
    isKindSigned: true,
    dedupeBy: '$request.path.id',
    variants: { other: { when: { '$request.body#/memo': {} }, rename: { memo: 'note' } } },
    genuine: {
      method: 'POST',
      target: '/orders/inv-1/paid',
      body: '{"memo":"A note.","id":"inv-1"}',
    },
    signed: (request) => `${request.target}\n${request.body}`,
  },
  'label and signed elements': {
    over: [],
    isKindSigned: false,
    dedupeBy: '$request.body#/id',
    variants: { list: { when: isList, each: '/items' } },
    sealed: ['id', 'note'],
    events: 2,
    genuine: { method: 'POST', target: '/orders/inv-1/paid', body: '' },
    signed: () => '',
  },
  header: {
    over: ['$request.header.X-Id', { text: '\n' }, '$request.body'],
    isKindSigned: true,
    dedupeBy: '$request.header.x-id',
    genuine: { method: 'POST', target: '/', headers: { 'x-id': 'inv-1' }, body },
    signed: (request) => `${request.headers?.['x-id']}\n${request.body}`,
  },
};

export const placeNames = Object.keys(places) as readonly PlaceName[];

export function isKindSigned(place: PlaceName): boolean {
  return places[place].isKindSigned;
}

/** Returns where the signature of a genuine request is. */
export function signingOf(place: PlaceName): 'header' | 'each' {
  return places[place].sealed === undefined ? 'header' : 'each';
}

/** Returns what is signed of the data of an event. */
export function signedPartOf(place: PlaceName, data: unknown): unknown {
  const { sealed } = places[place];
  const order = data as Readonly<Record<string, unknown>> | undefined;
  return sealed === undefined ? data : sealed.map((name) => order?.[name]);
}

/** Returns the form of signatures in a place: one in a body has no version and no time, and is made with a secret. */
export function formIn(place: PlaceName, form: Form): Form {
  const isUsual = form.algorithm.startsWith('hmac-') && form.value === 'alone';
  return places[place].sealed === undefined || isUsual ? form : plainForm;
}

/** Returns how many events a genuine request has. */
export function eventsOf(place: PlaceName): number {
  return places[place].events ?? 1;
}

const properties = {
  id: { type: 'string' },
  amount: { type: 'number' },
  note: { type: 'string' },
  tags: { type: 'array', items: { type: 'string' } },
  seal: { type: 'string' },
};

/** Writes a contract, by the name of its document. */
export function toPlacedContract(place: PlaceName, signature: Form): Record<string, string> {
  const { over, dedupeBy, variants, inside, sealed } = places[place];
  const { algorithm, encoding, keyEncoding } = formIn(place, signature);
  const scheme =
    sealed === undefined
      ? { in: 'header', name: 'X-Mark', 'x-signature': { ...headerOf(signature), over } }
      : {
          in: 'header',
          name: 'none',
          'x-body-signature': {
            algorithm,
            key: { credential: 'secret', encoding: keyEncoding },
            encoding,
            each: '/items',
            over: sealed.map((name) => `/${name}`),
            separator: '|',
            signature: '/seal',
          },
        };
  const schemeName = sealed === undefined ? 'mark' : 'seal';
  const info = { title: 'Shop', version: '1.0.0', 'x-countersign': 1 };
  const schema = {
    type: 'object',
    properties,
    ...(sealed && { required: [...sealed, 'seal'] }),
  };
  if (place === 'form' || place === 'query' || place === 'header') {
    const isQuery = place === 'query';
    const mediaType = place === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    const operation = {
      security: [{ mark: [] }],
      'x-dedupe-by': [dedupeBy],
      ...(place === 'header' && {
        parameters: [{ name: 'X-Id', in: 'header', required: true, schema: { type: 'string' } }],
      }),
      ...(isQuery
        ? {
            parameters: Object.entries(properties).map(([name, property]) => ({
              name,
              in: 'query',
              schema: property,
            })),
          }
        : { requestBody: { content: { [mediaType]: { schema } } } }),
      responses: { 200: { description: 'Done.' } },
    };
    return {
      'openapi.yaml': JSON.stringify({
        openapi: '3.1.1',
        info,
        webhooks: { paid: { [isQuery ? 'get' : 'post']: operation } },
        components: { securitySchemes: { mark: { type: 'apiKey', ...scheme } } },
      }),
    };
  }
  const kinds = ['paid', 'refunded'];
  const payload = {
    ...(inside === undefined
      ? schema
      : { type: 'object', required: [inside], properties: { [inside]: schema } }),
    ...(variants && { 'x-variants': variants }),
  };
  return {
    'asyncapi.yaml': JSON.stringify({
      asyncapi: '3.0.0',
      info,
      channels: Object.fromEntries(
        kinds.map((kind) => [
          kind,
          {
            address: `/orders/{id}/${kind}`,
            parameters: { id: {} },
            messages: { [kind]: { payload, 'x-dedupe-by': [dedupeBy] } },
          },
        ]),
      ),
      operations: Object.fromEntries(
        kinds.map((kind) => [
          `send-${kind}`,
          {
            action: 'send',
            channel: { $ref: `#/channels/${kind}` },
            security: [{ $ref: `#/components/securitySchemes/${schemeName}` }],
            bindings: { http: { method: 'POST' } },
          },
        ]),
      ),
      components: { securitySchemes: { [schemeName]: { type: 'httpApiKey', ...scheme } } },
    }),
  };
}

/** The forms of signatures over parts of requests, without those that have a time. */
export const placedForms: readonly Form[] = [...formsOf('header')].filter(
  ({ value }) => !value.startsWith('time'),
);

/** Returns the request that a sender sends. The test signs it itself. */
export function genuineRequest(place: PlaceName, signature: Form): SentRequest {
  const { genuine, signed, sealed } = places[place];
  if (sealed !== undefined) {
    const items = ['inv-1', 'inv-2'].map((id) => {
      const order = { id, note: `Of ${id}` };
      const over = sealed.map((name) => order[name]).join('|');
      return { ...order, amount: 1.5, seal: signedTextOf(formIn(place, signature), over) };
    });
    return { ...genuine, headers: {}, body: JSON.stringify({ batch: true, items }) };
  }
  return {
    ...genuine,
    headers: { ...genuine.headers, 'x-mark': signText(signature, signed(genuine)) },
  };
}

/** Changes, repeats, moves, renames and adds each part of a request, one at a time. */
export function* changedRequests(request: SentRequest): Iterable<SentRequest> {
  for (const target of otherTexts(request.target)) yield { ...request, target };
  for (const other of otherTexts(request.body)) yield { ...request, body: other };
  for (const [name, value] of Object.entries(request.headers))
    if (name !== 'x-mark')
      for (const other of otherTexts(value))
        yield { ...request, headers: { ...request.headers, [name]: other } };
  // What is signed in one place is sent in another one, too.
  const [path = '/', query = ''] = request.target.split('?');
  for (const text of [form, 'id=forged', request.body, query].filter((part) => part !== '')) {
    yield { ...request, target: `${path}?${text}` };
    yield { ...request, target: `${path}?${query}&${text}` };
    yield { ...request, body: text };
  }
  for (const segment of ['forged', 'orders', 'inv-2', 'paid', 'refunded', '..', '.', '%2e%2e', ''])
    for (const [index] of path.split('/').entries()) {
      const segments = path.split('/');
      yield { ...request, target: segments.with(index, segment).join('/') };
      yield { ...request, target: segments.toSpliced(index, 0, segment).join('/') };
      yield { ...request, target: segments.toSpliced(index, 1).join('/') };
    }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
    yield { ...request, headers: { ...request.headers, 'content-type': type } };
  for (const method of ['GET', 'POST'] as const) yield { ...request, method };
}

/** Returns texts that differ in one character, or in one pair of a form. */
function* otherTexts(text: string): Iterable<string> {
  for (const [at, character] of Array.from(text).entries()) {
    const code = character.codePointAt(0) ?? 0;
    const escape = `%${code.toString(16).padStart(2, '0')}`;
    for (const other of ['', character + character, String.fromCodePoint(code ^ 1), escape])
      yield text.slice(0, at) + other + text.slice(at + 1);
    yield text.slice(0, at) + character.toUpperCase() + text.slice(at + 1);
  }
  const pairs = text.replace(/^\/\?/u, '').split('&');
  const start = text.startsWith('/?') ? '/?' : '';
  for (const [at, pair] of pairs.entries()) {
    const [name = '', value = ''] = pair.split('=');
    const others = [`${name}=forged`, `forged=${value}`, `${name}[]=${value}`, `${name}=`, name];
    for (const other of others) {
      yield start + pairs.with(at, other).join('&');
      yield start + [...pairs, other].join('&');
      yield start + [other, ...pairs].join('&');
    }
    yield start + pairs.toSpliced(at, 1).join('&');
    yield start + [...pairs, pair].join('&');
  }
  yield start + pairs.toReversed().join('&');
  yield start + pairs.join(';');
  for (const end of ['&', '#', '#x', ' ', '/', '?', '//', '\u0000', '\ufeff', '\u200b'])
    yield* [text + end, end + text];
}
