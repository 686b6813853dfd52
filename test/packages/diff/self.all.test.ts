import { expect, test } from 'vitest';
import { sampleDocuments } from '../../corpus/sample.ts';
import { changesInEveryWay } from './self.ts';

/** Larger documents would take this test an hour. */
const maxBytes = 100_000;

const documents = (await sampleDocuments()).filter(
  ({ bytes, specification }) => bytes <= maxBytes && / 3\./u.test(specification),
);

test('there are documents', () => {
  expect(documents.length).toBeGreaterThan(99);
});

test.each(documents.map(({ name, path }) => [name, path] as const))(
  '%s is unchanged, in whatever way it is written',
  async (_, path) => {
    expect(await changesInEveryWay(path)).toEqual([]);
  },
  600_000,
);
