import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importModule } from '../../packages/runtime/client/generated-client.ts';
import { type GeneratedClient, generateClient, readOpenapi } from './emit-client.ts';

/** A service with a stream of events, and a call that moves money. */
async function generateStream(info: object): Promise<GeneratedClient> {
  const data = { type: 'object', required: ['type'], properties: { type: { enum: ['known'] } } };
  const content = { 'text/event-stream': { schema: data } };
  const paid = {
    'application/json': { schema: { type: 'object', properties: { state: { enum: ['paid'] } } } },
  };
  return await generateClient(
    await readOpenapi({
      openapi: '3.1.1',
      info: { title: 'Stream', version: '1.0.0', ...info },
      servers: [{ url: 'https://stream.example' }],
      paths: {
        '/events': {
          get: { operationId: 'watch', responses: { 200: { description: 'Events.', content } } },
        },
        '/payments': {
          post: { operationId: 'pay', responses: { 200: { description: 'Paid.', content: paid } } },
        },
      },
    }),
  );
}

test.each([
  [{ 'x-countersign': 1 }, 'With `throw`, an unknown event ends a stream'],
  [{}, 'An unknown event is returned too'],
])('the README explains what happens to an unknown event of a stream: %j', async (info, says) => {
  await using generated = await generateStream(info);
  const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
  expect(readme).toContain('the call has been executed');
  expect(readme).toContain(says);

  const { createClient } = await importModule(generated.client);
  const read = async (invalidResponse: string): Promise<readonly unknown[]> => {
    const events = ['known', 'unknown', 'known'].map((type) => `data: {"type":"${type}"}\n\n`);
    const client = createClient({
      invalidResponse,
      onEvent: () => undefined,
      fetch: async () =>
        new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } }),
    });
    const seen: unknown[] = [];
    const answer = await client['watch']?.();
    const received = (answer?.body ?? []) as AsyncIterable<{ readonly data: unknown }>;
    try {
      for await (const event of received) seen.push(event.data);
    } catch (error) {
      seen.push((error as { readonly code?: string }).code);
    }
    return seen;
  };
  expect(await read('throw')).toEqual([{ type: 'known' }, 'invalid-response']);
  expect(await read('report')).toEqual([{ type: 'known' }, { type: 'unknown' }, { type: 'known' }]);
});

test.each([
  ['is an error for a contract with the vocabulary', { 'x-countersign': 1 }, 'throw'],
  ['is returned and reported for any other contract', {}, 'report'],
])('a response that violates its schema %s', async (_, info, expected) => {
  await using generated = await generateStream(info);
  const { createClient } = await importModule(generated.client);
  const call = async (options: object): Promise<readonly unknown[]> => {
    const events: string[] = [];
    const client = createClient({
      onEvent: ({ type }: { readonly type: string }) => events.push(type),
      fetch: async () => Response.json({ state: 'held' }),
      ...options,
    });
    const [body] = await Promise.allSettled([client['pay']?.()]);
    return body.status === 'fulfilled' && events.includes('invalid-response')
      ? ['report', body.value?.body]
      : ['throw'];
  };
  expect(await call({})).toEqual(expected === 'throw' ? ['throw'] : ['report', { state: 'held' }]);
  expect(await call({ invalidResponse: 'throw' })).toEqual(['throw']);
  expect(await call({ invalidResponse: 'report' })).toEqual(['report', { state: 'held' }]);
});
