import { expect, it } from 'vitest';
import { startTestConsole } from './console-client.ts';
import { callEntry, deliveryEntry, secret } from './fake-simulator.ts';

it('exports every entry as a line of JSON, and the exchanges as HAR 1.2', async () => {
  await using open = await startTestConsole();
  const { journal } = open.simulator;
  for (let at = 0; at < 1200; at += 1)
    journal.add(at % 2 === 0 ? callEntry(at) : deliveryEntry(at, 'parcelLost', '{}'));
  journal.add({
    type: 'step',
    at: 5000,
    run: 'r',
    workflow: 'ship',
    state: 'started',
    message: 'Started.',
  });
  const lines = await open.call('GET', '/api/export.jsonl');
  const entries = lines.text.trimEnd().split('\n');
  expect(entries.map((line) => JSON.parse(line) as unknown)).toEqual(journal.list());
  expect(lines.headers.get('content-disposition')).toContain('simulator.jsonl');

  const { json, text } = await open.call('GET', '/api/export.har');
  expect(text).not.toContain(secret);
  const { log } = json as { log: { version: string; entries: Record<string, unknown>[] } };
  expect(log.version).toBe('1.2');
  expect(log.entries).toHaveLength(1200);
  expect(log.entries[0]).toEqual({
    startedDateTime: '1970-01-01T00:00:00.000Z',
    time: 3,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4010/v1/parcels?dry=true',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: expect.arrayContaining([{ name: 'apikey', value: '[redacted]' }]),
      queryString: [{ name: 'dry', value: 'true' }],
      postData: { mimeType: 'application/json', text: '{"parcel":"p-1"}' },
      headersSize: -1,
      bodySize: 16,
    },
    response: {
      status: 401,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: 21, mimeType: 'application/json', text: '{"error":"signature"}' },
      redirectURL: '',
      headersSize: -1,
      bodySize: 21,
    },
    cache: {},
    timings: { send: 0, wait: 3, receive: 0 },
    _countersign: { id: 1, type: 'call', faults: [], operation: 'createParcel' },
  });
});

it('exports an empty journal', async () => {
  await using open = await startTestConsole();
  expect((await open.call('GET', '/api/export.jsonl')).text).toBe('');
  expect((await open.call('GET', '/api/export.har')).json).toMatchObject({ log: { entries: [] } });
});

it('exports an entry whose time is none of a date', async () => {
  await using open = await startTestConsole();
  open.simulator.journal.add(callEntry(1e17));
  open.simulator.journal.add(callEntry(1));
  const { json } = await open.call('GET', '/api/export.har');
  expect((json as { log: { entries: unknown[] } }).log.entries).toHaveLength(2);
});
