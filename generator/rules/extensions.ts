import { memoize } from '../execution/memoize.ts';
import type { Documents } from '../documents/documents.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import {
  type ExtensionDefinition,
  placeWords,
  vocabulary,
} from '../contract/vocabulary/vocabulary.ts';
import { vocabularyDocuments } from '../documents/declared-vocabulary.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { isMessage, isTrait } from './messages.ts';
import type { Finding, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Violation, dependentKeywords } from './violations.ts';
import { checkVocabulary } from './vocabulary-check.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Checks the extensions of documents with `x-countersign: 1`. A key of the vocabulary has to be on an object that allows
 * it, with a valid value, and no other key may resemble one. Keys of other tools are left alone. In all other documents,
 * these are warnings, but an invalid signature is an error there too, in a header or in the body: receivers would
 * authenticate deliveries by something else.
 */
export const extensions: Rule = {
  codes: ['unknown-extension', 'invalid-extension'],
  *check({ documents }) {
    yield* checkDeclaration(documents);
    const declared = vocabularyDocuments(documents);
    for (const place of placesOf(documents)) {
      const isDeclared = declared.includes(pointerDocument(place.pointer));
      for (const key of Object.keys(place.value)) {
        if (!key.startsWith('x-') || key === 'x-countersign') continue;
        const at = place.child(key);
        const extension = Object.hasOwn(vocabulary, key) ? vocabulary[key] : undefined;
        if (!isDeclared) {
          if (extension === undefined)
            yield* undeclared(key, Array.from(unknown(key, at.pointer, distinctKeys)));
          else if (!mayStand(extension, place))
            yield { ...misplaced(key, extension, place, at.pointer), severity: 'warning' };
          else if (!usedByOthers.has(key))
            yield* undeclared(
              key,
              invalid(key, at, checkVocabulary(extension.reference, at.value ?? null)),
            );
        } else if (extension === undefined) {
          yield* unknown(key, at.pointer);
        } else if (!mayStand(extension, place)) {
          yield misplaced(key, extension, place, at.pointer);
        } else {
          yield* invalid(key, at, checkVocabulary(extension.reference, at.value ?? null));
        }
      }
    }
  },
};

/** Keys of the vocabulary that documents of other tools have with other values. */
const usedByOthers: ReadonlySet<string> = new Set([
  'x-source',
  'x-note',
  'x-enum-varnames',
  'x-enum-descriptions',
  'x-extensible-enum',
]);

/** Keys without which receivers would authenticate deliveries by something else. */
const authenticating: ReadonlySet<string> = new Set([
  'x-signature',
  'x-body-signature',
  'x-in-path',
]);

const allKeys = Object.keys(vocabulary);
const distinctKeys = allKeys.filter((key) => !usedByOthers.has(key));

/** Returns the findings about a key for a document that does not declare the vocabulary. */
function undeclared(key: string, findings: readonly Finding[]): readonly Finding[] {
  return authenticating.has(key)
    ? findings
    : findings.map((finding) => ({ ...finding, severity: 'warning' }));
}

/** Returns a finding for each violation in the value of a key, located at the member at fault. */
function invalid(key: string, at: Cursor, violations: readonly Violation[]): readonly Finding[] {
  const inner = violations.filter(
    ({ keyword }) => !dependentKeywords.has(keyword) || keyword === 'propertyNames',
  );
  return (inner.length > 0 ? inner : violations).map((violation) => {
    const { at: path, member, words } = violation;
    const pointer: Pointer = `${at.pointer}${path}`;
    return {
      code: 'invalid-extension',
      pointer: member === undefined ? pointer : toPointer(pointer, member),
      message: `${quote(key)} is invalid: ${path === '' ? 'the value' : quote(path)} ${words}.`,
      help:
        key === 'x-source' && isNumberAt(at, path)
          ? quoteSections
          : `\`countersign explain ${key}\` shows its members, with their values and meanings.`,
    };
  });
}

const quoteSections = 'Put the section in quotes: without them, YAML reads 2.10 as the number 2.1.';

function isNumberAt(at: Cursor, path: string): boolean {
  return typeof at.valueIn(...pointerMembers(path)) === 'number';
}

/** Checks `x-countersign` on every object: on the wrong object, it would disable the checks without notice. */
function* checkDeclaration(documents: Documents): Iterable<Finding> {
  for (const place of placesOf(documents)) {
    const at = place.child('x-countersign');
    if (at.value === undefined) continue;
    if (place.kind !== 'info') {
      yield misplaced('x-countersign', { places: ['info'] }, place, at.pointer);
    } else if (at.value !== 1) {
      yield {
        code: 'invalid-extension',
        pointer: at.pointer,
        message: '"x-countersign" names a version of the vocabulary that does not exist.',
        help: 'Write `x-countersign: 1`.',
      };
    }
  }
}

/** Returns the function that proposes one of the candidates for a key. A document has the same key in many places. */
const resembling = memoize((candidates: readonly string[]) => {
  const found = new Map<string, string | undefined>();
  return (key: string): string | undefined => {
    if (!found.has(key)) {
      const maxDistance = Math.max(1, Math.floor((key.length - 'x-'.length) / 4));
      found.set(key, didYouMean(key, candidates, 1, maxDistance));
    }
    return found.get(key);
  };
});

/** Yields a finding for a key that resembles one of the vocabulary. Any other key is one of another tool. */
function* unknown(
  key: string,
  pointer: Pointer,
  candidates: readonly string[] = allKeys,
): Iterable<Finding> {
  const help = resembling(candidates)(key);
  if (help === undefined) return;
  const message = `${quote(key)} is not part of the vocabulary.`;
  yield { code: 'unknown-extension', pointer, message, help };
}

function misplaced(
  key: string,
  { places }: Pick<ExtensionDefinition, 'places'>,
  place: Place,
  pointer: Pointer,
): Finding {
  const where = places.map((name) => placeWords[name]).join(' or ');
  return {
    code: 'invalid-extension',
    pointer,
    message: `${quote(key)} is in the wrong place: it belongs on ${where}, and this is ${article(place)}.`,
    help: `Move ${quote(key)} to ${where}.`,
  };
}

function article({ kind }: Place): string {
  const words = kind.replaceAll('-', ' ');
  if (kind === 'document' || kind === 'info' || kind === 'components') return `the ${words} object`;
  return `${/^[aeiox]/.test(words) ? 'an' : 'a'} ${words}`;
}

function mayStand({ places }: ExtensionDefinition, place: Place): boolean {
  return places.some((allowed) => {
    if (allowed === 'anywhere') return true;
    if (allowed === 'message')
      return isMessage(place) || (place.kind === 'message' && isTrait(place));
    if (allowed === 'parameter' || allowed === 'operation') {
      return place.kind === allowed && pointerDocument(place.pointer) === 'openapi';
    }
    return place.kind === allowed;
  });
}
