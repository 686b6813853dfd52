import { expect } from 'vitest';
import type { Json } from '../../../../../generator/json/json.ts';
import { amount, charge, chargePath, example, once, text, type Rule } from './rule.ts';
const { payer: _, ...withoutPayer } = charge.Pix;

/** Bodies of another kind than their label says. */
export const invalid: readonly Rule[] = [
  ['a cash-out at the label of charges', chargePath, 'cashoutStageTwo', 'completed', 'other-kind'],
  [
    'an array of cash-outs at the label of charges',
    chargePath,
    'cashoutStageTwo',
    'array',
    'schema',
  ],
  ['a customer at the label of cash-outs', '/v2/apm/pix/cashout', 'customer', 'done', 'other-kind'],
  [
    'a due-date charge at the label of reversals',
    '/v1/apm/pix/E1/reverse/T1',
    'dueDateCharge',
    'with-payer',
    'other-kind',
  ],
].map(([what = '', path, kind = '', name = '', reason]) => ({
  name: `${what} is refused with 422, and told to onInvalid`,
  async run(bench) {
    const body = JSON.stringify(example(bench, kind, name));
    const result = await once(bench, { ...(path === undefined ? {} : { path }), body });
    expect([
      result.status,
      result.events,
      result.invalid.map((delivery) => delivery.reason),
    ]).toEqual([422, [], [reason]]);
  },
}));

/** Rules for how a receiver applies the contract. */
export const contractRules: readonly Rule[] = [
  {
    name: 'every example at its label is an event of its kind, behind any mount path',
    async run(bench) {
      for (const { name, label, method = 'POST', examples } of bench.imported.contract
        .notifications) {
        if (label === undefined) continue;
        for (const { value } of examples) {
          for (const mount of ['', '/some/hook']) {
            const path = mount + label.path.replaceAll(/[{}]/g, '');
            const { status, events } = await once(bench, {
              method,
              path,
              body: JSON.stringify(value),
            });
            expect(status).toBe(200);
            for (const event of events) {
              if (event.ambiguous) expect(event.kinds).toContain(name);
              else expect(event.kind).toBe(name);
            }
            expect(events.length).toBe(elementsOf(value).length);
            const parameters = Object.keys(events[0]?.parameters ?? {});
            expect(parameters.toSorted()).toEqual(
              label.parameters.map((parameter) => parameter.name).toSorted(),
            );
          }
        }
      }
    },
  },
  {
    name: 'every example without a label is its kind, or says what else it can be',
    async run(bench) {
      for (const { name, examples, ambiguousWith } of bench.imported.contract.notifications) {
        for (const { value } of examples) {
          const { status, events } = await once(bench, { body: JSON.stringify(value) });
          expect(status).toBe(200);
          expect(events.length).toBe(elementsOf(value).length);
          for (const event of events) {
            const kinds = event.ambiguous ? (event.kinds ?? []) : [event.kind];
            expect(kinds).toContain(name);
            for (const kind of kinds) expect([name, ...ambiguousWith]).toContain(kind);
          }
        }
      }
    },
  },
  {
    name: 'every invalid example is refused at its label, for the reason that the contract gives',
    async run(bench) {
      for (const { label, method = 'POST', invalidExamples } of bench.imported.contract
        .notifications) {
        for (const { value, violates } of invalidExamples) {
          if (label === undefined) continue;
          const path = label.path.replaceAll(/[{}]/g, '');
          const result = await once(bench, { method, path, body: JSON.stringify(value) });
          expect([result.status, result.events]).toEqual([422, []]);
          const places = result.invalid.flatMap(({ violations }) =>
            violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`),
          );
          expect(places).toContain(`${violates.at} ${violates.keyword}`);
        }
      }
    },
  },
  {
    name: 'both forms of a cash-out are one event, with what the contract does not list',
    async run(bench) {
      const canonical = example(bench, 'cashoutStageTwo', 'completed') as {
        Pix: Record<string, Json>;
      };
      const { Status, OperationType, ...members } = canonical.Pix;
      const array = {
        pix: [{ ...members, status: Status, operationType: OperationType, later: 'x' }],
        root: 1,
      };
      const { status, events } = await once(bench, { body: JSON.stringify(array) });
      expect([status, events.map(({ form }) => form)]).toEqual([200, ['array']]);
      expect(events[0]?.data).toEqual({ root: 1, Pix: { ...canonical.Pix, later: 'x' } });
    },
  },
  {
    name: 'an element under both names, and a body in both forms, are refused',
    async run(bench) {
      const array = example(bench, 'cashoutStageTwo', 'array') as { pix: Record<string, Json>[] };
      const [first = {}] = array.pix;
      for (const body of [
        { pix: [{ ...first, Status: 1 }] },
        { ...array, ...(example(bench, 'cashoutStageTwo', 'completed') as object) },
      ]) {
        const result = await once(bench, {
          path: '/v2/apm/pix/cashout',
          body: JSON.stringify(body),
        });
        expect([result.status, result.invalid.map(({ reason }) => reason)]).toEqual([
          422,
          ['form'],
        ]);
      }
    },
  },
  {
    name: 'an empty array reaches otherwise',
    async run(bench) {
      const { status, events, record } = await once(bench, { body: '{"pix":[]}' });
      expect([status, record?.reason]).toEqual([200, 'unidentified']);
      expect(events).toMatchObject([{ kind: null, data: { pix: [] } }]);
    },
  },
  {
    name: 'a status that no list has arrives as it is, and stages in any order',
    async run(bench) {
      await using running = await bench.start();
      for (const [kind, name] of [
        ['cashoutStageTwo', 'completed'],
        ['cashoutStageOne', 'awaiting-confirmation'],
        ['charge', 'unlisted-status'],
      ] as const)
        expect(
          (await running.send({ body: JSON.stringify(example(bench, kind, name)) })).status,
        ).toBe(200);
      expect(running.events.map(({ kind }) => kind).slice(0, 2)).toEqual([
        'cashoutStageTwo',
        'cashoutStageOne',
      ]);
      expect(running.events[2]?.data).toEqual(example(bench, 'charge', 'unlisted-status'));
    },
  },
  {
    name: 'what is of no kind goes to otherwise',
    async run(bench) {
      const { status, events, record } = await once(bench, { body: '{"news":1}' });
      expect([status, record?.reason]).toEqual([200, 'unidentified']);
      expect(events.map(({ kind, data }) => [kind, data])).toEqual([[null, { news: 1 }]]);
    },
  },
  {
    name: 'the bytes decide, whatever the content type says',
    async run(bench) {
      for (const type of [
        [],
        'text/plain',
        'application/json; charset=utf-16',
        'application/x-www-form-urlencoded',
      ]) {
        const { status } = await once(bench, {
          path: chargePath,
          body: text,
          headers: { 'content-type': type },
        });
        expect(status).toBe(200);
      }
    },
  },
  {
    name: 'a decimal arrives as it is, and a number that no double holds as text where that is asked for',
    async run(bench) {
      const exact = await once(bench, {
        path: chargePath,
        body: amount('[19.99,1E2,-0.5,123456789012345.6]'),
      });
      expect([exact.status, exact.events.length]).toEqual([200, 1]);
      const inexact = await once(
        bench,
        { path: chargePath, body: amount('[19.99,9007199254740993]') },
        { numbers: 'text' },
      );
      expect(inexact.events[0]?.data).toMatchObject({
        Pix: { extra: [19.99, '9007199254740993'] },
      });
      expect((await once(bench, { body: amount('1e400') }, { numbers: 'text' })).status).toBe(422);
    },
  },
  {
    name: 'with a mount path, a label has to follow it',
    async run(bench) {
      const body = JSON.stringify({ Pix: withoutPayer });
      const kinds: unknown[] = [];
      for (const path of [`/hook${chargePath}`, `/hook/more${chargePath}`, '/hook'])
        kinds.push((await once(bench, { path, body }, { mount: '/hook' })).events[0]?.kind);
      expect(kinds).toEqual(['charge', 'chargeOrChargeReversal', 'chargeOrChargeReversal']);
    },
  },
];

function elementsOf(value: Json): readonly Json[] {
  const array = (value as Readonly<Record<string, Json>>)['pix'];
  return Array.isArray(array) ? (array as readonly Json[]) : [value];
}
