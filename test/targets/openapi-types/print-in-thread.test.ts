import { expect, it } from 'vitest';
import { printInThread } from '../../../generator/targets/openapi-types/print-in-thread.ts';

const document = (version: string, title: string): string =>
  JSON.stringify({
    openapi: version,
    info: { title, version: '1' },
    paths: {},
    components: { schemas: { [title]: { type: 'string' } } },
  });

it('prints several documents at once, and rejects one that the library refuses', async () => {
  const results = await Promise.allSettled([
    printInThread(document('3.1.1', 'First')),
    printInThread(document('2.0', 'Second')),
    printInThread(document('3.0.3', 'Third')),
  ]);
  expect(results).toMatchObject([
    { status: 'fulfilled', value: expect.stringContaining('First: string') },
    { status: 'rejected', reason: { message: expect.stringContaining('version') } },
    { status: 'fulfilled', value: expect.stringContaining('Third: string') },
  ]);
});
