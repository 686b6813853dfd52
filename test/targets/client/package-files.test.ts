import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importModule } from '../../packages/client/generated-client.ts';
import { generateClient, readOpenapi } from './emit-client.ts';

test('the README explains what happens to an unknown event of a stream', async () => {
  const data = { type: 'object', required: ['type'], properties: { type: { enum: ['known'] } } };
  const content = { 'text/event-stream': { schema: data } };
  await using generated = await generateClient(
    await readOpenapi({
      openapi: '3.1.1',
      info: { title: 'Stream', version: '1.0.0' },
      servers: [{ url: 'https://stream.example' }],
      paths: {
        '/events': {
          get: { operationId: 'watch', responses: { 200: { description: 'Events.', content } } },
        },
      },
    }),
  );
  const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
  expect(readme).toContain('start with `report`: the call has been executed');
  expect(readme).toContain('An event that the contract does not know ends a stream with `throw`');

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
