import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { concurrently } from '../../generator/execution/concurrently.ts';

const items = Array.from({ length: 100 }, (_, index) => index);

describe('tasks that run a few at a time', () => {
  it('answer in the order of their items, and never run all at once', async () => {
    let running = 0;
    let most = 0;
    const results = await concurrently(
      items,
      async (item) => {
        running += 1;
        most = Math.max(most, running);
        await delay((item % 3) + 1);
        running -= 1;
        return item * 2;
      },
      16,
    );
    expect(results).toEqual(items.map((item) => item * 2));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(items.length);
  });

  it('are no more at a time than their caller says', async () => {
    let running = 0;
    let most = 0;
    await concurrently(
      items,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await delay(1);
        running -= 1;
      },
      2,
    );
    expect(most).toBe(2);
  });

  it('end before an error of one of them is told, and none begins after it', async () => {
    let begun = 0;
    let running = 0;
    const run = concurrently(
      items,
      async (item) => {
        begun += 1;
        running += 1;
        await delay(item === 3 ? 1 : 10);
        running -= 1;
        if (item === 3) throw new RangeError('three');
      },
      16,
    );
    await expect(run).rejects.toThrow('three');
    expect(running).toBe(0);
    expect(begun).toBeLessThan(items.length);
  });
});
