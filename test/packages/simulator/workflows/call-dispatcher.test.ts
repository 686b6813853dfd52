import { expect, it } from 'vitest';
import type { AnsweredCall } from '../../../../packages/simulator/src/calls/call-server.ts';
import { createCallDispatcher } from '../../../../packages/simulator/src/workflows/call-dispatcher.ts';

function createWorld(isNeeded: (operation: string) => boolean) {
  let listener: (call: AnsweredCall) => void = () => undefined;
  const dispatcher = createCallDispatcher(
    {
      onCall(added) {
        listener = added;
        return () => undefined;
      },
    },
    isNeeded,
  );
  let id = 0;
  const call = (operation: string, size = 10): void => {
    const body = { encoding: 'utf-8', text: '', size } as const;
    const url = `http://127.0.0.1/${operation}`;
    id += 1;
    listener({
      call: {
        operation,
        method: 'POST',
        url,
        parameters: { path: {}, query: {}, header: {}, cookie: {} },
        body: id,
      },
      entry: {
        id,
        type: 'call',
        at: 0,
        request: { method: 'POST', url, headers: [], body },
        durationMs: 1,
        faults: [],
        steps: [],
      },
      responseBody: undefined,
    });
  };
  /** Takes all kept calls, and returns their bodies. */
  const takeAll = (): readonly unknown[] => {
    const taken: unknown[] = [];
    for (let before = -1; before < taken.length;) {
      before = taken.length;
      dispatcher.expect({
        operations: ['ask', 'other'],
        since: 0,
        match: () => ({ matched: 0 }),
        accept: (answeredCall) => void taken.push(answeredCall.call.body),
        refuse: () => undefined,
      })();
    }
    return taken;
  };
  return { dispatcher, call, takeAll };
}

it('keeps only calls that a run needs', () => {
  let isRunning = false;
  const { dispatcher, call, takeAll } = createWorld(
    (operation) => isRunning && operation === 'ask',
  );
  call('ask');
  isRunning = true;
  call('ask');
  call('other');
  expect(takeAll()).toEqual([2]);
  call('ask');
  isRunning = false;
  dispatcher.release();
  expect(takeAll()).toEqual([]);
});

it('keeps the newest calls, bounded by the size of their bodies and by their number', () => {
  const megabyte = 1024 * 1024;
  const { call, takeAll } = createWorld(() => true);
  for (let count = 0; count < 100; count += 1) call('ask', 5 * megabyte);
  expect(takeAll()).toEqual([98, 99, 100]);
  call('ask', 100 * megabyte);
  expect(takeAll()).toEqual([101]);
  for (let count = 0; count < 1100; count += 1) call('ask', 0);
  expect(takeAll()).toHaveLength(1000);
});
