import { type Char, CharSet, type NoParent, type Quantifier } from 'refa';

/** Returns the part of a pattern that matches any characters, as `[^]*` does. */
export function anyCharacters(maxCharacter: Char): NoParent<Quantifier> {
  const characters = CharSet.all(maxCharacter);
  return {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [{ type: 'Concatenation', elements: [{ type: 'CharacterClass', characters }] }],
  };
}
