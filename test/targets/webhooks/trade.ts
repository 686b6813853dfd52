import type { Contract } from '../../../generator/contract/contract.ts';
import { readAsyncapi } from '../client/emit-client.ts';

const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const post = { http: { method: 'POST', bindingVersion: '0.3.0' } };
const put = { http: { method: 'PUT', bindingVersion: '0.3.0' } };

const headers = object({ 'X-Event': text });

const messages: Record<string, object> = {
  'parcel moved': {
    headers,
    payload: { $ref: '#/components/schemas/Parcel' },
    'x-identified-by': [
      {
        '$request.header.X-Event': { const: 'parcel' },
        '$request.body#/action': { const: 'moved' },
      },
    ],
    'x-dedupe-by': ['$request.body#/delivery'],
    examples: [{ name: 'plain', payload: { action: 'moved', parcel: { id: 'P1', weight: 2 } } }],
  },
  'parcel lost': {
    headers,
    payload: { $ref: '#/components/schemas/Parcel' },
    'x-identified-by': [
      {
        '$request.header.X-Event': { const: 'parcel' },
        '$request.body#/action': { const: 'lost' },
      },
    ],
    'x-dedupe-by': ['$request.body'],
    examples: [{ name: 'plain', payload: { action: 'lost', parcel: { id: 'P2', weight: 1 } } }],
  },
  constructor: {
    payload: object({ depot: text }, ['depot']),
    'x-identified-by': {
      '$request.body#/depot': { type: 'string' },
      '$request.body#/name': false,
      '$request.body#/action': false,
    },
    examples: [{ name: '`${hostile}` */', payload: { depot: '*/ `${x}` \u2028 </script>' } }],
  },
  created: {
    payload: object({ name: text }, ['name']),
    'x-identified-by': { '$request.body#/name': {}, '$request.body#/action': false },
    'x-dedupe-by': { unstated: 'same-name' },
    'x-unstated': {
      'same-name': {
        source: '1',
        question: 'What makes two the same?',
        choices: {
          name: { value: ['$request.body#/name'], meaning: 'The name.' },
          nothing: { value: [], meaning: 'Nothing.' },
        },
      },
    },
    examples: [{ name: 'plain', payload: { name: 'depot' } }],
  },
  replaced: {
    payload: object({ name: text }, ['name']),
    'x-identified-by': { '$request.body#/name': {}, '$request.body#/action': false },
  },
};

const channels: Record<string, object> = {
  depot: {
    address: '/depots/{depot}.{format}',
    parameters: { depot: {}, format: {} },
    messages: {
      created: { $ref: '#/components/messages/created' },
      replaced: { $ref: '#/components/messages/replaced' },
    },
  },
  loose: {
    messages: Object.fromEntries(
      ['parcel moved', 'parcel lost', 'constructor'].map((name) => [
        name,
        { $ref: `#/components/messages/${name}` },
      ]),
    ),
  },
};

const send = (channel: string, names: readonly string[], bindings: object): object => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  bindings,
  security: [{ $ref: '#/components/securitySchemes/hook' }],
});

const document = {
  asyncapi: '3.0.0',
  info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
  defaultContentType: 'application/json',
  channels,
  operations: {
    create: send('depot', ['created'], post),
    replace: send('depot', ['replaced'], put),
    others: send('loose', ['parcel moved', 'parcel lost', 'constructor'], post),
  },
  components: {
    messages,
    securitySchemes: {
      hook: {
        type: 'httpApiKey',
        name: 'X-Signature',
        in: 'header',
        'x-signature': {
          algorithm: 'hmac-sha256',
          key: { credential: 'hook secret', encoding: 'utf-8' },
          over: ['$request.body'],
          encoding: 'hex',
          value: 'sha256={signature}',
        },
      },
    },
    schemas: {
      Parcel: {
        ...object(
          {
            action: text,
            delivery: text,
            parcel: object({ id: text, weight: { type: 'number' } }, ['id', 'weight']),
          },
          ['action', 'parcel'],
        ),
      },
    },
  },
};

/** An AsyncAPI contract of another trade: kinds by header and member, by method, and with a stated signature. */
export function readTrade(): Promise<Contract> {
  return readAsyncapi(document);
}
