import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { channelOf, objectOf, reported, toSchema, webhookOf } from './contract-of.ts';
import { type Delivery, receive, type Received } from './receive.ts';

// Deliveries of public reports about other generators and libraries, to a receiver of the smallest contract of each.

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const text = { type: 'string' };
const number = { type: 'integer' };

interface Report extends Received {
  readonly links: readonly string[];
}

const event = objectOf({ id: text, type: { const: 'paid' } });
const paid = { id: '1', type: 'paid' };

const github = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Hub-Signature-256',
  'x-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'secret', encoding: 'utf-8' },
    over: ['$request.body'],
    encoding: 'hex',
    value: 'sha256={signature}',
  },
};
const signed = { security: [{ github: [] }], securitySchemes: { github } };
const signatureOf = (body: string | Uint8Array): Readonly<Record<string, string>> => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', 'key').update(body).digest('hex')}`,
});
const rocket = '{ "text" : "caf\\u00e9 🚀 \\u2028" ,"n":1}';
const payload = `payload=${encodeURIComponent('{"text":"a 🚀","ok":true}')}`;
const message = objectOf({ text, ok: { type: 'boolean' } });
const payloadForm = {
  schema: objectOf({ payload: message }),
  encoding: { payload: { contentType: json } },
};
const compressed = new Uint8Array(gzipSync('{"text":"a","n":1}'));

const heirs = {
  Worker: { ...objectOf({ '@type': text }), discriminator: '@type' },
  Employer: { allOf: [toSchema('Worker'), objectOf({ firm: text })] },
  Employee: { allOf: [toSchema('Worker'), objectOf({ boss: text }, [])] },
};

const reports: readonly Report[] = [
  {
    // JSON with a suffix, with the parameters of the contract or others, or with none.
    links: [
      reported('n8n-io/n8n', 20748),
      reported('expressjs/body-parser', 474),
      reported('expressjs/body-parser', 213),
      reported('expressjs/body-parser', 415),
    ],
    contract: webhookOf({ 'application/cloudevents+json; charset=utf-8': { schema: event } }),
    deliveries: [
      'application/cloudevents+json; charset=utf-8',
      'application/cloudevents+json',
      'application/json; utf-8',
      '*/*; charset=UTF-8',
      'text/plain',
      undefined,
    ].map((type) => ({
      ...(type === undefined ? {} : { type }),
      body: new TextEncoder().encode(JSON.stringify(paid)),
      gives: [200, 'event', paid],
    })),
  },
  {
    links: [reported('medplum/medplum', 5140)],
    contract: webhookOf({
      'application/cloudevents+json': { schema: event },
      'application/cloudevents-batch+json': { schema: { type: 'array', items: event } },
    }),
    deliveries: [
      {
        type: 'application/cloudevents-batch+json',
        body: JSON.stringify([paid, paid]),
        gives: [200, 'event', [paid, paid]],
      },
      {
        type: 'application/cloudevents+json',
        body: JSON.stringify(paid),
        gives: [200, 'event', paid],
      },
      {
        type: 'application/cloudevents-batch+json',
        body: JSON.stringify(paid),
        gives: [422, 'schema'],
      },
    ],
  },
  {
    // A message as JSON, or in the field of a form.
    links: [reported('OpenAPITools/openapi-generator', 2668)],
    contract: webhookOf({ [json]: { schema: message }, [form]: payloadForm }),
    deliveries: [
      {
        type: json,
        body: '{"text":"a","ok":true}',
        gives: [200, 'event', { text: 'a', ok: true }],
      },
      { type: form, body: payload, gives: [200, 'event', { payload: { text: 'a 🚀', ok: true } }] },
      { type: form, body: 'payload=%7B%22ok%22%3Atrue%7D', gives: [422, 'schema'] },
    ],
  },
  {
    // Signatures cover the bytes: of a form, of characters beyond the basic plane, and of JSON as it was written.
    links: [
      reported('adnanh/webhook', 7),
      reported('frain-dev/convoy', 2392),
      reported('jenkinsci/github-plugin', 134),
      reported('github/docs', 3567),
      reported('octokit/webhooks.js', 71),
    ],
    contract: webhookOf(
      { [json]: { schema: objectOf({ text, n: number }) }, [form]: payloadForm },
      signed,
    ),
    keys: ['key'],
    deliveries: [
      {
        type: json,
        headers: signatureOf(rocket),
        body: rocket,
        gives: [200, 'event', { text: 'café 🚀 \u2028', n: 1 }],
      },
      {
        type: form,
        headers: signatureOf(payload),
        body: payload,
        gives: [200, 'event', { payload: { text: 'a 🚀', ok: true } }],
      },
      {
        type: json,
        headers: signatureOf(JSON.stringify(JSON.parse(rocket))),
        body: rocket,
        gives: [401, 'signature-mismatch'],
      },
    ],
  },
  {
    // A body that was signed before it was compressed.
    links: ['https://github.com/GetStream/stream-node/pull/294'],
    contract: webhookOf({ [json]: { schema: objectOf({ text, n: number }) } }, signed),
    keys: ['key'],
    deliveries: [
      {
        headers: { 'content-encoding': 'gzip', ...signatureOf('{"text":"a","n":1}') },
        body: compressed,
        gives: [401, 'encoded-signature-mismatch'],
      },
      { headers: signatureOf('other'), body: '{}', gives: [401, 'signature-mismatch'] },
      {
        headers: { 'content-encoding': 'gzip', ...signatureOf(compressed) },
        body: compressed,
        gives: [415, 'encoding'],
      },
      {
        headers: { 'content-encoding': 'identity', ...signatureOf('{"text":"a","n":1}') },
        body: '{"text":"a","n":1}',
        gives: [200, 'event', { text: 'a', n: 1 }],
      },
    ],
  },
  {
    links: [reported('restify/node-restify', 220)],
    contract: webhookOf({
      [form]: {
        schema: objectOf(
          {
            banana: { type: 'array', items: { type: 'boolean' } },
            map: objectOf({ good: { type: 'boolean' }, bad: { type: 'boolean' } }),
          },
          [],
        ),
      },
    }),
    deliveries: (
      [
        ['banana[]=true&banana[]=false', { banana: [true, false] }],
        ['banana[0]=true&banana[1]=false', { banana: [true, false] }],
        ['banana[1]=false&banana[0]=true', { banana: [true, false] }],
        ['map[good]=true&map[bad]=false', { map: { good: true, bad: false } }],
      ] as const
    ).map(([body, data]) => ({ type: form, body, gives: [200, 'event', data] })),
  },
  {
    links: [reported('mscdex/busboy', 88)],
    contract: webhookOf({
      [form]: {
        schema: objectOf({
          a: {
            type: 'array',
            items: objectOf({
              b: {
                type: 'array',
                items: objectOf({ c: { type: 'array', items: objectOf({ n: number }) } }),
              },
            }),
          },
        }),
      },
    }),
    deliveries: [
      {
        type: form,
        body: 'a%5B0%5D%5Bb%5D%5B0%5D%5Bc%5D%5B0%5D%5Bn%5D=3&a[0][b][0][c][1][n]=4',
        gives: [200, 'event', { a: [{ b: [{ c: [{ n: 3 }, { n: 4 }] }] }] }],
      },
      { type: form, body: 'a[0][b][0][c][0][n]=x', gives: [422, 'schema'] },
    ],
  },
  {
    links: [
      reported('keel-hq/keel', 827),
      reported('tableau/webhooks-docs', 12),
      reported('jasongitmail/fast-webhook', 4),
    ],
    contract: webhookOf(
      { [json]: { schema: { type: 'object' } } },
      { responses: { 201: { description: 'Created' }, 500: { description: 'Failed' } } },
    ),
    deliveries: [{ type: json, body: '{}', gives: [201, 'event', {}] }],
  },
  {
    links: ['https://github.com/adyen-examples/adyen-testing-suite/pull/61'],
    contract: webhookOf(
      { [json]: { schema: { type: 'object' } } },
      { responses: { 202: { description: 'Accepted' } } },
    ),
    deliveries: [{ type: json, body: '{}', gives: [202, 'event', {}] }],
  },
  {
    // A response of XML.
    links: [
      'https://github.com/get-convex/twilio/pull/9',
      'https://github.com/home-assistant/core/pull/66561',
      'https://github.com/claudiajs/claudia-bot-builder/pull/44',
    ],
    contract: webhookOf(
      { [json]: { schema: { type: 'object' } } },
      {
        responses: {
          200: {
            description: 'Done',
            content: { 'text/xml': { schema: { const: '<Response></Response>' } } },
          },
        },
      },
    ),
    deliveries: [
      {
        type: json,
        body: '{}',
        gives: [200, 'event', {}, 'text/xml; charset=utf-8', '<Response></Response>'],
      },
    ],
  },
  {
    // Several values of a discriminator select one schema.
    links: [reported('orval-labs/orval', 1287)],
    contract: webhookOf(
      {
        [json]: {
          schema: {
            oneOf: [toSchema('One'), toSchema('Several')],
            discriminator: {
              propertyName: 'mode',
              mapping: {
                contains: '#/components/schemas/One',
                between: '#/components/schemas/Several',
                betweenInclusive: '#/components/schemas/Several',
              },
            },
          },
        },
      },
      {
        schemas: {
          One: objectOf({ mode: text, value: text }),
          Several: objectOf({ mode: text, value: { type: 'array', items: text } }),
        },
      },
    ),
    deliveries: [
      ...['between', 'betweenInclusive'].map((mode): Delivery => {
        const data = { mode, value: ['a'] };
        return { type: json, body: JSON.stringify(data), gives: [200, 'event', data] };
      }),
      { type: json, body: '{"mode":"contains","value":["a"]}', gives: [422, 'schema'] },
      { type: json, body: '{"mode":"other","value":"a"}', gives: [422, 'schema'] },
    ],
  },
  {
    // The values that the schemas list count, and not the names of the schemas.
    links: [reported('openapi-ts/openapi-typescript', 2149)],
    contract: webhookOf(
      {
        [json]: {
          schema: objectOf({
            comments: {
              type: 'array',
              items: {
                oneOf: [toSchema('TextComment'), toSchema('QuoteComment')],
                discriminator: { propertyName: 'commentType' },
              },
            },
          }),
        },
      },
      {
        schemas: {
          TextComment: objectOf({ commentType: { type: 'string', enum: ['text'] } }),
          QuoteComment: objectOf({ commentType: { type: 'string', enum: ['quote'] } }),
        },
      },
    ),
    deliveries: [
      {
        type: json,
        body: '{"comments":[{"commentType":"text"}]}',
        gives: [200, 'event', { comments: [{ commentType: 'text' }] }],
      },
      { type: json, body: '{"comments":[{"commentType":"TextComment"}]}', gives: [422, 'schema'] },
    ],
  },
  {
    // Heirs are selected by their names, by a member that is no identifier.
    links: [reported('asyncapi/modelina', 2229)],
    contract: channelOf(
      {
        created: {
          payload: objectOf({
            workers: {
              type: 'array',
              items: { oneOf: [toSchema('Employer'), toSchema('Employee')] },
            },
          }),
        },
      },
      heirs,
    ),
    deliveries: [
      {
        type: json,
        body: '{"workers":[{"@type":"Employer","firm":"a"},{"@type":"Employee"}]}',
        gives: [
          200,
          'created',
          { workers: [{ '@type': 'Employer', firm: 'a' }, { '@type': 'Employee' }] },
        ],
      },
      { type: json, body: '{"workers":[{"@type":"Employer"}]}', gives: [422, 'schema'] },
      { type: json, body: '{"workers":[{"@type":"Worker"}]}', gives: [422, 'schema'] },
    ],
  },
  {
    // A payload in a format of OpenAPI has the discriminator and `nullable` of OpenAPI.
    links: [reported('asyncapi/modelina', 1913), reported('asyncapi/asyncapi-react', 1125)],
    contract: channelOf(
      {
        vehicle: {
          payload: {
            schemaFormat: 'application/vnd.oai.openapi;version=3.0.0',
            schema: {
              type: 'object',
              discriminator: {
                propertyName: 'type',
                mapping: { car: '#/components/schemas/Car', truck: '#/components/schemas/Truck' },
              },
              oneOf: [toSchema('Car'), toSchema('Truck')],
            },
          },
        },
      },
      {
        Car: objectOf({ type: text }),
        Truck: {
          schemaFormat: 'application/vnd.oai.openapi;version=3.0.0',
          schema: objectOf({ type: text, load: { type: 'integer', nullable: true } }),
        },
      },
    ),
    deliveries: [
      { type: json, body: '{"type":"car"}', gives: [200, 'vehicle', { type: 'car' }] },
      {
        type: json,
        body: '{"type":"truck","load":null}',
        gives: [200, 'vehicle', { type: 'truck', load: null }],
      },
      { type: json, body: '{"type":"truck"}', gives: [422, 'schema'] },
      { type: json, body: '{"type":"bike"}', gives: [422, 'schema'] },
    ],
  },
];

describe('a delivery of a public report', () => {
  test.each(reports.map((report) => [report.links.join(' '), report] as const))(
    '%s',
    async (_, report) => {
      const results = await receive(report);
      expect(results).toEqual(report.deliveries.map(({ gives }) => gives));
    },
  );
});
