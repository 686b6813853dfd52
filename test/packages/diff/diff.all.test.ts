import { describe, expect, test } from 'vitest';
import { type ChangeCode, verdicts } from '../../../packages/diff/src/verdicts/verdicts.ts';
import type { Broken } from './cases/case.ts';
import { cases } from './cases/cases.ts';
import { diffOf, type Mutation } from './parcels.ts';

describe.each(Object.entries(cases))('a change of %s', (_, rows) => {
  test.each(rows.map((row, index) => [`${row.code} (${index})`, row] as const))(
    '%s is reported, with the applications that it breaks',
    async (_name, { code, after, before, effects, also = [], subject }) => {
      const changes = await diffOf(after, before);
      expect(new Set(changes.map((change) => change.code))).toEqual(new Set([code, ...also]));
      const change = changes.find(
        (candidate) =>
          candidate.code === code && (subject === undefined || candidate.subject === subject),
      );
      expect(change, subject).toBeDefined();
      expect(
        Object.fromEntries(
          change?.effects.map(({ role, deployed, upgrade }) => [role, broken(deployed, upgrade)]) ??
            [],
        ),
      ).toEqual(effects);
      for (const effect of change?.effects ?? []) {
        if (broken(effect.deployed, effect.upgrade) !== 'nobody')
          expect(effect.migrate).toBeTruthy();
      }
    },
  );
});

test('a new notification that another is mistaken for is reported at the other, with advice', async () => {
  const withoutLost: Mutation = {
    asyncapi: (d) => {
      delete d.channels.lost;
      delete d.operations.sendLost;
    },
  };
  const untold: Mutation = {
    asyncapi: (d) =>
      (d.components.messages.lost['x-identified-by'] = { '$request.body#/lost': {} }),
  };
  const changes = await diffOf(untold, withoutLost);
  expect(changes.map(({ code, subject, message }) => [code, subject, message])).toEqual([
    ['notification-added', 'notification lost', 'It was added.'],
    ['union-added', 'kind lostOrMoved', 'A delivery can be `moved` and `lost` at once.'],
    [
      'kind-ambiguous',
      'kind moved',
      'A delivery of it can be `lost` as well; its own handler is not called for those.',
    ],
  ]);
  const advice = changes.slice(1).flatMap(({ effects }) => effects.map(({ migrate }) => migrate));
  expect(advice).toEqual([
    expect.stringContaining('x-identified-by'),
    expect.stringContaining('x-identified-by'),
  ]);
});

test('every kind of change has a row', () => {
  const shown = new Set(Object.values(cases).flatMap((rows) => rows.map(({ code }) => code)));
  const missing = Object.keys(verdicts).filter((code) => !shown.has(code as ChangeCode));
  expect(missing).toEqual([]);
});

test('a contract does not differ from itself', async () => {
  expect(await diffOf({})).toEqual([]);
});

function broken(deployed: string, upgrade: string): Broken {
  if (deployed === 'breaks') return upgrade === 'breaks' ? 'both' : 'today';
  return upgrade === 'breaks' ? 'upgrade' : 'nobody';
}
