import { expect, test } from 'vitest';
import { compareTypes } from './peers/compare-types.ts';
import { peerContracts } from './peers/contracts.ts';
import { knownTypeDifferences } from './peers/type-differences.ts';

test('the known differences are those of the twelve contracts', () => {
  expect(peerContracts).toHaveLength(12);
  const names = peerContracts.map(({ name }) => name);
  expect(knownTypeDifferences.filter(({ contract }) => !names.includes(contract))).toEqual([]);
});

test.each(peerContracts.map((contract) => [contract.name, contract] as const))(
  'the types of %s and those of openapi-typescript are assignable to each other, but for known differences',
  async (name, { minimum, read }) => {
    const { contract, document } = await read();
    const knownDifferences = knownTypeDifferences.filter(
      (difference) => difference.contract === name,
    );
    const places = knownDifferences.flatMap((difference) => difference.places);
    const replaced = places.flatMap((place) => /^schema ([^,]+)$/u.exec(place)?.[1] ?? []);
    const { compared, differences } = await compareTypes(contract, document, new Set(replaced));
    expect(compared).toBeGreaterThanOrEqual(minimum);
    const expected = knownDifferences.flatMap(({ refused, places: of }) => {
      const sides =
        refused === 'both' ? (['ours to theirs', 'theirs to ours'] as const) : [refused];
      return of.flatMap((place) => sides.map((side) => `${place}: ${side}`));
    });
    const messages = new Map(
      differences.map(({ place, refused, message }) => [`${place}: ${refused}`, message]),
    );
    const unexpected = [...messages].filter(([key]) => !expected.includes(key));
    expect(unexpected).toEqual([]);
    expect([...messages.keys()].toSorted()).toEqual(expected.toSorted());
  },
  600_000,
);
