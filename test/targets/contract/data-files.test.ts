import { describe, expect, it } from 'vitest';
import { publishedForm } from '../../../generator/targets/contract/data-files.ts';
import { buildContract } from './contract-builder.ts';

describe('the published form of schemas', () => {
  it.each([
    ['self-contained', 'a', 'ASCII text within the limit'],
    ['separate files', '漢', 'the same number of characters, of three bytes each'],
  ])('is %s for %s: %s', (expected, character) => {
    const description = character.repeat(3 * 2 ** 20);
    const form = publishedForm(buildContract([['Long', { type: 'string', description }]]));
    expect(form === 'self-contained' ? form : 'separate files').toBe(expected);
  });
});
