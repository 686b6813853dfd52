import type { CharSet, NFA } from 'refa';
import type { Draw } from './draw.ts';
import type { TextLanguage } from './text-language.ts';

/** Limits the work of finding the lengths of texts, in transitions that are followed. */
const maxSteps = 3_000_000;
/** The number of lengths, from the shortest, that a random text can have. */
const maxLengths = 8;

/**
 * Returns a text of a language with a length between two limits, in characters: one of the shortest, of readable
 * characters. Returns `undefined` if there is none, or none within the limits of the search.
 * @param shortest whether to return a shortest text
 */
export function languageWord(
  language: TextLanguage,
  [min, max]: readonly [min: number, max: number],
  draw: Draw,
  shortest: boolean,
): string | undefined {
  const sets = endingSets(language, min, max, shortest ? 1 : maxLengths);
  const lengths = sets.flatMap((set, length) =>
    length >= min && set.has(language.initial) ? [length] : [],
  );
  const [first, ...otherLengths] = lengths;
  if (first === undefined) return undefined;
  let text = '';
  let state: NFA.ReadonlyNode = language.initial;
  for (let left = draw.pick([first, ...otherLengths]); left > 0; left -= 1) {
    const steps = Array.from(state.out).filter(([to]) => sets[left - 1]?.has(to));
    const readable = steps.filter(([, characters]) => readableOf(characters).length > 0);
    const [step, ...more] = readable.length > 0 ? readable : steps;
    if (step === undefined) return undefined;
    const [to, characters] = draw.pick([step, ...more]);
    text += characterOf(characters, draw);
    state = to;
  }
  return text;
}

/**
 * Returns, for each length, the states from which a text of that length leads to the end. Stops after `count` lengths
 * of texts of the language.
 */
function endingSets(
  { initial, finals }: TextLanguage,
  min: number,
  max: number,
  count: number,
): readonly ReadonlySet<NFA.ReadonlyNode>[] {
  const into = new Map<NFA.ReadonlyNode, NFA.ReadonlyNode[]>();
  const states = new Set<NFA.ReadonlyNode>([initial]);
  for (const state of states) {
    for (const to of state.out.keys()) {
      states.add(to);
      const from = into.get(to);
      if (from === undefined) into.set(to, [state]);
      else from.push(state);
    }
  }
  const sets: ReadonlySet<NFA.ReadonlyNode>[] = [];
  let [steps, wordLengths] = [0, 0];
  let set: ReadonlySet<NFA.ReadonlyNode> = finals;
  for (let length = 0; length <= max && set.size > 0 && steps < maxSteps; length += 1) {
    sets.push(set);
    if (length >= min && set.has(initial)) wordLengths += 1;
    if (wordLengths === count) break;
    const before = new Set<NFA.ReadonlyNode>();
    for (const state of set) {
      for (const from of into.get(state) ?? []) before.add(from);
      steps += 1 + (into.get(state)?.length ?? 0);
    }
    set = before;
  }
  return sets;
}

const readableText = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const readableCharacters = Array.from(readableText, (text) => text.codePointAt(0) ?? 0);
const readable = new WeakMap<CharSet, readonly number[]>();

function readableOf(characters: CharSet): readonly number[] {
  const cachedCharacters = readable.get(characters);
  if (cachedCharacters !== undefined) return cachedCharacters;
  const commonCharacters = readableCharacters.filter((character) => characters.has(character));
  readable.set(characters, commonCharacters);
  return commonCharacters;
}

function characterOf(characters: CharSet, draw: Draw): string {
  const [first, ...otherCharacters] = readableOf(characters);
  if (first !== undefined) return String.fromCodePoint(draw.pick([first, ...otherCharacters]));
  const printable = characters.ranges.find(({ max }) => max >= 0x20);
  const { min, max } = printable ?? characters.ranges[0] ?? { min: 0x20, max: 0x20 };
  const lowest = Math.max(min, printable === undefined ? min : 0x20);
  // A surrogate on its own is not text.
  const code = lowest >= 0xd8_00 && lowest <= 0xdf_ff ? Math.min(0xe0_00, max) : lowest;
  return String.fromCodePoint(code);
}
