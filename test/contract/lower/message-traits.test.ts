import { expect, test } from 'vitest';
import { readAsyncapi } from '../../targets/client/emit-client.ts';

test('a message has the headers and the content type that its traits add, and its own before theirs', async () => {
  const trait = {
    contentType: 'application/cloudevents+json',
    headers: {
      type: 'object',
      required: ['x-id'],
      properties: { 'x-id': { type: 'string' }, 'X-Time': { type: 'integer' } },
    },
  };
  const later = { contentType: 'application/json; charset=utf-8' };
  const { notifications } = await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Lamps', version: '1.0.0' },
    channels: {
      lamps: {
        address: '/lamps',
        messages: {
          lit: {
            traits: [{ $ref: '#/components/messageTraits/common' }, later],
            headers: { type: 'object', properties: { 'x-time': { type: 'string' } } },
            payload: { type: 'object' },
          },
        },
      },
    },
    operations: { sendLit: { action: 'send', channel: { $ref: '#/channels/lamps' } } },
    components: { messageTraits: { common: trait } },
  });
  const [lit] = notifications;
  expect(lit?.contentType).toBe('application/json; charset=utf-8');
  expect(lit?.headers.map(({ name, required, schema }) => [name, required, schema])).toEqual([
    ['x-time', false, { type: 'string' }],
    ['x-id', true, { type: 'string' }],
  ]);
});
