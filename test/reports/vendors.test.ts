import { expect, test } from 'vitest';
import { objectOf, toSchema, webhookOf } from './contract-of.ts';
import { receive } from './receive.ts';

// Payloads of services that violate what their documents say. The violation names the member, and an overlay is the way out.

const json = 'application/json';
const text = { type: 'string' };

interface Vendor {
  readonly link: string;
  /** What a document of its API says. */
  readonly documented: object;
  /** What it sends, shortened. */
  readonly payload: object;
  readonly violation: string;
  /** The actions of an overlay that says what is sent. */
  readonly actions: string;
}

const vendors: readonly Vendor[] = [
  {
    // The identifier is documented as a number.
    link: 'https://developers.figma.com/docs/rest-api/webhooks-events',
    documented: objectOf({
      event_type: { type: 'string', enum: ['PING', 'FILE_UPDATE'] },
      passcode: text,
      timestamp: { type: 'string', format: 'date-time' },
      webhook_id: { type: 'number' },
    }),
    payload: {
      event_type: 'FILE_UPDATE',
      file_key: 'CL06nJNn5eZLQKDoARMND5',
      file_name: 'Developer page mockup demo',
      passcode: 'secretpasscode',
      timestamp: '2020-02-23T20:27:16Z',
      webhook_id: '22',
    },
    violation: '/webhook_id must be of type number',
    actions:
      '[{ target: $.components.schemas.Event.properties.webhook_id, update: { type: string } }]',
  },
  {
    // An order that is open has no time of closing.
    link: 'https://shopify.dev/docs/api/webhooks/2025-04',
    documented: objectOf(
      {
        id: { type: 'integer' },
        closed_at: { type: 'string', format: 'date-time' },
        total_price: { type: 'string', pattern: String.raw`^\d+\.\d{2}$` },
      },
      ['id'],
    ),
    payload: { id: 450_789_469, closed_at: null, total_price: '388.00' },
    violation: '/closed_at must be of type string',
    actions: `
  - { target: $.components.schemas.Event.properties.closed_at.type, remove: true }
  - { target: $.components.schemas.Event.properties.closed_at, update: { type: [string, 'null'] } }`,
  },
];

test.each(vendors.map((vendor) => [vendor.link, vendor] as const))('%s', async (_, vendor) => {
  const { documented, payload, violation, actions } = vendor;
  const contract = webhookOf(
    { [json]: { schema: toSchema('Event') } },
    { schemas: { Event: documented } },
  );
  const delivery = { type: json, body: JSON.stringify(payload), gives: [200] } as const;
  const refused = await receive({ contract, deliveries: [delivery], tells: true });
  expect(refused).toEqual([[422, 'schema', violation]]);
  const overlay = `overlay: 1.0.0\ninfo: { title: What is sent, version: 1.0.0 }\nactions: ${actions}\n`;
  expect(await receive({ contract, overlay, deliveries: [delivery] })).toEqual([
    [200, 'event', payload],
  ]);
});

test('a union of events without kinds gets a handler each by an overlay', async () => {
  // The documents of Adyen, Rebilly and Chargebee have one schema, or one address, for all events.
  const contract = webhookOf(
    { [json]: { schema: { oneOf: [toSchema('Paid'), toSchema('Back')] } } },
    {
      schemas: {
        Paid: objectOf({ eventType: { const: 'paid' }, amount: text }),
        Back: objectOf({ eventType: { const: 'back' }, reason: text }),
      },
    },
  );
  const overlay = `overlay: 1.0.0
info: { title: A webhook for each event, version: 1.0.0 }
actions:
  - { target: $.webhooks.event, remove: true }
  - target: $.webhooks
    update:
      paid: { post: { security: [], requestBody: { content: { ${json}: { schema: { $ref: '#/components/schemas/Paid' } } } }, responses: { 200: { description: Done } } } }
      back: { post: { security: [], requestBody: { content: { ${json}: { schema: { $ref: '#/components/schemas/Back' } } } }, responses: { 200: { description: Done } } } }
`;
  const payloads = [
    { eventType: 'paid', amount: '1.00' },
    { eventType: 'back', reason: 'x' },
  ];
  const deliveries = payloads.map((payload) => ({
    type: json,
    body: JSON.stringify(payload),
    gives: [200] as const,
  }));
  expect(await receive({ contract, deliveries })).toEqual(
    payloads.map((payload) => [200, 'event', payload]),
  );
  expect(await receive({ contract, overlay, deliveries })).toEqual(
    payloads.map((payload) => [200, payload.eventType, payload]),
  );
});
