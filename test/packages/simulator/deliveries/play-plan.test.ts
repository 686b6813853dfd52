import { expect, test } from 'vitest';
import type { LiveDelivery } from '../../../../packages/simulator/src/deliveries/delivery-store.ts';
import { playPlan } from '../../../../packages/simulator/src/deliveries/play-plan.ts';
import type { PlannedDelivery } from '../../../../packages/simulator/src/simulator.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';

const never = new Promise<void>(() => undefined);

function planned(id: string, offsetMs: number): PlannedDelivery {
  return {
    id,
    kind: 'parcelLost',
    offsetMs,
    faults: [],
    isValid: true,
    path: '/',
    body: '{}',
  };
}

test('a slow receiver delays the deliveries of its own time only, and none is left out', async () => {
  const clock = createClock(true);
  const order: string[] = [];
  const slow = Promise.withResolvers<void>();
  const plan = [planned('a', 0), planned('b', 0), planned('c', 0), planned('d', 20)];
  const played = playPlan(clock, plan, never, ({ id, kind }) => {
    order.push(id);
    const delivery: LiveDelivery = { id, kind, attempts: [], state: 'pending' };
    const started = (id === 'a' ? slow.promise : Promise.resolve()).then(() => {
      delivery.state = 'acknowledged';
    });
    return { job: { delivery, done: started }, started };
  });
  // A single call would wait for the slow receiver before it moves the clock on.
  const moved = [clock.advance(20), clock.advance(0)];
  await expect.poll(() => order).toEqual(['a', 'd']);
  slow.resolve();
  await Promise.all(moved);
  expect((await played).map(({ id, state }) => `${id} ${state}`)).toEqual([
    'a acknowledged',
    'b acknowledged',
    'c acknowledged',
    'd acknowledged',
  ]);
  expect(order).toEqual(['a', 'd', 'b', 'c']);
});

test('a delivery that cannot be started rejects the whole plan', async () => {
  const clock = createClock(true);
  const played = playPlan(clock, [planned('a', 0), planned('b', 20)], never, () => {
    throw new Error('The plan is of another contract.');
  });
  const rejected = expect(played).rejects.toThrow('another contract');
  await clock.advance(20);
  await rejected;
});

test('what was not sent when the simulator was closed has failed', async () => {
  const clock = createClock(true);
  const closed = Promise.resolve();
  const played = await playPlan(clock, [planned('a', 20)], closed, () => {
    throw new Error('The clock has not reached this delivery.');
  });
  expect(played).toEqual([{ id: 'a', kind: 'parcelLost', attempts: [], state: 'failed' }]);
});
