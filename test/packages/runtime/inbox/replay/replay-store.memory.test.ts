import { createMemoryReplayStore } from '../../../../../packages/runtime/webhooks/receiver.ts';
import { testReplayStore } from './replay-conformance.ts';

testReplayStore('memory', async ({ timeToLiveMs }) => {
  let now = Date.now();
  const store = createMemoryReplayStore({ timeToLiveMs, clock: () => now });
  return await Promise.resolve({
    open: () => store,
    advance: async (milliseconds) => {
      now += milliseconds;
      await Promise.resolve();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});
