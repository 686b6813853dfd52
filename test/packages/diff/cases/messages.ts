import type { Draft, Mutation } from '../parcels.ts';
import type { Case } from './case.ts';

/** Adds a queue on which the service takes messages and sends others. */
const withQueue = (change: (document: Draft) => void = () => undefined): Mutation => ({
  asyncapi: (d) => {
    d.servers = { broker: { host: 'a.example', protocol: 'amqp' } };
    d.channels.queue = {
      address: 'queue',
      servers: [{ $ref: '#/servers/broker' }],
      bindings: {},
      messages: { ask: { payload: { type: 'boolean' } }, tell: { payload: { type: 'string' } } },
    };
    for (const [name, action] of [
      ['ask', 'receive'],
      ['tell', 'send'],
    ] as const) {
      d.operations[name] = {
        action,
        channel: { $ref: '#/channels/queue' },
        messages: [{ $ref: `#/channels/queue/messages/${name}` }],
      };
    }
    for (const name of ['moved', 'lost']) d.channels[name].bindings = { http: {} };
    d.servers.web = { host: 'b.example', protocol: 'https' };
    change(d);
  },
});

/** Changes of messages that no receiver takes. */
export const messages: readonly Case[] = [
  {
    code: 'message-added',
    before: withQueue((d) => delete d.operations.ask),
    after: withQueue(),
    effects: { request: 'nobody' },
    subject: 'message ask of ask',
  },
  {
    code: 'message-removed',
    before: withQueue(),
    after: withQueue((d) => delete d.operations.tell),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'message-protocol-changed',
    before: withQueue((d) => delete d.operations.ask),
    after: withQueue((d) => {
      delete d.operations.ask;
      d.servers.broker.protocol = 'kafka';
    }),
    effects: { notification: 'both' },
  },
  {
    code: 'message-address-changed',
    before: withQueue((d) => delete d.operations.ask),
    after: withQueue((d) => {
      delete d.operations.ask;
      d.channels.queue.address = 'another';
    }),
    effects: { notification: 'both' },
  },
  {
    code: 'message-content-type-changed',
    before: withQueue(),
    after: withQueue((d) => (d.channels.queue.messages.ask.contentType = 'text/plain')),
    effects: { request: 'both' },
  },
  {
    code: 'type-changed',
    before: withQueue(),
    after: withQueue((d) => (d.channels.queue.messages.ask.payload = { type: 'string' })),
    effects: { request: 'both' },
  },
];
