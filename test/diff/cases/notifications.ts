import type { Draft, Mutation } from '../parcels.ts';
import type { Case } from './case.ts';

const message = (change: (one: Draft) => void, name = 'moved'): Mutation => ({
  asyncapi: (d) => change(d.components.messages[name]),
});
const withoutLost: Mutation = {
  asyncapi: (d) => {
    delete d.channels.lost;
    delete d.operations.sendLost;
    delete d.components.messages.lost;
  },
};

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
    code: 'ambiguity-added',
    after: message((m) => (m['x-identified-by'] = { '$request.body#/lost': {} }), 'lost'),
    effects: { notification: 'upgrade' },
    also: ['identification-changed'],
  },
  {
    code: 'ambiguity-removed',
    before: message((m) => (m['x-identified-by'] = { '$request.body#/lost': {} }), 'lost'),
    after: {},
    effects: { notification: 'upgrade' },
    also: ['identification-changed'],
  },
  {
    code: 'deduplication-changed',
    after: message((m) => (m['x-dedupe-by'] = ['$request.body'])),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'notification-security-changed',
    after: { asyncapi: (d) => delete d.operations.sendMoved.security },
    effects: { notification: 'both' },
  },
];
