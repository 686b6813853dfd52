import { expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from './console-client.ts';
import { callEntry, deliveryEntry } from './fake-simulator.ts';

interface StreamEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

/** Reads the events of a stream one by one; leaving the loop ends the connection. */
async function* eventsOf(
  open: TestConsole,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<StreamEvent> {
  const controller = new AbortController();
  const { body } = await fetch(`${open.console.url}api/stream${query}`, {
    headers: { authorization: `Bearer ${open.controlToken}`, ...headers },
    signal: controller.signal,
  });
  if (body === null) throw new Error('The stream has no body.');
  try {
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      rest += text;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').map((line) => line.split(/: (.*)/u, 2) as [string, string]),
        );
        yield {
          event: fields['event'] ?? '',
          data: fields['data'] ?? '',
          ...(fields['id'] !== undefined && { id: fields['id'] }),
        };
      }
    }
  } finally {
    controller.abort();
  }
}

async function nextOf(events: AsyncGenerator<StreamEvent>): Promise<StreamEvent> {
  const { value, done } = await events.next();
  if (done === true) throw new Error('The stream ended.');
  return value;
}

it('streams new entries, and what followed the last one after an interruption', async () => {
  await using open = await startTestConsole();
  const { journal } = open.simulator;
  journal.add(callEntry(1));
  const events = eventsOf(open);
  expect((await nextOf(events)).event).toBe('ready');
  const second = journal.add(callEntry(2));
  expect(await nextOf(events)).toMatchObject({ event: 'entries', id: String(second.id) });
  await events.return(undefined);
  const third = journal.add(deliveryEntry(3, 'parcelLost', '{}'));
  const resumed = eventsOf(open, '', { 'last-event-id': String(second.id) });
  expect((await nextOf(resumed)).event).toBe('ready');
  const { data, id } = await nextOf(resumed);
  expect(id).toBe(String(third.id));
  expect(JSON.parse(data)).toEqual([third]);
  await resumed.return(undefined);
});

it('streams what the filter selects, in short, and reports that the journal was cleared', async () => {
  await using open = await startTestConsole();
  const { journal } = open.simulator;
  const events = eventsOf(open, '?type=delivery&view=summary');
  expect((await nextOf(events)).event).toBe('ready');
  journal.add(callEntry(1));
  const delivery = journal.add(deliveryEntry(2, 'parcelLost', '{}'));
  const { data } = await nextOf(events);
  expect(JSON.parse(data)).toMatchObject([{ id: delivery.id, name: 'parcelLost' }]);
  await open.call('DELETE', '/api/entries');
  expect((await nextOf(events)).event).toBe('cleared');
  await events.return(undefined);
});

it('collects entries that come at once', async () => {
  await using open = await startTestConsole();
  const { journal } = open.simulator;
  const events = eventsOf(open, '?view=summary');
  await nextOf(events);
  for (let at = 0; at < 1000; at += 1) journal.add(callEntry(at));
  let count = 0;
  let messages = 0;
  for await (const { data } of events) {
    count += (JSON.parse(data) as unknown[]).length;
    messages += 1;
    if (count === 1000) break;
  }
  expect(messages).toBeLessThan(10);
});

it('asks a client to list again where too many entries followed its last one', async () => {
  await using open = await startTestConsole();
  const { journal } = open.simulator;
  for (let at = 0; at < 10_001; at += 1) journal.add(callEntry(at));
  const events = eventsOf(open, '?view=summary', { 'last-event-id': '1' });
  expect((await nextOf(events)).event).toBe('reset');
  await events.return(undefined);
});

it('asks a client that reads slowly to list again, and keeps no entries for it', async () => {
  await using open = await startTestConsole();
  const { journal } = open.simulator;
  const events = eventsOf(open);
  expect((await nextOf(events)).event).toBe('ready');
  for (let at = 0; at < 1500; at += 1) journal.add(callEntry(at));
  expect((await nextOf(events)).event).toBe('reset');
  await events.return(undefined);
});
