import { expect, it } from 'vitest';
import { ByteBuffer } from '../../../packages/simulator/src/byte-buffer.ts';

it.each([0, 1, 4095, 4096, 4097, 100_000])(
  'collects %i single bytes in room of that order',
  (size) => {
    const buffer = new ByteBuffer();
    const chunk = new Uint8Array(1);
    const expected = new Uint8Array(size);
    for (let index = 0; index < size; index += 1) {
      chunk[0] = index % 251;
      expected[index] = index % 251;
      buffer.add(chunk);
    }
    expect(buffer.bytes()).toEqual(expected);
    expect(buffer.size).toBe(size);
    expect(buffer.bytes().buffer.byteLength).toBeLessThanOrEqual(2 * size);
  },
);

it('returns no more than a limit', () => {
  const buffer = new ByteBuffer();
  buffer.add(Uint8Array.of(1, 2, 3));
  expect(buffer.bytes(2)).toEqual(Uint8Array.of(1, 2));
  expect(buffer.bytes(9)).toEqual(Uint8Array.of(1, 2, 3));
});
