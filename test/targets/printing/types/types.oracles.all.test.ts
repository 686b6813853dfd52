import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { FoundDocument } from '../../../corpus/find-documents.ts';
import { sampleDocuments } from '../../../corpus/sample.ts';
import { readContract } from '../../client/emit-client.ts';
import { compareWithOracles } from './oracles/compare.ts';
import { knownDifferences } from './oracles/differences.ts';

/** Decides, with the name of a document, whether it is compared. */
const seed = 'countersign';
const size = 20;

/** The documents of the corpus with the lowest hashes, one of each provider, neither trivial nor large. */
function chooseDocuments(sample: readonly FoundDocument[]): readonly FoundDocument[] {
  const hash = ({ name }: FoundDocument): string =>
    createHash('sha256').update(`${seed}:${name}`).digest('hex');
  const inOrder = sample
    .filter(({ bytes }) => bytes > 10_000 && bytes < 300_000)
    .toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
  const ofProviders = Map.groupBy(inOrder, ({ name }) => name.split('/')[1]);
  return [...ofProviders.values()].flatMap((documents) => documents.slice(0, 1)).slice(0, size);
}

const documents = chooseDocuments(await sampleDocuments());

test('the sample is that of the known differences', () => {
  expect(documents).toHaveLength(size);
  const names = documents.map(({ name }) => name);
  expect(knownDifferences.filter(({ document }) => !names.includes(document))).toEqual([]);
});

test.each(documents.map((document) => [document.name, document] as const))(
  'the types of %s are those that two independent writers make, but for known differences',
  async (name, { path }) => {
    const contract = await readContract({ openapi: basename(path) }, dirname(path));
    const differences = await compareWithOracles(contract);
    const expected = knownDifferences
      .filter(({ document }) => document === name)
      .flatMap(({ oracle, refused, schemas }) =>
        refused.flatMap((side) => schemas.map((schema) => `${oracle}, ${side}: ${schema}`)),
      );
    expect(
      differences
        .map(({ oracle, refused, schema }) => `${oracle}, ${refused}: ${schema}`)
        .toSorted(),
    ).toEqual(expected.toSorted());
  },
  300_000,
);
