import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeviceName, toSafeFileName } from '../../generator/contract/file-name.ts';
import { assertOutputPaths } from '../../generator/emit/output-path.ts';

const long = 'segment-'.repeat(40);

it.each([
  ['aux', 'aux_'],
  ['Aux', 'Aux_'],
  ['CON', 'CON_'],
  ['nul.old', 'nul.old_'],
  ['com0', 'com0_'],
  ['lpt9', 'lpt9_'],
  ['com10', 'com10'],
  ['auxiliary', 'auxiliary'],
  ['console', 'console'],
  ['a'.repeat(200), 'a'.repeat(200)],
])('%s becomes %s', (name, expected) => {
  expect(toSafeFileName(name)).toBe(expected);
});

it('ends a name that is too long with a hash of all of it', () => {
  const shortened = toSafeFileName(long);
  expect(shortened).toMatch(/^segment-.*-[0-9a-f]{10}$/u);
  expect(Buffer.byteLength(shortened)).toBe(200);
  expect(toSafeFileName(`${long}a`)).not.toBe(toSafeFileName(`${long}b`));
  expect(toSafeFileName(long)).toBe(shortened);
});

it('never splits a character, and leaves room for an extension', () => {
  const letter = fc.constantFrom('a', 'é', '→', '𝒳', '日');
  fc.assert(
    fc.property(fc.array(letter, { minLength: 1, maxLength: 400 }), (letters) => {
      const name = toSafeFileName(letters.join(''));
      expect(name.isWellFormed()).toBe(true);
      assertOutputPaths([`client/src/${name}.d.ts`]);
    }),
  );
});

it('is what an output path may have', () => {
  for (const device of ['con', 'prn', 'aux', 'nul', 'com0', 'com9', 'lpt0', 'lpt9']) {
    expect(isDeviceName(`${device}.ts`)).toBe(true);
    expect(() => assertOutputPaths([`client/${device}.ts`])).toThrow(/device on Windows/u);
    assertOutputPaths([`client/${toSafeFileName(device)}.ts`]);
  }
});
