import { type JsonPath, pathsOf, valueAt, replaceAt } from '../sending/json-path.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { Proposals } from '../sending/other-event.ts';

/**
 * Proposes the payload with other identifiers. Text that looks like an identifier gets other digits and letters of the
 * same classes; equal texts stay equal. What the contract does not accept stays as it is.
 * @param isKept whether a text stays as it is
 */
export function* proposeIdentifiers(
  value: Json,
  random: Random,
  isKept: (text: string) => boolean,
): Proposals {
  const places = new Map<string, JsonPath[]>();
  for (const path of pathsOf(value)) {
    const text = valueAt(value, path);
    if (typeof text !== 'string' || !isIdentifier(text) || isKept(text)) continue;
    const textPaths = places.get(text);
    if (textPaths === undefined) places.set(text, [path]);
    else textPaths.push(path);
  }
  const change = (base: Json, text: string, replacement: string): Json =>
    (places.get(text) ?? []).reduce((changed, path) => replaceAt(changed, path, replacement), base);
  const texts = [...places.keys()];
  const replaced = texts.map((text) => [text, vary(text, random)] as const);
  const all = replaced.reduce((changed, [text, other]) => change(changed, text, other), value);
  if (yield all) return all;
  let base = value;
  for (const [text, other] of replaced)
    for (const replacement of [other, varyDigits(text, random)]) {
      const changed = change(base, text, replacement);
      if (!(yield changed)) continue;
      base = changed;
      break;
    }
  return base;
}

/** Returns whether a text looks like an identifier: a long word with a digit that is not a date or a code of words. */
function isIdentifier(text: string): boolean {
  return /^(?=.*\d)[\w-]{8,}$/u.test(text) && !/^\d{4}-\d{2}-\d{2}(?:\D|$)/u.test(text);
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu;
const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';

function vary(text: string, random: Random): string {
  if (uuid.test(text))
    return text === text.toUpperCase() && /[A-F]/u.test(text)
      ? random.uuid().toUpperCase()
      : random.uuid();
  const isHex = /^(?:[\da-f]+|[\dA-F]+)$/u.test(text);
  const letters = isHex ? lower.slice(0, 6) : lower;
  // The letters before the first digit often name the type of the object.
  const [prefix = ''] = /^\D*/u.exec(text) ?? [];
  const rest = text.slice(prefix.length).replaceAll(/[\da-zA-Z]/gu, (character) => {
    if (digits.includes(character)) return pickCharacter(digits, random);
    const letter = pickCharacter(letters, random);
    return lower.includes(character) ? letter : letter.toUpperCase();
  });
  return prefix + rest;
}

function varyDigits(text: string, random: Random): string {
  return text.replaceAll(/\d/gu, () => pickCharacter(digits, random));
}

function pickCharacter(characters: string, random: Random): string {
  return characters.charAt(random.integer(0, characters.length - 1));
}
