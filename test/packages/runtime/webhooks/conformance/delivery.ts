import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { chargePath, example, once, text, type Rule } from './rule.ts';

/** What becomes of a delivery that is accepted. */
export const delivery: readonly Rule[] = [
  {
    name: 'the same delivery again is acknowledged and not handled again, whatever unsigned headers say',
    async run(bench) {
      await using running = await bench.start();
      const sent = { path: chargePath, body: text };
      const statuses: number[] = [];
      for (const id of ['1', '2', '3'])
        statuses.push((await running.send({ ...sent, headers: { 'x-request-id': id } })).status);
      expect([statuses, running.events.length]).toEqual([[200, 200, 200], 1]);
      expect(running.records.map(({ reason }) => reason)).toEqual([
        'handled',
        'duplicate',
        'duplicate',
      ]);
    },
  },
  {
    name: 'a delivery that failed is handled when it comes again',
    async run(bench) {
      let runs = 0;
      await using running = await bench.start({
        otherwise: {
          rest: () => {
            runs++;
            if (runs === 1) throw new Error('The account 99999999999 is not there.');
          },
        },
      });
      const first = await running.send({ path: chargePath, body: text });
      const second = await running.send({ path: chargePath, body: text });
      expect([first.status, second.status, runs]).toEqual([500, 200, 2]);
      expect(first.text).toBe('{"error":"handler-failed"}');
    },
  },
  {
    name: 'events of one delivery succeed or fail together',
    async run(bench) {
      const handled: string[] = [];
      let fails = true;
      await using running = await bench.start({
        otherwise: {
          rest: ({ data }: { data: { Pix: { txid: string } } }) => {
            handled.push(data.Pix.txid.slice(-2));
            if (handled.length === 2 && fails) throw new Error('no');
          },
        },
      });
      const body = JSON.stringify(example(bench, 'cashoutStageTwo', 'array-of-two'));
      expect((await running.send({ body })).status).toBe(500);
      fails = false;
      expect((await running.send({ body })).status).toBe(200);
      expect(handled).toEqual(['18', '19', '18', '19']);
    },
  },
  {
    name: 'a status that comes back is handled again, where nothing chooses to deduplicate',
    async run(bench) {
      await using running = await bench.start({ deliveryIdentity: undefined });
      const customer = example(bench, 'customer', 'done') as object;
      for (const status of ['PENDING', 'PROCESSING', 'PENDING'])
        await running.send({ body: JSON.stringify({ ...customer, status }) });
      expect(running.events.map(({ kind }) => kind)).toEqual(['customer', 'customer', 'customer']);
    },
  },
  {
    name: 'the two stages of a cash-out are not duplicates of each other',
    async run(bench) {
      await using running = await bench.start({ deliveryIdentity: 'status-of-subject' });
      const settled = example(bench, 'cashoutStageTwo', 'completed') as { Pix: object };
      const before = { ...settled.Pix, Status: 99, endToEndId: null, confirmedAt: null };
      for (const Pix of [settled.Pix, before, settled.Pix, before])
        await running.send({ body: JSON.stringify({ Pix }) });
      expect(running.events.map(({ kind }) => kind)).toEqual([
        'cashoutStageTwo',
        'cashoutStageOne',
      ]);
    },
  },
  {
    name: 'of two equal deliveries at a time, the second is answered with a time to retry',
    async run(bench) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const rest = (): Promise<void> => {
        started.resolve();
        return promise;
      };
      await using running = await bench.start({ otherwise: { rest } });
      const first = running.send({ path: chargePath, body: text });
      await started.promise;
      const second = await running.send({ path: chargePath, body: text });
      resolve();
      expect([second.status, second.headers['retry-after']]).toEqual([503, '5']);
      expect((await first).status).toBe(200);
    },
  },
  {
    name: 'a handler that hangs is not acknowledged, and its signal is aborted',
    async run(bench) {
      let isAborted = false;
      const rest = async (_event: unknown, { signal }: { signal: AbortSignal }): Promise<void> => {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
        isAborted = true;
      };
      const { status } = await once(
        bench,
        { path: chargePath, body: text },
        { otherwise: { rest }, handlerTimeoutMs: 50 },
      );
      expect(status).toBe(503);
      expect(await eventually(() => isAborted, true)).toBe(true);
    },
  },
  {
    name: 'the end of a handler that ran out of time is recorded later, and a failure is handled again',
    async run(bench) {
      const { promise, resolve } = Promise.withResolvers<void>();
      let runs = 0;
      const rest = async (): Promise<void> => {
        runs++;
        if (runs > 1) return;
        await promise;
        throw new Error('The directory went down.');
      };
      await using running = await bench.start({ otherwise: { rest }, handlerTimeoutMs: 50 });
      const sent = { path: chargePath, body: text };
      const first = await running.send(sent);
      const told = running.records.length;
      resolve();
      expect(await eventually(() => running.records.length, 2)).toBe(2);
      const again = await running.send(sent);
      expect([first.status, told, again.status, runs]).toEqual([503, 1, 200, 2]);
      expect(
        running.records.map(({ reason, late, status, kinds }) => [reason, late, status, kinds]),
      ).toEqual([
        ['out-of-time', undefined, 503, ['charge']],
        ['handler-failed', true, 503, ['charge']],
        ['handled', undefined, 200, ['charge']],
      ]);
      expect(running.records[1]?.id).toBe(running.records[0]?.id);
    },
  },
  {
    name: 'a replay store that fails is answered with 503',
    async run(bench) {
      const replayStore = {
        claim: () => Promise.reject(new Error('down')),
        confirm: () => undefined,
        release: () => undefined,
      };
      const { status, events } = await once(
        bench,
        { path: chargePath, body: text },
        { replayStore },
      );
      expect([status, events]).toEqual([503, []]);
    },
  },
  {
    name: 'an answer of a replay store that is none of the three words is answered with 503, and nothing is handled',
    async run(bench) {
      const answers = ['OK', null, true, undefined, 1, 'CLAIMED', {}];
      for (const answer of answers) {
        for (const claim of [() => answer, () => Promise.resolve(answer)]) {
          const replayStore = { claim, confirm: () => undefined, release: () => undefined };
          const { status, events, record } = await once(
            bench,
            { path: chargePath, body: text },
            { replayStore },
          );
          expect([answer, status, events, record?.reason]).toEqual([
            answer,
            503,
            [],
            'store-failed',
          ]);
          expect(record?.error).toMatchObject({ code: 'unknown-claim' });
        }
      }
    },
  },
  {
    name: 'a claim that does not come in time is answered with 503, never handled, and given back when it comes',
    async run(bench) {
      const { promise, resolve } = Promise.withResolvers<string>();
      const released: unknown[][] = [];
      const replayStore = {
        claim: () => promise,
        confirm: () => undefined,
        release: (...args: unknown[]) => void released.push(args),
      };
      await using running = await bench.start({ replayStore, storeTimeoutMs: 30 });
      const { status } = await running.send({ path: chargePath, body: text });
      expect([status, released]).toEqual([503, []]);
      resolve('claimed');
      expect(await eventually(() => released.length, 1)).toBe(1);
      expect(running.events).toEqual([]);
      expect(running.records.map(({ reason, detail }) => [reason, detail])).toEqual([
        ['store-failed', 'out-of-time'],
      ]);
      expect(released[0]?.[1]).toBe(running.records[0]?.id);
    },
  },
  {
    name: 'work that the replay store does not confirm, in time or at all, is acknowledged and reported',
    async run(bench) {
      for (const confirm of [
        () => new Promise(() => undefined),
        () => Promise.reject(new Error('The store went down.')),
        () => {
          throw new Error('The store went down.');
        },
      ]) {
        const replayStore = { claim: () => 'claimed', confirm, release: () => undefined };
        const { status, events, records } = await once(
          bench,
          { path: chargePath, body: text },
          { replayStore, storeTimeoutMs: 30 },
        );
        expect([status, events.length]).toEqual([200, 1]);
        expect(records.map(({ reason, detail }) => [reason, detail])).toEqual([
          ['handled', 'unconfirmed'],
        ]);
      }
    },
  },
  {
    name: 'a failure that the replay store does not release is answered as one, and reported',
    async run(bench) {
      const replayStore = {
        claim: () => 'claimed',
        confirm: () => undefined,
        release: () => new Promise(() => undefined),
      };
      const rest = (): never => {
        throw new Error('The directory went down.');
      };
      const { status, record } = await once(
        bench,
        { path: chargePath, body: text },
        { replayStore, storeTimeoutMs: 30, otherwise: { rest } },
      );
      expect([status, record?.reason, record?.detail]).toEqual([
        500,
        'handler-failed',
        'unreleased',
      ]);
      expect(String(record?.error)).toBe('Error: The directory went down.');
    },
  },
  {
    name: 'a delivery that outlived its lease does not end the claim of the next',
    async run(bench) {
      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let runs = 0;
      const rest = (): Promise<void> | undefined => gates[runs++]?.promise;
      let now = Date.now();
      const options = { otherwise: { rest }, leaseMs: 11_000, clock: () => now };
      await using running = await bench.start(options);
      const sent = { path: chargePath, body: text };
      const first = running.send(sent);
      await untilTrue(() => runs === 1);
      now += 12_000;
      const second = running.send(sent);
      await untilTrue(() => runs === 2);
      gates[0]?.reject(new Error('The first has failed.'));
      expect((await first).status).toBe(500);
      expect((await running.send(sent)).status).toBe(503);
      gates[1]?.resolve();
      expect((await second).status).toBe(200);
      expect((await running.send(sent)).status).toBe(200);
      expect([runs, running.records.at(-1)?.reason]).toEqual([2, 'duplicate']);
    },
  },
  {
    name: 'responses are what the options say',
    async run(bench) {
      const responses = { handled: { status: 202, body: 'OK' }, invalid: 200, 'wrong-method': 404 };
      const handled = await once(bench, { path: chargePath, body: text }, { responses });
      expect([handled.status, handled.text]).toEqual([202, 'OK']);
      expect((await once(bench, { path: chargePath, body: '{}' }, { responses })).status).toBe(200);
      expect((await once(bench, { method: 'GET' }, { responses })).status).toBe(404);
    },
  },
  {
    name: 'the answer to a wrong method names the right ones',
    async run(bench) {
      expect((await once(bench, { method: 'DELETE' })).headers['allow']).toBe('POST, PUT');
    },
  },
  {
    name: 'neither an answer nor a record shows anything of a delivery, or a secret',
    async run(bench) {
      const shown: string[] = [];
      const rest = (_event: unknown, context: unknown): void => void shown.push(inspect(context));
      for (const sent of [
        { body: text },
        { body: text.replace('"Status":1', '"Status":"99999999999"') },
        { body: text.replace('{"Pix"', '{"Pix":1,"Pix"') },
        { body: text, headers: { 'x-secret': 'wrong' } },
      ] as const) {
        const { records, text: answer } = await once(
          bench,
          { path: chargePath, ...sent },
          { otherwise: { rest } },
        );
        shown.push(answer, inspect(records, { depth: 10 }));
      }
      expect(shown).toHaveLength(9);
      expect(shown.join('\n')).not.toMatch(/99999999999|Example Payer|example-secret|key@example/);
    },
  },
];

async function untilTrue(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
