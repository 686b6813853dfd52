import { describe, expect, test } from 'vitest';
import { channelOf, objectOf, toSchema, webhookOf } from './contract-of.ts';
import { type Delivery, receive, type Received } from './receive.ts';

// Deliveries of the kinds that public reports show, written in other ways than in the reports.

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const text = { type: 'string' };
const number = { type: 'integer' };

const toJson = (data: unknown, ...gives: Delivery['gives']): Delivery => ({
  type: json,
  body: JSON.stringify(data),
  gives,
});
const accepted = (data: unknown): Delivery => toJson(data, 200, 'event', data);
const invalid = (data: unknown): Delivery => toJson(data, 422, 'schema');
const read = (body: string, data: unknown): Delivery => ({
  type: form,
  body,
  gives: [200, 'event', data],
});
const formOf = (schema: object, encoding: object = {}): object =>
  webhookOf({ [form]: { schema, encoding } });
const mapOf = (additionalProperties: object): object => ({ type: 'object', additionalProperties });

/** A parent, an heir that has one itself, and one that does not. */
const family = {
  Event: { ...objectOf({ id: text, type: text }), discriminator: 'type' },
  Paid: { allOf: [toSchema('Event'), objectOf({ amount: number })] },
  Refunded: { allOf: [toSchema('Paid'), objectOf({ back: number })] },
};
const event = { id: '1', type: 'Event' };
const paid = { id: '1', type: 'Paid', amount: 1 };
const refunded = { id: '1', type: 'Refunded', amount: 1, back: 2 };
const payment = objectOf({ id: text });
const withPayload = (payload: object, schemas: object = family): object =>
  channelOf({ event: { payload } }, schemas);
/** A schema in a Multi Format Schema Object, of AsyncAPI unless a format is given. */
const inFormat = (
  schema: object,
  schemaFormat: string = 'application/vnd.aai.asyncapi+yaml;version=3.0.0',
): object => ({ schemaFormat, schema });
const plain = 'application/schema+json;version=draft-07';
const ofFamily: readonly Delivery[] = [
  ...[event, paid, refunded].map(accepted),
  invalid({ ...event, type: 'Paid' }),
  invalid({ ...paid, type: 'Refunded' }),
  invalid({ ...event, type: 'Zebra' }),
];

const siblings: Readonly<Record<string, Received>> = {
  'the discriminator of a parent in AsyncAPI selects the heir that a value has to match': {
    contract: withPayload(toSchema('Event')),
    deliveries: ofFamily,
  },
  'a parent with a format that is written beside it selects its heirs': {
    contract: withPayload(toSchema('Event'), { ...family, Event: inFormat(family.Event) }),
    deliveries: ofFamily,
  },
  'a reference to the schema inside of a parent with a format is one to the parent': {
    contract: withPayload(
      { $ref: '#/components/schemas/Event/schema' },
      {
        Event: inFormat(family.Event),
        Paid: {
          allOf: [{ $ref: '#/components/schemas/Event/schema' }, objectOf({ amount: number })],
        },
        Refunded: inFormat({
          allOf: [{ $ref: '#/components/schemas/Paid' }, objectOf({ back: number })],
        }),
      },
    ),
    deliveries: ofFamily,
  },
  'heirs with a format that is written beside them are selected': {
    contract: withPayload(inFormat(toSchema('Event')), {
      ...family,
      Paid: inFormat(family.Paid),
      Refunded: inFormat(family.Refunded),
    }),
    deliveries: ofFamily,
  },
  'the discriminator of a union in AsyncAPI selects its alternatives by their names': {
    contract: withPayload(
      { oneOf: [toSchema('Paid'), toSchema('Refunded')], discriminator: 'type' },
      {
        Paid: objectOf({ type: text, amount: number }),
        Refunded: inFormat(objectOf({ type: { const: 'back' }, amount: number })),
      },
    ),
    deliveries: [
      accepted({ type: 'Paid', amount: 1 }),
      accepted({ type: 'back', amount: 1 }),
      invalid({ type: 'Paid' }),
      invalid({ type: 'Refunded', amount: 1 }),
      invalid({ type: 'Zebra', amount: 1 }),
    ],
  },
  'a discriminator has no meaning in a schema whose format is JSON Schema': {
    contract: withPayload(toSchema('Event'), {
      Event: inFormat(family.Event, plain),
      Paid: inFormat(family.Paid, plain),
    }),
    deliveries: [event, { ...event, type: 'Zebra' }].map(accepted),
  },
  'no value selects an heir without a name': {
    contract: withPayload({ allOf: [toSchema('Event'), objectOf({ more: text })] }),
    deliveries: [
      ...[event, { ...event, type: 'event.created' }].map((data) =>
        accepted({ ...data, more: '' }),
      ),
      invalid(event),
    ],
  },
  'the discriminator of an heir selects its own heirs': {
    contract: withPayload(toSchema('Paid')),
    deliveries: [
      ...[paid, refunded].map(accepted),
      invalid({ ...paid, type: 'Refunded' }),
      invalid({ ...paid, type: 'Event' }),
    ],
  },
  'a parent in a list, beside annotations and as a member is a union with its heirs': {
    contract: withPayload(
      objectOf({
        all: { type: 'array', items: toSchema('Event') },
        one: { allOf: [toSchema('Event')], description: 'One.' },
      }),
    ),
    deliveries: [
      accepted({ all: [event, refunded], one: paid }),
      invalid({ all: [{ ...event, type: 'Paid' }], one: paid }),
      invalid({ all: [], one: { ...event, type: 'Paid' } }),
    ],
  },
  'alternatives that inherit from each other have different values': {
    contract: withPayload({ oneOf: [toSchema('Event'), toSchema('Paid')] }),
    deliveries: [...[event, paid, refunded].map(accepted), invalid({ ...event, type: 'Paid' })],
  },
  'values that a parent lists and no heir has are its own': {
    contract: withPayload(toSchema('Abstract'), {
      Abstract: { ...objectOf({ kind: { enum: ['a', 'b', 'other'] } }), discriminator: 'kind' },
      A: { allOf: [toSchema('Abstract'), objectOf({ kind: { const: 'a' }, x: text })] },
      B: { allOf: [toSchema('Abstract'), objectOf({ kind: { const: 'b' }, y: text })] },
    }),
    deliveries: [
      accepted({ kind: 'other' }),
      accepted({ kind: 'a', x: '' }),
      invalid({ kind: 'a' }),
      invalid({ kind: 'b', x: '' }),
    ],
  },
  'alternatives of OpenAPI that inherit from each other over two levels have different values': {
    contract: webhookOf(
      { [json]: { schema: { oneOf: [toSchema('Event'), toSchema('Paid')] } } },
      {
        schemas: {
          Base: { ...objectOf({ type: text }), discriminator: { propertyName: 'type' } },
          Event: { allOf: [toSchema('Base'), objectOf({ id: text })] },
          Paid: family.Paid,
          Refunded: family.Refunded,
        },
      },
    ),
    deliveries: [...[event, paid, refunded].map(accepted), invalid({ ...event, type: 'Paid' })],
  },
  'parameters of a media type choose among the representations of a notification': {
    contract: webhookOf({
      [`${json};version=1`]: { schema: objectOf({ one: text }) },
      [`${json};version=2`]: { schema: objectOf({ two: text }) },
    }),
    deliveries: [
      { type: `${json};version=1`, body: '{"one":"a"}', gives: [200, 'event', { one: 'a' }] },
      {
        type: `${json}; charset=utf-8; version="2"`,
        body: '{"two":"a"}',
        gives: [200, 'event', { two: 'a' }],
      },
      { type: `${json};version=2`, body: '{"one":"a"}', gives: [422, 'schema'] },
    ],
  },
  'a range of media types is a representation beside a form': {
    contract: webhookOf({
      'application/*': { schema: objectOf({ one: text }) },
      [form]: { schema: objectOf({ two: text }) },
    }),
    deliveries: [
      {
        type: 'application/cloudevents+json',
        body: '{"one":"a"}',
        gives: [200, 'event', { one: 'a' }],
      },
      {
        type: 'Application/X-WWW-Form-Urlencoded',
        body: 'two=a',
        gives: [200, 'event', { two: 'a' }],
      },
      { body: 'two=a', gives: [200, 'event', { two: 'a' }] },
    ],
  },
  'a form is read where a range of media types contains it and its schema is an object': {
    contract: webhookOf({
      '*/*': {
        schema: objectOf({ one: text, all: { type: 'array', items: number } }, ['one']),
        encoding: { all: { style: 'form', explode: false } },
      },
    }),
    deliveries: [
      accepted({ one: 'a', all: [1] }),
      read('one=a&all=1,2', { one: 'a', all: [1, 2] }),
      { body: 'one=a', gives: [200, 'event', { one: 'a' }] },
      { type: form, body: 'all=1', gives: [422, 'schema'] },
      { type: 'application/xml', body: '<one>=a</one>', gives: [400, 'body'] },
    ],
  },
  'a form is read by its own schema beside a range of media types with another one': {
    contract: webhookOf({
      [json]: { schema: objectOf({ one: text }) },
      'application/*': {
        schema: { oneOf: [objectOf({ two: number }), objectOf({ six: number })] },
      },
    }),
    deliveries: [
      accepted({ one: 'a' }),
      read('six=6', { six: 6 }),
      { type: form, body: 'one=a', gives: [422, 'schema'] },
    ],
  },
  'no form is read in a range of texts, or of any data': {
    contract: webhookOf({ 'text/*': { schema: objectOf({ one: text }) }, '*/*': { schema: {} } }),
    deliveries: [
      { type: form, body: 'one=a', gives: [400, 'body'] },
      { type: 'text/json', body: '{"one":"a"}', gives: [200, 'event', { one: 'a' }] },
    ],
  },
  'parameters of a media type choose among the forms of a notification': {
    contract: webhookOf({
      [`${form};version=1`]: { schema: objectOf({ one: text }) },
      [`${form};version=2`]: { schema: objectOf({ two: { type: 'array', items: number } }) },
    }),
    deliveries: [
      { type: `${form};version=1`, body: 'one=1', gives: [200, 'event', { one: '1' }] },
      { type: `${form};version=2`, body: 'two=1&two=2', gives: [200, 'event', { two: [1, 2] }] },
      { type: `${form};version=2`, body: 'one=1', gives: [422, 'schema'] },
    ],
  },
  'a member of a form has what all parts and alternatives of its schema state': {
    contract: formOf({
      allOf: [objectOf({ n: number }), { properties: { n: { minimum: 0 } } }],
      oneOf: [
        objectOf({ of: objectOf({ one: number }), list: { type: 'array', items: number } }),
        objectOf({ of: objectOf({ two: number }), list: { type: 'array', items: mapOf(number) } }),
      ],
    }),
    deliveries: [
      read('n=1&of[one]=2&list[]=3', { n: 1, of: { one: 2 }, list: [3] }),
      read('n=1&of[two]=2&list[0][a]=3', { n: 1, of: { two: 2 }, list: [{ a: 3 }] }),
      { type: form, body: 'n=-1&of[one]=2&list=3', gives: [422, 'schema'] },
    ],
  },
  'members of maps in a form have their types': {
    contract: formOf(
      objectOf(
        {
          amounts: mapOf(number),
          prices: { type: 'object', patternProperties: { '^p': number } },
          lines: { type: 'array', items: mapOf(number) },
        },
        [],
      ),
    ),
    deliveries: [
      read('amounts[a]=1&amounts[b%5D]=2', { amounts: { a: 1, 'b]': 2 } }),
      read('prices[p1]=1&lines[0][a]=3', { prices: { p1: 1 }, lines: [{ a: 3 }] }),
      { type: form, body: 'amounts[a]=x', gives: [422, 'schema'] },
      { type: form, body: 'amounts[__proto__]=1', gives: [400, 'body'] },
    ],
  },
  'a form that is a map has members of its type': {
    contract: formOf({ ...mapOf({ anyOf: [number, mapOf(number)] }), properties: { id: text } }),
    deliveries: [
      read('id=1&a=1&b[c]=2', { id: '1', b: { c: 2 }, a: 1 }),
      { type: form, body: 'id=1&a=1&a=2', gives: [400, 'body'] },
      { type: form, body: 'a=x', gives: [422, 'schema'] },
    ],
  },
  'an object in a form is one text where its encoding states that': {
    contract: formOf(
      objectOf({
        point: { type: 'object', properties: { x: number, y: number }, additionalProperties: text },
      }),
      { point: { style: 'form', explode: false } },
    ),
    deliveries: [
      read('point=x,1,y,2', { point: { x: 1, y: 2 } }),
      read('point=x,1,note,a%2Cb', { point: { x: 1, note: 'a,b' } }),
      read('point[x]=1', { point: { x: 1 } }),
      { type: form, body: 'point=x,1,x,2', gives: [400, 'body'] },
      { type: form, body: 'point=x,1,y', gives: [422, 'schema'] },
    ],
  },
};

describe('a delivery of the kind of a report', () => {
  test.each(Object.entries(siblings))('%s', async (_, sibling) => {
    expect(await receive(sibling)).toEqual(sibling.deliveries.map(({ gives }) => gives));
  });

  test.each<[responses: object, status: number]>([
    [{ 202: {}, 201: {} }, 201],
    [{ 204: {}, 410: {} }, 204],
    [{ 204: { content: { 'text/plain': { schema: { const: 'OK' } } } } }, 204],
  ])('%j is answered with %i', async (responses, status) => {
    const described = Object.entries(responses).map(([key, of]) => [
      key,
      { description: 'Done', ...(of as object) },
    ]);
    const [result] = await receive({
      contract: webhookOf(
        { [json]: { schema: payment } },
        { responses: Object.fromEntries(described) as object },
      ),
      deliveries: [accepted({ id: '1' })],
    });
    expect(result).toEqual([status, 'event', { id: '1' }]);
  });
});
