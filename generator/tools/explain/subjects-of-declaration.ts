import { memoize } from '../../execution/memoize.ts';
import type { Declaration } from './declarations.ts';
import type { Subject } from './subject.ts';

/**
 * The subjects that a generated name refers to. `named` is `false` if only the file of the name, not the name itself,
 * identifies them.
 */
export interface ReferredSubjects {
  readonly subjects: readonly Subject[];
  readonly named: boolean;
}

/**
 * Returns the subjects that a generated name refers to, among those that its file is generated from. A member refers to
 * the subjects with exactly its name, or else to the notifications whose identifiers its name contains. Any other name
 * refers to the subjects whose identifiers it contains: `isParcelState` refers to `ParcelState`, not to `Parcel`. If no
 * subject matches, the result is all top-level subjects of the file, with `named: false`.
 */
export function subjectsOfDeclaration(
  declaration: Declaration,
  subjects: readonly Subject[],
): ReferredSubjects {
  const from: ReadonlySet<string> = new Set(declaration.file.from);
  const places = placesOf(subjects);
  const near = [...new Set([...from].flatMap((at) => places.get(at) ?? []))]
    .toSorted((a, b) => a - b)
    .flatMap((position) => subjects[position] ?? []);
  const unowned = near.filter(({ owner }) => owner === undefined);
  const meant =
    declaration.kind === 'member'
      ? subjectsOfMember(declaration, near, subjects)
      : subjectsInName(declaration.name, unowned);
  const named = meant.length > 0;
  return { subjects: named ? meant : unowned, named };
}

/** Returns the positions of the subjects by their place and those of their owners. Memoized, because names are many. */
const placesOf = memoize((subjects: readonly Subject[]): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>();
  for (const [position, subject] of subjects.entries()) {
    for (const at of ownersOf(subject)) {
      const known = places.get(at);
      if (known === undefined) places.set(at, [position]);
      else known.push(position);
    }
  }
  return places;
});

function subjectsOfMember(
  { name, owner = '' }: Declaration,
  near: readonly Subject[],
  subjects: readonly Subject[],
): readonly Subject[] {
  const called = (subject: Subject): boolean =>
    subject.identifier === name ||
    subject.aliases.includes(name) ||
    (subject.kind === 'notification' && subject.name === name);
  const subjectsOfOwner = near.filter(
    (subject) => called(subject) && ownerWords(subject).some((word) => owner === word),
  );
  if (subjectsOfOwner.length > 0) return subjectsOfOwner;
  const nonMembers = near.filter((subject) => called(subject) && subject.kind !== 'member');
  if (nonMembers.length > 0) return nonMembers;
  // The ledger entry of an option can be anywhere in the contract, not only among the sources of the file.
  const asked = subjects.filter((subject) => subject.kind === 'question' && called(subject));
  if (asked.length > 0) return asked;
  return subjectsInName(
    name,
    near.filter(({ kind }) => kind === 'notification'),
  );
}

function ownerWords({ owner }: Subject): readonly string[] {
  return owner === undefined ? [] : [owner.identifier, owner.name];
}

function ownersOf({ pointer, owner }: Subject): readonly string[] {
  return owner === undefined ? [pointer] : [pointer, ...ownersOf(owner)];
}

/**
 * Returns the subjects whose identifiers occur in a name. Longer identifiers match first, and each part of the name
 * matches once.
 */
function subjectsInName(name: string, subjects: readonly Subject[]): readonly Subject[] {
  const text = capital(name);
  const free = Array.from({ length: text.length }, () => true);
  const matches: Subject[] = [];
  const used = new Map<string, boolean>();
  const longest = subjects
    .filter(({ identifier }) => identifier !== '')
    .toSorted((a, b) => b.identifier.length - a.identifier.length);
  for (const subject of longest) {
    const word = capital(subject.identifier);
    if (!used.has(word)) used.set(word, claimWord(text, word, free));
    if (used.get(word) === true) matches.push(subject);
  }
  return subjects.filter((subject) => matches.includes(subject));
}

function claimWord(text: string, word: string, free: boolean[]): boolean {
  let isThere = false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isWhole = !/[a-z]/u.test(text[end] ?? '') && !/[A-Z]/u.test(text[at - 1] ?? '');
    if (!isWhole || !free.slice(at, end).every(Boolean)) continue;
    free.fill(false, at, end);
    isThere = true;
  }
  return isThere;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
