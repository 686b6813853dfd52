import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { toExportedHandler } from '../../../../packages/runtime/adapters/cloudflare.ts';
import { createReceiver, unauthenticated } from '../../../../packages/runtime/webhooks/receiver.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';
import { twoKinds } from '../webhooks/two-kinds.ts';

function contextOf(): {
  readonly work: Promise<unknown>[];
  waitUntil(work: Promise<unknown>): void;
} {
  const work: Promise<unknown>[] = [];
  return { work, waitUntil: (promise) => void work.push(promise) };
}

const post = (): Request => new Request('https://example.com/', { method: 'POST', body: '{}' });

test('the receiver of an environment is made once, from what is in it, and needs no `this`', async () => {
  const made: string[] = [];
  const receivers = new Map([
    ['a', createBareReceiver()],
    ['b', createBareReceiver({ responses: { unidentified: 202 } })],
  ]);
  const { fetch } = toExportedHandler(({ name }: { readonly name: string }) => {
    made.push(name);
    return receivers.get(name)?.receive ?? createBareReceiver().receive;
  });
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const statuses: number[] = [];
  for (const env of [a, b, a, b]) statuses.push((await fetch(post(), env, contextOf())).status);
  expect([statuses, made]).toEqual([
    [200, 202, 200, 202],
    ['a', 'b'],
  ]);
});

test('a receiver that cannot be made fails the request, and is made anew for the next', async () => {
  let runs = 0;
  const worker = toExportedHandler(() => {
    runs++;
    if (runs === 1) throw new Error('There is no secret.');
    return createBareReceiver().receive;
  });
  const env = {};
  await expect(worker.fetch(post(), env, contextOf())).rejects.toThrow('There is no secret.');
  expect((await worker.fetch(post(), env, contextOf())).status).toBe(200);
});

test('a sender that hangs up does not end the work', async () => {
  const { receive, bodies } = createBareReceiver();
  const context = contextOf();
  const answer = toExportedHandler(() => receive).fetch(post(), {}, context);
  expect(context.work).toHaveLength(1);
  await Promise.all([answer, ...context.work]);
  expect(bodies).toEqual(['{}']);
});

test.each([
  ['a handler', '/created', '{"id":1}'],
  ['`otherwise`', '/', '{}'],
  ['`onInvalid`', '/created', '{}'],
])(
  'work of %s that outlives its time is handed over, until it ends, even if it fails',
  async (_name, path, body) => {
    const { promise, reject } = Promise.withResolvers<void>();
    const hang = (): Promise<void> => promise;
    const receive = createReceiver(twoKinds, {
      authenticate: unauthenticated(),
      on: {},
      otherwise: { rest: hang },
      onInvalid: hang,
      handlerTimeoutMs: 20,
    });
    const context = contextOf();
    const request = new Request(`https://example.com${path}`, { method: 'POST', body });
    const { status } = await toExportedHandler(() => receive).fetch(request, {}, context);
    expect(status).toBe(503);
    expect(context.work).toHaveLength(2);
    let isOver = false;
    const over = Promise.all(context.work).then(() => {
      isOver = true;
    });
    await sleep(20);
    expect(isOver).toBe(false);
    reject(new Error('too late'));
    await over;
    expect(isOver).toBe(true);
  },
);

test('a Worker has nothing of Node in it', async () => {
  const { outputFiles } = await build({
    entryPoints: ['packages/runtime/adapters/cloudflare.ts', 'packages/runtime/adapters/nextjs.ts'],
    outdir: 'out',
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'countersign-source'],
  });
  expect(outputFiles).toHaveLength(2);
  for (const { text } of outputFiles)
    expect(/node:|\brequire\(|\bBuffer\b/u.exec(text)?.[0]).toBeUndefined();
});
