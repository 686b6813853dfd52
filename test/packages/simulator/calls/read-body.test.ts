import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { readBody } from '../../../../packages/simulator/src/calls/read-body.ts';

it('copies chunks, so that a body in single bytes takes no more memory than another', async () => {
  const request = Object.assign(new EventEmitter(), { pause: () => undefined });
  const read = readBody(request as unknown as IncomingMessage);
  // The same chunk again and again: one that was kept would have the last value everywhere.
  const chunk = Buffer.alloc(1);
  for (const byte of Buffer.from('{"a":1}')) {
    chunk[0] = byte;
    request.emit('data', chunk);
  }
  request.emit('end');
  const { kind, bytes } = await read;
  expect([kind, Buffer.from(bytes).toString()]).toEqual(['read', '{"a":1}']);
});
