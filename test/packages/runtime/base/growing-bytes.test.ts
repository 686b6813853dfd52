import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readRequest } from '../../../../packages/runtime/webhooks/fetch.ts';
import { GrowingBytes } from '../../../../packages/runtime/base/index.ts';
import { readBody } from '../../../../packages/runtime/webhooks/node.ts';

const waiting = { isOver: false, whenOver: (): void => undefined };

/** Yields chunks of one byte. All are the same object, so that a reader that keeps them loses bytes. */
function* oneByteChunks(count: number): Generator<Uint8Array<ArrayBuffer>> {
  const chunk = Buffer.from(new ArrayBuffer(1));
  for (let index = 0; index < count; index++) {
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
    return await readRequest(new Request('http://127.0.0.1/', init), () => [], limit, waiting);
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(readers))('a body %s', (_, read) => {
  test('in chunks of one byte is read without keeping the chunks', async () => {
    expect(await read(oneByteChunks(10_000), 10_000)).toEqual(expectedBytes(10_000));
  });

  test('of one chunk is copied once, without the block of memory that it is a part of', async () => {
    const set = vi.spyOn(Uint8Array.prototype, 'set');
    const bytes = await read([Buffer.from(new ArrayBuffer(65_536), 8, 2)], 10);
    expect(bytes.buffer.byteLength).toBe(2);
    expect(set.mock.calls.reduce((copied, [from]) => copied + from.length, 0)).toBe(2);
  });

  test('stops at the limit', async () => {
    await expect(read(oneByteChunks(6), 5)).rejects.toMatchObject({ code: 'too-large' });
    expect(await read(oneByteChunks(5), 5)).toHaveLength(5);
    expect(await read([], 5)).toHaveLength(0);
  });
});

test.each([0, 1, 100, 4096, 4097, 200_000])(
  '%i single bytes take memory in proportion',
  (count) => {
    let copied = 0;
    const set = Uint8Array.prototype.set;
    vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, from, at) {
      copied += from.length;
      set.call(this, from, at);
    });
    const body = new GrowingBytes();
    for (const chunk of oneByteChunks(count)) body.add(chunk);
    expect(body.length).toBe(count);
    const bytes = body.take();
    expect(bytes).toEqual(expectedBytes(count));
    expect(bytes.buffer.byteLength).toBe(count);
    expect(copied).toBeLessThanOrEqual(3 * count);
    expect([body.length, body.take()]).toEqual([0, new Uint8Array(0)]);
  },
);
