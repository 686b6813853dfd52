import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Json } from '../../../../../generator/json/json.ts';
import type { Running, Seen, Workbench } from '../workbench.ts';
import { amount, chargePath, example, once, text, type Rule } from './rule.ts';

type Invalid = Running['invalid'][number];

const path = '/v2/apm/pix/cashout';

/** The body of three cash-outs; the second has no status. */
function threeCashouts(bench: Workbench): string {
  const { pix } = example(bench, 'cashoutStageTwo', 'array') as { pix: Record<string, Json>[] };
  const [first = {}] = pix;
  const { status: _, ...broken } = first;
  return JSON.stringify({
    pix: [
      { ...first, txid: 'T0' },
      { ...broken, txid: 'T1' },
      { ...first, txid: 'T2' },
    ],
  });
}

function txidOf({ data }: Pick<Seen, 'data'>): string {
  return (data as { Pix: { txid: string } }).Pix.txid;
}

/** Results of `onInvalid`, with the status that they lead to. */
const answers: readonly (readonly [string, () => unknown, number])[] = [
  ['nothing', () => undefined, 422],
  ['true', () => true, 422],
  ['another text', () => 'Accept', 422],
  ['an object with the text', () => Object('accept'), 422],
  ['a promise of nothing', async () => await sleep(1), 422],
  ['accept', () => 'accept', 200],
  ['a promise of accept', async () => await sleep(1, 'accept'), 200],
  ['dispatch-valid', () => 'dispatch-valid', 200],
  ['a promise of dispatch-valid', async () => await sleep(1, 'dispatch-valid'), 200],
  ['an error', () => Promise.reject(new Error('The disk is full.')), 500],
  ['accept after its time', async () => await sleep(150, 'accept'), 503],
  ['dispatch-valid after its time', async () => await sleep(150, 'dispatch-valid'), 503],
];

/** What becomes of an authentic delivery that violates the contract. */
export const unconforming: readonly Rule[] = [
  {
    name: 'onInvalid gets text, value, violations by element, and the valid events, before any claim',
    async run(bench) {
      const body = threeCashouts(bench);
      const { status, events, invalid } = await once(bench, { path, body });
      expect([status, events, invalid.length]).toEqual([422, [], 1]);
      const [told] = invalid as [Invalid];
      expect(told).toMatchObject({ reason: 'schema', text: body, data: JSON.parse(body) });
      expect(told.violations.length).toBeGreaterThan(0);
      for (const { index, pointer } of told.violations)
        expect([index, pointer.startsWith('/pix/1')]).toEqual([1, true]);
      expect(told.events.map(({ index, event }) => [index, event.form, txidOf(event)])).toEqual([
        [0, 'array', 'T0'],
        [2, 'array', 'T2'],
      ]);
    },
  },
  ...answers.map(([what, answer, expected]): Rule => ({
    name: `where onInvalid returns ${what}, the answer is ${expected}`,
    async run(bench) {
      const calls: string[] = [];
      const seen: unknown[] = [];
      await using running = await bench.start({
        deliveryIdentity: 'same-content',
        handlerTimeoutMs: 100,
        replayStore: {
          claim: () => (calls.push('claim'), 'claimed'),
          confirm: () => calls.push('confirm'),
          release: () => calls.push('release'),
        },
        otherwise: {
          rest: (event: Seen, { index, count }: { index: number; count: number }) => {
            calls.push('handle');
            seen.push([index, count, txidOf(event)]);
          },
        },
        onInvalid: () => {
          calls.push('onInvalid');
          return answer();
        },
      });
      const { status } = await running.send({ path, body: threeCashouts(bench) });
      await sleep(expected === 503 ? 100 : 0);
      const dispatches = expected === 200 && what.includes('dispatch-valid');
      expect([status, calls, seen]).toEqual(
        dispatches
          ? [
              200,
              ['onInvalid', 'claim', 'claim', 'handle', 'handle', 'confirm', 'confirm'],
              [
                [0, 3, 'T0'],
                [2, 3, 'T2'],
              ],
            ]
          : [expected, ['onInvalid'], []],
      );
      expect(running.records[0]?.reason).toBe(
        { 200: 'accepted', 422: 'invalid', 500: 'handler-failed', 503: 'out-of-time' }[expected],
      );
    },
  })),
  {
    name: 'valid events beside invalid ones are handled once, and again after a failure',
    async run(bench) {
      let runs = 0;
      await using running = await bench.start({
        deliveryIdentity: 'same-content',
        onInvalid: () => 'dispatch-valid',
        otherwise: {
          rest: () => {
            runs++;
            if (runs === 2) throw new Error('The directory is down.');
          },
        },
      });
      const statuses: number[] = [];
      for (let times = 0; times < 3; times++)
        statuses.push((await running.send({ path, body: threeCashouts(bench) })).status);
      expect([statuses, runs]).toEqual([[500, 200, 200], 4]);
    },
  },
  {
    name: 'a number that no double holds reaches onInvalid with its exact text',
    async run(bench) {
      for (const [literal, numbers] of [
        ['9007199254740993', 'refuse'],
        ['0.12345678901234567890', 'refuse'],
        ['1e400', 'refuse'],
        ['1e400', 'text'],
      ] as const) {
        const body = amount(`[19.99,${literal}]`);
        const { status, events, invalid } = await once(
          bench,
          { path: chargePath, body },
          { numbers },
        );
        expect([status, events]).toEqual([422, []]);
        expect(invalid).toMatchObject([
          {
            reason: 'number',
            kinds: ['charge'],
            violations: [{ pointer: '/Pix/extra/1', keyword: 'number' }],
            text: body,
            data: { Pix: { extra: [19.99, literal] } },
          },
        ]);
      }
    },
  },
  {
    name: 'of an array with a number that no double holds, the other elements are valid',
    async run(bench) {
      const { pix } = example(bench, 'cashoutStageTwo', 'array') as { pix: [Json] };
      const body = JSON.stringify({ pix: [pix[0], 'E', pix[0]] }).replace(
        '"E"',
        JSON.stringify(pix[0]).replace('{', '{"extra":9007199254740993,'),
      );
      const { invalid } = await once(bench, { path, body });
      expect(invalid[0]?.violations.map(({ index, pointer }) => [index, pointer])).toEqual([
        [1, '/pix/1/extra'],
      ]);
      expect(invalid[0]?.events.map(({ index }) => index)).toEqual([0, 2]);
    },
  },
  ...(
    [
      ['body', 400, { body: text.replace('"Status":1', '"Status":1,"Status":2') }, undefined],
      ['body', 400, { body: text.replace('"Status":1', '"Status":1,"__proto__":{}') }, undefined],
      ['body', 400, { body: `${'['.repeat(65)}${']'.repeat(65)}` }, undefined],
      ['path', 404, { path: `/hook//${chargePath}` }, JSON.parse(text) as unknown],
    ] as const
  ).map(([reason, expected, sent, data]): Rule => ({
    name: `JSON that is refused for its ${reason} reaches onInvalid: ${JSON.stringify(sent).slice(0, 160)}`,
    async run(bench) {
      const delivery = { path: chargePath, body: text, ...sent };
      const { status, invalid, events } = await once(bench, delivery);
      expect([status, events, invalid.length]).toEqual([expected, [], 1]);
      expect(invalid[0]).toMatchObject({ reason, text: delivery.body, events: [] });
      expect(invalid[0]?.data).toEqual(data);
      const accepted = await once(bench, delivery, { onInvalid: () => 'accept' });
      expect(accepted.status).toBe(200);
    },
  })),
];
