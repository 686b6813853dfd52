import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Documents } from '../../../generator/documents/documents.ts';
import { load } from '../../../generator/load/load.ts';
import { decides } from '../../../generator/contract/lower/label-notes.ts';
import { writeContract } from '../write-contract.ts';

/** A contract with two schemas, and a ledger entry about them. */
async function loadWith(choices: string, more = ''): Promise<Documents> {
  const folder = await writeContract({
    'openapi.yaml': `openapi: 3.1.2
info: { title: Parcels, version: 1.0.0, x-countersign: 1 }
paths: {}
components:
  schemas:
    A: { type: object, x-unstated: { size: { source: '1', question: How large?, ${more}choices: { any: Any., ${choices} } } } }
    B: { type: object, properties: { 'a/b': { type: string } } }
`,
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0, x-countersign: 1 }
`,
  });
  try {
    return await load({ openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' }, { folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const small = (...actions: readonly string[]): string =>
  `small: { meaning: Small., actions: [${actions.join(', ')}] }`;
const limit = "{ target: '$.components.schemas[*]', update: { maxProperties: 2 } }";

it('the actions of an open entry have the places that they would write', async () => {
  const { pendingActions, answerPlaces } = await loadWith(
    small(limit, "{ target: '$.info', document: asyncapi, remove: true }"),
  );
  expect(pendingActions).toEqual([
    {
      id: 'size',
      choice: 'small',
      targets: ['openapi#/components/schemas/A', 'openapi#/components/schemas/B'],
      update: { maxProperties: 2 },
    },
    { id: 'size', choice: 'small', targets: ['asyncapi#/info'] },
  ]);
  expect(answerPlaces).toBeUndefined();
});

it('the actions of a settled entry are not pending; the places that they wrote are known', async () => {
  const removal = `{ target: "$.components.schemas.B.properties['a/b']", remove: true }`;
  const { pendingActions, answerPlaces } = await loadWith(
    small(limit, removal),
    'settled: small, ',
  );
  expect(pendingActions).toBeUndefined();
  expect([...(answerPlaces ?? [])]).toEqual([
    [
      'size',
      [
        'openapi#/components/schemas/A/maxProperties',
        'openapi#/components/schemas/B/maxProperties',
        'openapi#/components/schemas/B/properties/a~1b',
      ],
    ],
  ]);
});

it('targets that are invalid, or select nothing, are not places', async () => {
  const { pendingActions } = await loadWith(
    small("{ target: '$.paths.nowhere', remove: true }", "{ target: '$[', remove: true }"),
  );
  const none = { id: 'size', choice: 'small', targets: [] };
  expect(pendingActions).toEqual([none, none]);
});

it.each([
  ['a place that it removes', undefined, 'openapi#/a/b', true],
  ['a part of what it removes', undefined, 'openapi#/a/b/c', true],
  ['a place beside it', undefined, 'openapi#/a/bc', false],
  ['a member that it writes', { c: { d: 1 } }, 'openapi#/a/b/c/d', true],
  ['the object that it updates', { c: 1 }, 'openapi#/a/b', false],
  ['another member', { c: 1 }, 'openapi#/a/b/d', false],
] as const)('an action decides %s, or not', (_, update, place, expected) => {
  const action = { id: 'x', choice: 'y', targets: ['openapi#/a/b'] } as const;
  expect(decides({ ...action, ...(update === undefined ? {} : { update }) }, place)).toBe(expected);
});
