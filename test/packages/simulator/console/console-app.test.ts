import type { Json } from 'countersign/kit';
import { parseExactly } from '../../../../packages/simulator/src/sending/exact-json.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from './console-client.ts';
import { callEntry, deliveryEntry, secret } from './fake-simulator.ts';

let open: TestConsole;
beforeAll(async () => {
  open = await startTestConsole({
    fake: { to: 'http://127.0.0.1:3000/webhooks' },
    targets: ['http://127.0.0.1:3001/'],
  });
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
});

/** An array in arrays. */
function nested(depth: number): Json {
  let value: Json = 1;
  for (let count = 0; count < depth; count += 1) value = [value];
  return value;
}

it('describes the service without the value of a credential', async () => {
  const { status, json, text } = await open.call('GET', '/api/description');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    title: 'Parcel service',
    operations: [{ name: 'createParcel', method: 'POST', path: '/parcels' }],
    kinds: [{ kind: 'parcelDelivered', examples: ['delivered', 'light'] }, { kind: 'parcelLost' }],
    questions: [{ id: 'signed-path', current: 'path' }],
    credentials: ['signingKey'],
    workflows: [{ id: 'ship', steps: [{ id: 'create' }, { id: 'pack' }, { id: 'arrive' }] }],
  });
  expect(text).not.toContain(secret);
});

it('returns the payloads of a kind', async () => {
  const { json } = await open.call('GET', '/api/kinds/parcelDelivered');
  expect(json).toMatchObject({
    examples: [{ name: 'delivered' }, { name: 'light' }],
    invalidExamples: [{ name: 'heavy' }],
    samples: [{ parcel: 'p-9' }],
  });
});

it('lists entries by filter, as a whole and in short', async () => {
  const { journal } = open.simulator;
  const call = journal.add(callEntry(1000));
  const delivery = journal.add(deliveryEntry(2000, 'parcelDelivered', '{"parcel":"needle"}'));
  const ids = async (query: string): Promise<unknown> => {
    const { json } = await open.call('GET', `/api/entries?${query}`);
    return (json as { entries: { id: number }[] }).entries.map(({ id }) => id);
  };
  expect(await ids('')).toEqual([call.id, delivery.id]);
  expect(await ids('type=call')).toEqual([call.id]);
  expect(await ids('name=parcelDelivered')).toEqual([delivery.id]);
  expect(await ids('outcome=failed')).toEqual([call.id]);
  expect(await ids('text=needle')).toEqual([delivery.id]);
  expect(await ids('pageSize=1')).toEqual([delivery.id]);
  expect(await ids(`before=${delivery.id}`)).toEqual([call.id]);
  expect(await ids(`after=${call.id}`)).toEqual([delivery.id]);
  expect(await ids('run=other')).toEqual([]);
  const { json } = await open.call('GET', `/api/entries?view=summary&type=call`);
  expect(json).toEqual({
    entries: [
      {
        id: call.id,
        at: 1000,
        type: 'call',
        name: 'createParcel',
        isFailed: true,
        method: 'POST',
        detail: '/v1/parcels?dry=true',
        status: 401,
        durationMs: 3,
        faults: [],
      },
    ],
  });
  expect((await open.call('GET', `/api/entries/${call.id}`)).json).toEqual(call);
  const { json: curl } = await open.call('GET', `/api/entries/${call.id}/curl`);
  expect(curl).toEqual({ curl: expect.stringContaining(`'apikey: '"$SENT_HEADER_APIKEY"`) });
});

it('triggers a notification with the options of the request', async () => {
  const options = {
    payload: { parcel: 'p-7' },
    parameters: { parcel: 'p-7' },
    faults: ['duplicate'],
    allowInvalid: true,
  };
  const { status, json } = await open.call('POST', '/api/trigger', {
    kind: 'parcelDelivered',
    ...options,
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({ kind: 'parcelDelivered', state: 'acknowledged' });
  expect(open.simulator.triggered.at(-1)).toEqual({ kind: 'parcelDelivered', options });
});

it.each([
  ['/api/trigger', { payload: parseExactly('{"weight":1.10}') }, '{"payload":{"weight":1.10}}'],
  ['/api/trigger', { data: parseExactly('1e400') }, '{"data":1e400}'],
  ['/api/trigger', { payloadText: '{"weight": 1.10}' }, '{"rawBody":"{\\"weight\\": 1.10}"}'],
  ['/api/trigger', { dataText: '[10000000000000000.01]' }, '{"data":[10000000000000000.01]}'],
])('keeps the digits of numbers in a call of %s with %j', async (path, options, expected) => {
  const { status } = await open.call('POST', path, { kind: 'parcelDelivered', ...options });
  expect(status).toBe(200);
  expect(JSON.stringify(open.simulator.triggered.at(-1)?.options)).toBe(expected);
});

it('keeps the digits of numbers in a delivery that is edited', async () => {
  const { id } = open.simulator.journal.add(deliveryEntry(3000, 'parcelDelivered', '{}'));
  const data = parseExactly('{"weight":1.10}');
  expect((await open.call('POST', `/api/entries/${id}/edit`, { data })).status).toBe(200);
  const { options } = open.simulator.triggered.at(-1) ?? {};
  expect(JSON.stringify(options?.data)).toBe('{"weight":1.10}');
});

it('sends a delivery again, and edited with the parameters of its URL', async () => {
  const { journal, triggered } = open.simulator;
  const { id } = journal.add(deliveryEntry(3000, 'parcelDelivered', '{}'));
  expect((await open.call('POST', `/api/entries/${id}/send-again`)).status).toBe(200);
  const payload = { parcel: 'p-8' };
  expect((await open.call('POST', `/api/entries/${id}/edit`, { payload })).status).toBe(200);
  expect(triggered.at(-1)?.options).toEqual({ payload, parameters: { parcel: 'p-1' } });
  const call = journal.add(callEntry(1));
  expect((await open.call('POST', `/api/entries/${call.id}/send-again`)).status).toBe(409);
});

it.each([
  [{ parcel: 'p' }, []],
  [{ weight: 'much' }, ['', '/weight']],
  [[], ['']],
])('validates the payload %j', async (payload, pointers) => {
  const { json } = await open.call('POST', '/api/validate', { kind: 'parcelDelivered', payload });
  const { violations } = json as { violations: { pointer: string }[] };
  expect(violations.map(({ pointer }) => pointer)).toEqual(pointers);
});

it('reads and sets faults, advances the clock, and revokes tokens', async () => {
  expect((await open.call('PUT', '/api/faults', { duplicate: 0.25 })).status).toBe(200);
  expect((await open.call('GET', '/api/faults')).json).toEqual({ duplicate: 0.25 });
  const before = open.simulator.clock.now();
  const { json } = await open.call('POST', '/api/clock/advance', { by: '1h' });
  expect(json).toEqual({ now: before + 3_600_000 });
  await open.call('POST', '/api/tokens/revoke');
  expect(open.simulator.revoked).toBe(1);
});

it('starts, lists, continues and cancels runs, without credentials in their outputs', async () => {
  const started = await open.call('POST', '/api/runs', { workflow: 'ship', inputs: { a: 1 } });
  expect(started.json).toMatchObject({ id: 'run-1', state: 'running' });
  expect(started.text).toContain('p-1');
  expect(started.text).not.toContain(secret);
  await open.call('POST', '/api/runs/run-1/proceed');
  expect(open.simulator.proceeded).toEqual(['run-1']);
  expect((await open.call('POST', '/api/runs/run-1/cancel')).json).toMatchObject({
    state: 'failed',
  });
  expect((await open.call('GET', '/api/runs')).json).toMatchObject({ runs: [{ id: 'run-1' }] });
});

it('chooses a receiver of those that were given at the start, and no other', async () => {
  const put = (to: string): Promise<{ status: number }> =>
    open.call('PUT', '/api/receiver', { to });
  expect((await put('http://127.0.0.1:3001')).status).toBe(200);
  expect(open.simulator.to).toBe('http://127.0.0.1:3001/');
  for (const to of ['http://127.0.0.1:3002/', 'http://127.0.0.1:3001/other', 'nonsense', ''])
    expect((await put(to)).status).toBe(403);
  expect(open.simulator.to).toBe('http://127.0.0.1:3001/');
  const { json } = await open.call('GET', '/api/state');
  expect(json).toMatchObject({
    to: 'http://127.0.0.1:3001/',
    targets: ['http://127.0.0.1:3001/', 'http://127.0.0.1:3000/webhooks'],
  });
});

it.each([
  ['POST', '/api/trigger', {}, 400, 'invalid-input'],
  ['POST', '/api/trigger', { kind: 'nothing' }, 404, 'unknown-name'],
  ['POST', '/api/trigger', { kind: 'parcelLost', to: 'http://evil.example' }, 400, 'invalid-input'],
  ['POST', '/api/trigger', { kind: 'parcelLost', faults: ['x'] }, 400, 'invalid-input'],
  ['POST', '/api/trigger', { kind: 5 }, 400, 'invalid-input'],
  ['POST', '/api/trigger', { kind: 'parcelDelivered', dataText: '{' }, 400, 'invalid-input'],
  ['POST', '/api/trigger', [], 400, 'invalid-input'],
  ['POST', '/api/trigger', JSON.parse('{"__proto__":{}}'), 400, 'invalid-input'],
  ['POST', '/api/validate', { kind: 'nothing', payload: 1 }, 404, 'unknown-name'],
  ['POST', '/api/validate', { kind: 'parcelDelivered' }, 400, 'invalid-input'],
  ['PUT', '/api/faults', { duplicate: 2 }, 400, 'invalid-input'],
  ['PUT', '/api/faults', { other: 0.5 }, 400, 'invalid-input'],
  ['POST', '/api/clock/advance', { by: '-1h' }, 400, 'invalid-input'],
  ['POST', '/api/clock/advance', { by: 'soon' }, 400, 'invalid-input'],
  ['POST', '/api/clock/advance', { by: '999999999d' }, 400, 'invalid-input'],
  ['POST', '/api/clock/advance', { by: '367d' }, 400, 'invalid-input'],
  ['POST', '/api/clock/advance', { by: '99999999999s' }, 400, 'invalid-input'],
  ['POST', '/api/trigger', { kind: 'parcelLost', payload: nested(300) }, 400, 'invalid-input'],
  [
    'POST',
    '/api/trigger',
    { kind: 'parcelDelivered', dataText: `${'['.repeat(300)}1${']'.repeat(300)}` },
    400,
    'invalid-input',
  ],
  [
    'POST',
    '/api/validate',
    { kind: 'parcelDelivered', payload: nested(3000) },
    400,
    'invalid-input',
  ],
  ['POST', '/api/runs', { workflow: 'ship', inputs: { a: nested(300) } }, 400, 'invalid-input'],
  [
    'POST',
    '/api/trigger',
    { kind: 'parcelLost', parameters: { parcel: '\ud800' } },
    400,
    'invalid-input',
  ],
  [
    'POST',
    '/api/trigger',
    { kind: 'parcelLost', rawBody: 'x'.repeat(3_000_000) },
    413,
    'too-large',
  ],
  ['POST', '/api/clock/advance', {}, 400, 'invalid-input'],
  ['POST', '/api/runs', { workflow: 'nothing' }, 404, 'unknown-name'],
  ['POST', '/api/runs/run-99/proceed', undefined, 404, 'not-found'],
  ['POST', '/api/entries/999999/send-again', undefined, 404, 'not-found'],
  ['GET', '/api/entries/first', undefined, 400, 'invalid-input'],
  ['GET', '/api/entries?pageSize=many', undefined, 400, 'invalid-input'],
  ['GET', '/api/entries?color=red', undefined, 400, 'invalid-input'],
  ['GET', '/api/entries?type=all', undefined, 400, 'invalid-input'],
  ['GET', '/api/kinds/nothing', undefined, 404, 'unknown-name'],
  ['GET', '/api/nothing', undefined, 404, 'not-found'],
  ['GET', '/secret.txt', undefined, 404, 'not-found'],
  ['GET', '/..%2fpackage.json', undefined, 404, 'not-found'],
])('refuses %s %s %j with %i', async (method, path, body, status, code) => {
  const refused = await open.call(method, path, body);
  expect([refused.status, refused.json]).toEqual([
    status,
    { error: { code, message: expect.stringMatching(/\.$/u) } },
  ]);
});

it('keeps the text of an unknown error to itself', async () => {
  const { journal } = open.simulator;
  const { list } = journal;
  journal.list = () => {
    throw new Error(secret);
  };
  const { status, text } = await open.call('GET', '/api/entries');
  journal.list = list;
  expect(status).toBe(500);
  expect(text).not.toContain(secret);
});

it('clears the journal', async () => {
  expect((await open.call('DELETE', '/api/entries')).status).toBe(200);
  expect(open.simulator.journal.count()).toBe(0);
});

it('lists the newest entries with all their members, as far as they fit', async () => {
  const { journal } = open.simulator;
  const text = 'x'.repeat(256 * 1024);
  const call = callEntry(0);
  const { request } = call;
  const large = { ...call, request: { ...request, body: { ...request.body, text } } };
  for (let count = 0; count < 100; count += 1) journal.add(large);
  const last = journal.list({ pageSize: 1 })[0]?.id;
  const { json } = await open.call('GET', '/api/entries?pageSize=100');
  const { entries } = json as { entries: { id: number }[] };
  expect(entries.at(-1)?.id).toBe(last);
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.length).toBeLessThan(100);
  const summary = await open.call('GET', '/api/entries?pageSize=100&view=summary');
  expect((summary.json as { entries: unknown[] }).entries).toHaveLength(100);
});
