import { expect, it } from 'vitest';
import { didYouMean } from '../../generator/diagnostics/did-you-mean.ts';

const names = ['parcelLost', 'parcelSent', 'parcelMoved', 'sender'];

it.each([
  ['parcelLots', 1, 'Did you mean "parcelLost"?'],
  ['parcelLsot', 1, 'Did you mean "parcelLost"?'],
  ['PARCELLOST', 1, 'Did you mean "parcelLost"?'],
  ['parcelLent', 2, 'Did you mean "parcelSent" or "parcelLost"?'],
  ['zzzzzz', 3, undefined],
  ['parcelLost'.repeat(100), 3, undefined],
])('suggests names that are similar to %s, at most %d', (name, most, suggestion) => {
  expect(didYouMean(name, names, most)).toBe(suggestion);
});
