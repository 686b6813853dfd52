import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TaskQueue } from '../../generator/execution/task-queue.ts';

describe('a task queue', () => {
  it.each([1, 2, 16])(
    'runs at most %i tasks at a time, in the order of their addition',
    async (width) => {
      const queue = new TaskQueue(width);
      const started: number[] = [];
      let running = 0;
      let most = 0;
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          queue.run(async () => {
            started.push(index);
            running += 1;
            most = Math.max(most, running);
            await delay(index % 3);
            running -= 1;
            return index * 2;
          }),
        ),
      );
      expect(most).toBe(width);
      expect(started).toEqual(started.toSorted((a, b) => a - b));
      expect(results).toEqual(started.map((index) => index * 2));
    },
  );

  it('runs the next task after one that fails', async () => {
    const queue = new TaskQueue(1);
    const failed = queue.run(async () => await Promise.reject(new RangeError('first')));
    const next = queue.run(async () => await Promise.resolve('second'));
    await expect(failed).rejects.toThrow('first');
    await expect(next).resolves.toBe('second');
  });

  it('keeps its width after tasks that were added while it was idle', async () => {
    const queue = new TaskQueue(1);
    for (const value of [1, 2, 3]) {
      expect(await queue.run(async () => await Promise.resolve(value))).toBe(value);
    }
  });
});
