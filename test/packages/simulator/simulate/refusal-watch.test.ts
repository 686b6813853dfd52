import type { DeliveryEntry } from '@countersign/simulator';
import { expect, it } from 'vitest';
import { createRefusalWatch } from '../../../../packages/simulator/src/simulate/refusal-watch.ts';

const entry = (members: Partial<DeliveryEntry>): DeliveryEntry => ({
  id: 1,
  type: 'delivery',
  at: 0,
  delivery: 'd',
  attempt: 1,
  kind: 'k',
  faults: [],
  request: {
    method: 'POST',
    url: 'http://127.0.0.1/',
    headers: [],
    body: { encoding: 'utf-8', text: '', size: 0 },
  },
  durationMs: 1,
  isAcknowledged: false,
  violations: [],
  ...members,
});

const answered = (status: number, more: Partial<DeliveryEntry> = {}): DeliveryEntry =>
  entry({
    response: { status, headers: [], body: { encoding: 'utf-8', text: '', size: 0 } },
    ...more,
  });

it('reports once that all first attempts were refused', () => {
  const watch = createRefusalWatch(3);
  expect(watch(answered(401, { nextAttemptInMs: 5 }))).toEqual({ isHopeless: false });
  expect(watch(entry({ error: 'timeout', nextAttemptInMs: 5 }))).toEqual({ isHopeless: false });
  expect(watch(answered(401, { nextAttemptInMs: 5 }))).toEqual({
    report:
      'The first 3 deliveries were all refused: status 401 × 2, timeout × 1. Check that the receiver has the key or secret that this command signs with.',
    isHopeless: false,
  });
  expect(watch(answered(401, { attempt: 2, nextAttemptInMs: 5 }))).toEqual({ isHopeless: false });
});

it('gives up when ten deliveries have failed for good', () => {
  const watch = createRefusalWatch(1000);
  for (let count = 1; count <= 10; count += 1)
    expect(watch(answered(500)).isHopeless).toBe(count === 10);
});

it('continues where one was acknowledged, and where faults explain refusals', () => {
  const watch = createRefusalWatch(2);
  for (let count = 0; count < 20; count += 1)
    expect(watch(answered(401, { faults: ['wrong-signature'] }))).toEqual({ isHopeless: false });
  watch(answered(204, { isAcknowledged: true }));
  for (let count = 0; count < 20; count += 1)
    expect(watch(answered(500))).toEqual({ isHopeless: false });
});
