import type { Draft, Mutation } from '../parcels.ts';
import { type Case, put } from './case.ts';

const message = (change: (draft: Draft) => void, name = 'moved'): Mutation => ({
  asyncapi: (d) => change(d.components.messages[name]),
});
const withoutLost: Mutation = {
  asyncapi: (d) => {
    delete d.channels.lost;
    delete d.operations.sendLost;
    delete d.components.messages.lost;
  },
};

/** Nothing tells the one from the other. */
const told = message((m) => (m['x-identified-by'] = { '$request.body#/lost': {} }), 'lost');

/** Adds a notification by another operation, identified by the same value as an existing one. */
function addFound(document: Draft, name: string): void {
  const { moved } = document.components.messages;
  document.components.messages[name] = {
    payload: moved.payload,
    'x-identified-by': { '$request.body#/id': { const: 'found' } },
  };
  document.channels[name] = { messages: { [name]: { $ref: `#/components/messages/${name}` } } };
  document.operations[`send_${name}`] = {
    action: 'send',
    channel: { $ref: `#/channels/${name}` },
    messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
  };
}

/** Names that collide are an error where a contract is written in the vocabulary. */
function withoutVocabulary(document: Draft): void {
  delete document.info['x-countersign'];
  delete document['x-unstated'];
  document.components.securitySchemes.hook['x-signature'].key.encoding = 'utf-8';
}

/** The contract with a callback of the call, to the address in an expression. */
const called = (expression: string): Mutation =>
  put((operation) => {
    const settled = {
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { 200: { description: 'Received.' } },
    };
    operation.callbacks = { settled: { [expression]: { post: settled } } };
  });

/** The contract with a webhook. */
const hook = ({
  content = ['application/json'],
  parameter,
  status = '200',
  answer,
}: {
  readonly content?: readonly string[];
  readonly parameter?: string;
  readonly status?: string;
  readonly answer?: string;
}): Mutation => ({
  openapi: (d) => {
    d.components.schemas.Hooked = {
      type: 'object',
      required: ['page'],
      properties: { page: { const: 'hook' } },
    };
    const schema = { $ref: '#/components/schemas/Hooked' };
    const body =
      answer === undefined
        ? {}
        : {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['result'],
                  properties: { result: { const: answer } },
                },
              },
            },
          };
    d.webhooks = {
      hooked: {
        post: {
          ...(parameter === undefined
            ? {}
            : { parameters: [{ name: parameter, in: 'query', schema: { type: 'string' } }] }),
          requestBody: {
            content: Object.fromEntries(content.map((mediaType) => [mediaType, { schema }])),
          },
          responses: { [status]: { description: 'Received.', ...body } },
        },
      },
    };
  },
});

/** The contract with a webhook whose form has a list. */
const form = (encoding: object): Mutation => ({
  openapi: (d) => {
    const pages = { type: 'array', items: { type: 'string' } };
    const schema = { type: 'object', required: ['pages'], properties: { pages } };
    const content = { 'application/x-www-form-urlencoded': { schema, encoding } };
    const responses = { 200: { description: 'Received.' } };
    d.webhooks = { listed: { post: { requestBody: { content }, responses } } };
  },
});

/** Changes of notifications. */
export const notifications: readonly Case[] = [
  {
    code: 'notification-added',
    before: withoutLost,
    after: {},
    effects: { notification: 'upgrade' },
  },
  { code: 'notification-removed', after: withoutLost, effects: { notification: 'both' } },
  {
    code: 'label-added',
    after: { asyncapi: (d) => (d.channels.lost.address = '/lost') },
    effects: { notification: 'today' },
  },
  {
    code: 'label-removed',
    after: { asyncapi: (d) => delete d.channels.moved.address },
    effects: { notification: 'today' },
  },
  {
    code: 'label-changed',
    after: { asyncapi: (d) => (d.channels.moved.address = '/moves') },
    effects: { notification: 'today' },
  },
  {
    code: 'notification-method-changed',
    after: { asyncapi: (d) => (d.operations.sendMoved.bindings.http.method = 'PUT') },
    effects: { notification: 'today' },
  },
  {
    code: 'content-type-changed',
    after: message((m) => (m.contentType = 'application/vnd.parcels+json')),
    effects: { notification: 'nobody' },
  },
  {
    code: 'callback-address-changed',
    before: called('{$request.body#/url}'),
    after: called('{$request.body#/to}'),
    effects: { request: 'both', notification: 'today' },
  },
  {
    code: 'notification-encoding-changed',
    before: hook({}),
    after: hook({ content: ['application/x-www-form-urlencoded'] }),
    effects: { notification: 'both' },
    also: ['kind-unambiguous', 'union-removed'],
  },
  {
    code: 'notification-encoding-changed',
    before: form({ pages: { style: 'form', explode: true } }),
    after: form({ pages: { style: 'form', explode: false } }),
    effects: { notification: 'both' },
  },
  {
    code: 'notification-encoding-added',
    before: hook({}),
    after: hook({ content: ['application/json', 'application/x-www-form-urlencoded'] }),
    effects: { notification: 'today' },
  },
  {
    code: 'notification-media-type-added',
    before: hook({}),
    after: hook({ content: ['application/json', 'application/vnd.parcels+json'] }),
    effects: { notification: 'nobody' },
  },
  {
    code: 'notification-media-type-removed',
    before: hook({ content: ['application/json', 'application/vnd.parcels+json'] }),
    after: hook({}),
    effects: { notification: 'nobody' },
  },
  {
    code: 'notification-parameter-added',
    before: hook({}),
    after: hook({ parameter: 'page' }),
    effects: { notification: 'nobody' },
  },
  {
    code: 'notification-parameter-removed',
    before: hook({ parameter: 'page' }),
    after: hook({}),
    effects: { notification: 'nobody' },
  },
  {
    code: 'notification-status-changed',
    before: hook({}),
    after: hook({ status: '202' }),
    effects: { notification: 'today' },
  },
  {
    code: 'notification-answer-changed',
    before: hook({ answer: 'ok' }),
    after: hook({ answer: 'done' }),
    effects: { notification: 'today' },
  },
  {
    code: 'optional-notification-header-added',
    after: message((m) => (m.headers.properties['x-more'] = { type: 'string' })),
    effects: { notification: 'nobody' },
  },
  {
    code: 'required-notification-header-added',
    after: message((m) => {
      m.headers.properties['x-more'] = { type: 'string' };
      m.headers.required.push('x-more');
    }),
    effects: { notification: 'nobody' },
  },
  {
    code: 'notification-header-removed',
    after: message((m) => delete m.headers.properties['x-hint']),
    effects: { notification: 'both' },
  },
  {
    code: 'notification-header-optional',
    after: message((m) => (m.headers.required = [])),
    effects: { notification: 'both' },
  },
  {
    code: 'notification-header-required',
    after: message((m) => m.headers.required.push('x-hint')),
    effects: { notification: 'nobody' },
  },
  {
    code: 'identification-changed',
    after: message((m) => (m['x-identified-by'] = { '$request.body#/id': { type: 'string' } })),
    effects: { notification: 'today' },
  },
  {
    code: 'identification-changed',
    before: message((m) => (m['x-identified-by'] = { '$request.body#/id': { pattern: '^.' } })),
    after: message((m) => (m['x-identified-by'] = { '$request.body#/id': { pattern: '.$' } })),
    effects: { notification: 'today' },
  },
  {
    code: 'schema-identification-changed',
    after: message((m) => (m['x-identified-by-schema'] = true)),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'schema-identification-changed',
    before: message((m) => (m['x-identified-by-schema'] = true)),
    after: {},
    effects: { notification: 'upgrade' },
  },
  {
    code: 'kind-ambiguous',
    after: told,
    effects: { notification: 'both' },
    also: ['identification-changed', 'union-added'],
    subject: 'kind moved',
  },
  {
    // The new notification has the marks of one that receivers know.
    code: 'kind-ambiguous',
    before: withoutLost,
    after: told,
    effects: { notification: 'both' },
    also: ['notification-added', 'union-added'],
    subject: 'kind moved',
  },
  {
    code: 'kind-unambiguous',
    before: told,
    after: {},
    effects: { notification: 'upgrade' },
    also: ['identification-changed', 'union-removed'],
  },
  {
    code: 'kind-unambiguous',
    before: told,
    after: withoutLost,
    effects: { notification: 'upgrade' },
    also: ['notification-removed', 'union-removed'],
    subject: 'kind moved',
  },
  {
    code: 'union-added',
    after: told,
    effects: { notification: 'upgrade' },
    also: ['identification-changed', 'kind-ambiguous'],
    subject: 'kind lostOrMoved',
  },
  {
    // The union of two kinds becomes one of three.
    code: 'union-added',
    before: told,
    after: {
      asyncapi: (d) => {
        told.asyncapi?.(d);
        addFound(d, 'found');
      },
    },
    effects: { notification: 'upgrade' },
    also: ['notification-added'],
  },
  {
    // The new kind has the name in code of the one that is gone.
    code: 'union-changed',
    before: { asyncapi: (d) => addFound(d, 'the_found') },
    after: { asyncapi: (d) => addFound(d, 'theFound') },
    effects: { notification: 'upgrade' },
    also: ['notification-added', 'notification-removed'],
  },
  {
    code: 'union-removed',
    before: told,
    after: withoutLost,
    effects: { notification: 'upgrade' },
    also: ['notification-removed', 'kind-unambiguous'],
    subject: 'kind lostOrMoved',
  },
  {
    // A message with another name is the same at its address.
    code: 'kind-renamed',
    after: {
      asyncapi: (d) => {
        const { moved, ...others } = d.components.messages;
        d.components.messages = { shifted: moved, ...others };
        d.channels.moved.messages = { shifted: { $ref: '#/components/messages/shifted' } };
        d.operations.sendMoved.messages = [{ $ref: '#/channels/moved/messages/shifted' }];
      },
    },
    effects: { notification: 'upgrade' },
  },
  {
    // The handler of a union goes with the name of one of its kinds.
    code: 'kind-renamed',
    before: {
      asyncapi: (d) => {
        withoutVocabulary(d);
        addFound(d, 'the_moved');
      },
    },
    after: {
      asyncapi: (d) => {
        withoutVocabulary(d);
        addFound(d, 'theMoved');
        addFound(d, 'the_moved');
      },
    },
    effects: { notification: 'upgrade' },
    also: ['notification-added'],
    subject: 'kind theMoved_b0ca',
  },
  {
    code: 'deduplication-changed',
    after: message((m) => (m['x-dedupe-by'] = ['$request.body'])),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'order-changed',
    after: message((m) => (m['x-ordered-by'] = ['$request.body#/id'])),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'notification-security-changed',
    after: { asyncapi: (d) => delete d.operations.sendMoved.security },
    effects: { notification: 'both' },
  },
];
