import type { Draft, Mutation } from '../parcels.ts';
import type { Case } from './case.ts';

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
    subject: 'kind movedOrLost',
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
    code: 'union-removed',
    before: told,
    after: withoutLost,
    effects: { notification: 'upgrade' },
    also: ['notification-removed', 'kind-unambiguous'],
    subject: 'kind movedOrLost',
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
    also: ['notification-added', 'union-added', 'union-removed'],
    subject: 'kind theMoved2',
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
