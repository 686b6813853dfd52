import { expect, it } from 'vitest';
import { didYouMean } from '../../generator/diagnostics/did-you-mean.ts';
import { NameIndex } from '../../generator/diagnostics/name-index.ts';
import { expectLinear } from '../counted-work.ts';

const many = Array.from({ length: 500 }, (_, index) => `parcel${index}Sent`);
const names = new NameIndex([...many, 'sender', 'receiver-of-the-parcel', 'Address']);

it.each([
  ['adress', 'Did you mean "Address"?'],
  ['ddress', 'Did you mean "Address"?'],
  ['addresss', 'Did you mean "Address"?'],
  ['sneder', 'Did you mean "sender"?'],
  ['receiver-of-the-pracel', 'Did you mean "receiver-of-the-parcel"?'],
  ['reciever-of-the-parcel', 'Did you mean "receiver-of-the-parcel"?'],
  ['PARCEL250SENT', 'Did you mean "parcel250Sent"?'],
  ['parcel250Snet', 'Did you mean "parcel250Sent"?'],
  ['pracel250Sent', 'Did you mean "parcel250Sent"?'],
  ['zzzzzz', undefined],
])('finds among many names the one that is similar to %s', (name, suggestion) => {
  expect(didYouMean(name, names)).toBe(suggestion);
});

it('has all names to compare if there are few, and some if there are many', () => {
  expect(new NameIndex(['b', 'a', 'b']).near('c')).toEqual(['b', 'a', 'b']);
  expect(names.near('parcel250Snet').length).toBeLessThanOrEqual(32);
});

it('takes twice the time for twice the names and searches', async () => {
  await expectLinear(
    (size) => {
      const index = new NameIndex(Array.from({ length: size }, (_, each) => `name${each}`));
      for (let each = 0; each < size; each += 1) didYouMean(`nmae${each}`, index);
    },
    200,
    /\/generator\/[\w/-]+\.ts$/u,
  );
});
