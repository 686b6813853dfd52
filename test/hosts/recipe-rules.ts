import { expect } from 'vitest';
import type { Json } from '../../generator/json/json.ts';
import type { Rule } from '../packages/runtime/webhooks/conformance.ts';
import type { Answer } from '../packages/runtime/webhooks/exchange.ts';
import type { Running, Workbench } from '../packages/runtime/webhooks/workbench.ts';

const path = '/hooks';
const json = { 'content-type': 'application/json' };
const forms = [
  undefined,
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
];
const origins = [undefined, 'null', 'https://sender.example'];

/** What holds on every host, where the recipe stands as the document has it. */
export const recipeRules: readonly Rule[] = [
  {
    name: 'every example in every form is handled at the path of the recipe, at its label and without one',
    async run(bench) {
      const { notifications } = bench.imported.contract;
      expect(notifications).not.toEqual([]);
      for (const { name, label, method = 'POST', examples } of notifications) {
        expect(examples.length).toBeGreaterThan(0);
        for (const { value } of examples) {
          const labelled = label === undefined ? '' : label.path.replaceAll(/[{}]/g, '');
          for (const at of new Set([`${path}${labelled}`, path])) {
            await using running = await bench.start();
            const body = JSON.stringify(value);
            const { status } = await running.send({ method, path: at, headers: json, body });
            expect([name, at, status]).toEqual([name, at, 200]);
            expect(running.events).not.toEqual([]);
            for (const event of running.events) expect(event.kinds ?? [event.kind]).toContain(name);
          }
        }
      }
    },
  },
  {
    name: 'a delivery that is not authentic is refused at the path of the recipe',
    async run(bench) {
      await using running = await bench.start();
      const sent = { path, headers: { ...json, 'x-secret': 'another' }, body: anyBody(bench) };
      expect([(await running.send(sent)).status, running.events]).toEqual([401, []]);
    },
  },
];

/** Holds on applications that have a route besides the receiver. */
export const besideRules: readonly Rule[] = [
  {
    name: 'another route of the application answers as before',
    async run(bench) {
      await using running = await bench.start();
      const answer = await running.send({ method: 'GET', path: '/beside', body: '' });
      expect([answer.status, answer.text, running.records]).toEqual([200, 'beside', []]);
    },
  },
];

/** What holds with the settings that the document names. */
export const settledRules: readonly Rule[] = [
  {
    name: 'a delivery is handled whatever its content type and its origin are',
    async run(bench) {
      for (const headers of asForms()) {
        await using running = await bench.start();
        const { status } = await deliver(bench, running, headers);
        expect([headers, status, running.events.length]).toEqual([headers, 200, 1]);
      }
    },
  },
];

/** What holds where the document has a check of the host's own for everything besides the receiver. */
export const checkedRules: readonly Rule[] = [
  {
    name: 'a form of another site is refused at every other route',
    async run(bench) {
      await using running = await bench.start();
      for (const headers of asForms()) {
        const { status } = await running.send({ path: '/beside', headers });
        expect([headers, status]).toEqual([headers, 403]);
      }
      const { status } = await running.send({ path: '/beside', headers: json, body: '{}' });
      expect(status).toBe(200);
    },
  },
];

/** What holds on hosts with a cross-site check, as they come. */
export const unsettledRules: readonly Rule[] = [
  {
    name: 'a delivery that looks like a form of another site does not get to the receiver',
    async run(bench) {
      await using running = await bench.start();
      for (const headers of asForms()) {
        const { status } = await deliver(bench, running, headers);
        expect([headers, status, running.records]).toEqual([headers, 403, []]);
      }
    },
  },
  {
    name: 'a delivery of JSON is handled whatever its origin is',
    async run(bench) {
      for (const origin of origins) {
        await using running = await bench.start();
        const { status } = await deliver(bench, running, { ...json, ...optional({ origin }) });
        expect([origin, status, running.events.length]).toEqual([origin, 200, 1]);
      }
    },
  },
];

/** What holds where the generated package of the host is mounted at `/generated`, with its own options. */
export const generatedRules: readonly Rule[] = [
  {
    name: 'the generated package hands every example to its handler, and refuses who does not know the secret',
    async run(bench) {
      const shared = (globalThis as { hosted?: { seen?: (readonly string[])[] } }).hosted;
      await using running = await bench.start();
      const { notifications } = bench.imported.contract;
      expect(notifications).not.toEqual([]);
      for (const { name, label, method = 'POST', examples } of notifications) {
        if (label === undefined) continue;
        const at = `/generated${label.path.replaceAll(/[{}]/g, '')}`;
        for (const { value } of examples) {
          const sent = { method, path: at, headers: json, body: JSON.stringify(value) };
          const statuses = [await running.send(sent)];
          statuses.push(
            await running.send({ ...sent, headers: { ...json, 'x-secret': 'another' } }),
          );
          expect([name, ...statuses.map(({ status }) => status)]).toEqual([name, 200, 401]);
          const seen = shared?.seen?.splice(0) ?? [];
          expect(seen).not.toEqual([]);
          for (const kinds of seen) expect(kinds).toContain(name);
        }
      }
      expect(running.records).toEqual([]);
    },
  },
];

function asForms(): readonly Record<string, string>[] {
  return forms.flatMap((type) =>
    origins.map((origin) => optional({ 'content-type': type, origin })),
  );
}

function optional(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function deliver(
  bench: Workbench,
  running: Running,
  headers: Record<string, string>,
): Promise<Answer> {
  return await running.send({ path, headers, body: anyBody(bench) });
}

function anyBody(bench: Workbench): string {
  const values = bench.imported.contract.notifications.flatMap(({ examples }) =>
    examples.map(({ value }): Json => value),
  );
  return JSON.stringify(values[0]);
}
