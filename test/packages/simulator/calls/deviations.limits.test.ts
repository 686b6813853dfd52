import type { createHmac as CreateHmac, Hmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  explainSignature,
  maximumAttempts,
} from '../../../../packages/simulator/src/calls/deviations.ts';

const counts = vi.hoisted(() => ({ hmacs: 0 }));

vi.mock(import('node:crypto'), async (importOriginal) => {
  const original = await importOriginal();
  const count = (...parameters: Parameters<typeof CreateHmac>): Hmac => {
    counts.hmacs += 1;
    return original.createHmac(...parameters);
  };
  return { ...original, createHmac: count, default: { ...original, createHmac: count } };
});

test.each([
  ['a small body', 10, 40],
  ['a body of 8 MiB', 8 * 1024 * 1024, 1],
])('tries a limited number of HMACs for %s', (_, size, least) => {
  counts.hmacs = 0;
  const part = (expression: string, text: string) => ({
    expression,
    isText: false,
    bytes: Buffer.from(text),
  });
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  const parts = [
    ...names.map((name) => part(`$request.header.${name}`, name)),
    part('$request.body', 'x'.repeat(size)),
  ];
  const call = {
    method: 'POST',
    url: 'http://x/',
    path: '/',
    query: '',
    headers: () => [],
    rawHeaders: [],
    body: Buffer.alloc(size),
    secrets: new Set<string>(),
  };
  const explanation = explainSignature(
    {
      scheme: {
        algorithm: 'hmac-sha256',
        key: { encoding: 'utf-8' },
        over: ['$request.body'],
        encoding: 'hex',
        header: 'x',
        value: '{signature}',
      },
      key: 'key',
      call,
      parts,
      instant: undefined,
      timestamp: undefined,
    },
    ['00'],
    '00',
    [],
  );
  expect(explanation).toEqual({ isExpected: false, differsAt: expect.any(Number), deviations: [] });
  expect(counts.hmacs).toBeGreaterThanOrEqual(least);
  expect(counts.hmacs).toBeLessThanOrEqual(size > 1000 ? 4 : maximumAttempts);
});
