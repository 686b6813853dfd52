import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { BodyBytes } from '../../../packages/webhooks/src/body-bytes.ts';
import { readRequest } from '../../../packages/webhooks/src/fetch.ts';
import { readBody } from '../../../packages/webhooks/src/node-body.ts';

const waiting = { isOver: false, whenOver: (): void => undefined };

/** Yields chunks of one byte. All after the first are the same object, so that a reader that keeps them loses bytes. */
function* oneByteChunks(count: number): Generator<Uint8Array<ArrayBuffer>> {
  yield Uint8Array.of(0);
  const chunk = Buffer.from(new ArrayBuffer(1));
  for (let index = 1; index < count; index++) {
    chunk[0] = index % 251;
    yield chunk;
  }
}

function expectedBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => index % 251);
}

/** A body that is read with each of the functions that adapters use. */
const readers = {
  'of a Node request': async (chunks: Iterable<Uint8Array<ArrayBuffer>>, limit: number) => {
    const request = new PassThrough();
    const reading = readBody(request, limit, waiting, 'fix');
    for (const chunk of chunks) request.emit('data', chunk);
    request.emit('end');
    return await reading;
  },
  'of a fetch request': async (chunks: Iterable<Uint8Array<ArrayBuffer>>, limit: number) => {
    const left = chunks[Symbol.iterator]();
    const body = new ReadableStream(
      {
        pull(controller) {
          const { done, value } = left.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: 'POST', body, duplex: 'half' };
    return await readRequest(new Request('http://127.0.0.1/', init), limit, waiting);
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(readers))('a body %s', (_, read) => {
  test('in chunks of one byte is read without keeping the chunks', async () => {
    expect(await read(oneByteChunks(10_000), 10_000)).toEqual(expectedBytes(10_000));
  });

  test('of one chunk is not copied', async () => {
    const chunk = Buffer.from('{}');
    const bytes = await read([chunk], 10);
    expect(bytes.buffer).toBe(chunk.buffer);
  });

  test('stops at the limit', async () => {
    await expect(read(oneByteChunks(6), 5)).rejects.toMatchObject({ code: 'too-large' });
    expect(await read(oneByteChunks(5), 5)).toHaveLength(5);
    expect(await read([], 5)).toHaveLength(0);
  });
});

test.each([
  [100, 8],
  [10_000, 50_000],
  [200_000, 1_048_576],
])('%i bytes in chunks are copied and allocated in proportion', (count, limit) => {
  let copied = 0;
  const set = Uint8Array.prototype.set;
  vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, from, at) {
    copied += from.length;
    set.call(this, from, at);
  });
  const body = new BodyBytes(Math.max(limit, count));
  for (const chunk of oneByteChunks(count)) body.add(chunk);
  const bytes = body.take();
  expect(bytes).toHaveLength(count);
  expect(bytes.buffer.byteLength).toBe(count);
  expect(copied).toBeLessThanOrEqual(3 * count);
});
