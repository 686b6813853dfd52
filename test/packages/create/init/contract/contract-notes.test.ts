import { expect, test } from 'vitest';
import { noteAboutUnions } from '../../../../../packages/create/src/init/contract/contract-notes.ts';
import { lowerFiles } from '../../../../contract/lower/lower-files.ts';

const kindOf = (kind: string): object => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: kind } },
});
const named = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

async function notesAbout(...payloads: readonly object[]): Promise<readonly string[]> {
  const { contract } = await lowerFiles({
    'openapi.yaml': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Notes', version: '1.0.0' },
      webhooks: Object.fromEntries(
        payloads.map((schema, index) => [
          `event${index}`,
          {
            post: {
              security: [],
              requestBody: { content: { 'application/json': { schema } } },
              responses: { 200: { description: 'Done' } },
            },
          },
        ]),
      ),
      components: {
        schemas: {
          Paid: kindOf('paid'),
          Back: { allOf: [kindOf('back'), { properties: { note: { type: 'string' } } }] },
          Bare: { type: 'object', properties: { kind: { type: 'string' } } },
        },
      },
    }),
  });
  return noteAboutUnions(contract);
}

test('a payload with alternatives that a member selects can become several kinds', async () => {
  const union = { oneOf: [named('Paid'), named('Back')] };
  const discriminated = {
    oneOf: [named('Paid'), named('Bare')],
    discriminator: { propertyName: 'kind', mapping: { bare: 'Bare' } },
  };
  expect(await notesAbout(union, discriminated, named('Paid'))).toEqual([
    expect.stringMatching(/^The payload of event0 is one of 2 schemas, and there are 1 more/u),
  ]);
  expect(await notesAbout(named('Paid'), discriminated)).toEqual([
    expect.stringMatching(/event1 is one of 2 schemas\. .*`countersign explain several-payloads`/u),
  ]);
});

test.each<[string, object]>([
  ['one schema', named('Paid')],
  ['alternatives with the same values', { oneOf: [named('Paid'), named('Paid')] }],
  ['alternatives without values', { anyOf: [named('Paid'), named('Bare')] }],
])('%s is one kind', async (_, payload) => {
  expect(await notesAbout(payload)).toEqual([]);
});
