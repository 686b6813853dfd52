import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sampleHandlers } from '../../../generator/targets/printing/sample-handlers.ts';
import { readAsyncapi } from '../client/emit-client.ts';

const parcels = (message: object, payload: object): object => ({
  asyncapi: '3.0.0',
  info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
  channels: { moved: { address: '/moved', messages: { moved: { payload, ...message } } } },
  operations: { sendMoved: { action: 'send', channel: { $ref: '#/channels/moved' } } },
  components: { schemas: { State: { type: 'string', enum: ['new', 'on-way'] } } },
});

const ref = { $ref: '#/components/schemas/State' };
const parcel = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
});

const text = { type: 'string' };
const example = (payload: object): object => ({ examples: [{ name: 'one', payload }] });
const byId = { 'x-dedupe-by': ['$request.body#/parcel/no', '$request.body#/parcel/state'] };

describe('a handler of an example', () => {
  test.each([
    [
      'has a key of what identifies an event, and checks the status of the first example',
      { ...byId, ...example({ parcel: { no: '1', state: 'on-way' } }) },
      parcel({ parcel: parcel({ no: text, state: ref }, ['no', 'state']) }, ['parcel']),
      "[event.kind, event.data.parcel.no, event.data.parcel.state].join(' ')",
      'event.data.parcel.state === State.OnWay',
    ],
    [
      'has no key without an identifier: two payments can be equal',
      example({ state: 'new' }),
      parcel({ state: ref }, ['state']),
      undefined,
      'event.data.state === State.New',
    ],
    [
      'has no key where only an order is stated',
      { 'x-ordered-by': ['$request.body#/account'], ...example({ account: '1' }) },
      parcel({ account: text }, ['account']),
      undefined,
      undefined,
    ],
    [
      'reads no member that can be missing',
      { ...byId, ...example({ parcel: { no: '1', state: 'new' } }) },
      parcel({ parcel: parcel({ no: text, state: ref }, ['no']) }, []),
      undefined,
      undefined,
    ],
    [
      'checks no status that the first example does not have',
      byId,
      parcel({ parcel: parcel({ no: text, state: ref }, ['no', 'state']) }, ['parcel']),
      "[event.kind, event.data.parcel.no, event.data.parcel.state].join(' ')",
      undefined,
    ],
    [
      'writes names that are not identifiers in brackets',
      { 'x-dedupe-by': ['$request.body#/parcel-no'], ...example({ 'parcel-no': '1' }) },
      parcel({ 'parcel-no': text }, ['parcel-no']),
      `[event.kind, event.data["parcel-no"]].join(' ')`,
      undefined,
    ],
  ])('%s', async (_, message, payload, key, check) => {
    const [handler] = sampleHandlers(await readAsyncapi(parcels(message, payload)));
    expect(handler?.key?.text).toBe(key);
    const status = handler?.status;
    expect(status && `${status.at.text} === ${status.listed.text}`).toBe(check);
  });

  test('compares no status that has several names, because each is of another notification', async () => {
    const document = parcels(
      example({ state: 1, phase: 2 }),
      parcel({ state: { $ref: '#/components/schemas/State' } }, ['state']),
    );
    const State = {
      type: 'integer',
      'x-extensible-enum': [1, 2, 1],
      'x-enum-varnames': ['Done', 'Failed', 'Asked'],
    };
    const [handler] = sampleHandlers(
      await readAsyncapi({ ...document, components: { schemas: { State } } }),
    );
    expect(handler?.status).toBeUndefined();
  });
});

test.each(['webhooks', 'webhooks-express', 'webhooks-nestjs'])(
  'the example of %s takes no equal content for a repetition, checks a status and keeps what is invalid',
  async (name) => {
    const path = new URL(`../../../generated/${name}/README.md`, import.meta.url);
    const readme = await readFile(path, 'utf8');
    expect(readme).toContain('rows.push(event.data);');
    expect(readme).not.toContain('JSON.stringify(event.data)].join');
    expect(readme).toContain('event.data.status === CustomerStatus.Done');
    expect(readme).toContain('kept.push(text);');
  },
);

test('visits each schema once, however often others name it', async () => {
  const levels = Array.from({ length: 60 }, (_, level) => {
    const next = { $ref: `#/components/schemas/A${level + 1}` };
    return [`A${level}`, { allOf: [next, next] }] as const;
  });
  const schemas = { ...Object.fromEntries(levels), A60: parcel({ state: ref }, ['state']) };
  const document = parcels({}, { $ref: '#/components/schemas/A0' });
  const { components } = document as { readonly components: { readonly schemas: object } };
  const contract = await readAsyncapi({
    ...document,
    components: { schemas: { ...components.schemas, ...schemas } },
  });
  expect(sampleHandlers(contract)).toHaveLength(1);
});
