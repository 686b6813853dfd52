import { expect, test } from 'vitest';
import { lowerFiles } from './lower-files.ts';

/** The parent and the heirs of AsyncAPI's own example, and an envelope. */
const schemas = `  schemas:
    Envelope:
      type: object
      discriminator: name
      required: [name]
      properties: { name: { type: string } }
    Created:
      allOf:
        - { $ref: '#/components/schemas/Envelope' }
        - { type: object, properties: { size: { type: integer } } }
    StickInsect:
      allOf:
        - { $ref: '#/components/schemas/Envelope' }
        - { type: object, properties: { name: { const: StickBug } } }
`;

const version3 = `asyncapi: 3.0.0
info: { title: Events, version: 1.0.0 }
channels:
  events:
    address: /events
    messages:
      created: { payload: { $ref: '#/components/schemas/Created' } }
      stick: { payload: { $ref: '#/components/schemas/StickInsect' } }
operations: { send: { action: send, channel: { $ref: '#/channels/events' } } }
components:
${schemas}`;

const version2 = `asyncapi: 2.6.0
info: { title: Events, version: 1.0.0 }
channels:
  /events:
    subscribe:
      message:
        oneOf:
          - { messageId: created, payload: { $ref: '#/components/schemas/Created' } }
          - { messageId: stick, payload: { $ref: '#/components/schemas/StickInsect' } }
components:
${schemas}`;

test.each([
  ['3.0', version3],
  ['2.6', version2],
])(
  'the name of a schema is the value of the discriminator that it inherits in AsyncAPI %s',
  async (_, asyncapi) => {
    const { contract } = await lowerFiles({ 'asyncapi.yaml': asyncapi });
    const { notifications } = contract;
    expect(notifications.map(({ id, ambiguousWith }) => [id, ambiguousWith])).toEqual([
      ['created', []],
      ['stick', []],
    ]);
    expect(JSON.stringify(notifications.map(({ identifiedBy }) => identifiedBy))).toMatch(
      /"Created".*"StickBug"/u,
    );
    const created = contract.schemas.find(({ name }) => name === 'Created');
    expect(created?.definition).toMatchObject({
      allOf: expect.arrayContaining([{ properties: { name: { const: 'Created' } } }]) as unknown,
    });
  },
);

test('a union of heirs has the alternatives that their names select', async () => {
  const asyncapi = version3.replace(
    /      created:[^]*StickInsect' \} \}\n/u,
    `      any: { payload: { oneOf: [{ $ref: '#/components/schemas/Created' }, { $ref: '#/components/schemas/StickInsect' }], discriminator: name } }\n`,
  );
  const { contract } = await lowerFiles({ 'asyncapi.yaml': asyncapi });
  const payload = contract.schemas.find(({ name }) => name === contract.notifications[0]?.payload);
  expect(payload?.definition).toMatchObject({
    oneOf: [
      { properties: { name: { const: 'Created' } }, required: ['name'] },
      { properties: { name: { const: 'StickBug' } }, required: ['name'] },
    ],
  });
});
