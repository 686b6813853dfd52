import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Json } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import { type Pointer, pointerDocument, toPointer } from '../json/pointer.ts';
import { type Cursor, child, entries } from '../json/cursor.ts';
import {
  type ExtensionDefinition,
  type ExtensionPlace,
  vocabulary,
} from '../contract/lower/vocabulary.ts';
import { vocabularyPlaces } from '../load/declared-vocabulary.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { isMessage, isTrait } from './messages.ts';
import type { Rule } from './rule.ts';
import { diagnose } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Violation, dependentKeywords } from './violations.ts';
import { checkVocabulary } from './vocabulary-check.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';

/**
 * Checks the extensions of documents with `x-countersign: 1`. Each has to be a key of the vocabulary, on an object that
 * allows it, with a valid value.
 */
export const extensions: Rule = {
  name: 'extensions',
  codes: ['unknown-extension', 'invalid-extension'],
  check({ documents }): Iterable<Diagnostic> {
    const diagnostics: Diagnostic[] = [...checkDeclaration(documents)];
    for (const place of vocabularyPlaces(documents)) {
      for (const [key, at] of entries(place)) {
        if (!key.startsWith('x-') || key === 'x-countersign') continue;
        const extension = Object.hasOwn(vocabulary, key) ? vocabulary[key] : undefined;
        if (extension === undefined) {
          diagnostics.push(unknown(documents, key, at.pointer));
        } else if (!mayStand(extension, place)) {
          diagnostics.push(misplaced(documents, key, extension, place, at.pointer));
        } else {
          const violations = checkVocabulary(extension.schema, at.value ?? null);
          diagnostics.push(...invalid(documents, key, at, violations));
        }
      }
    }
    return diagnostics;
  },
};

/**
 * Returns a diagnostic for each violation in a value of the vocabulary, located at the member at fault.
 * @param what the name of the value in messages, such as its key
 */
export function invalid(
  documents: Documents,
  what: string,
  at: Cursor,
  violations: readonly Violation[],
): readonly Diagnostic[] {
  const inner = violations.filter(
    ({ keyword }) => !dependentKeywords.has(keyword) || keyword === 'propertyNames',
  );
  return (inner.length > 0 ? inner : violations).map((violation) => {
    const { at: path, member, words } = violation;
    const pointer: Pointer = `${at.pointer}${path}`;
    return diagnose(
      documents,
      'invalid-extension',
      member === undefined ? pointer : toPointer(pointer, member),
      `${quote(what)} is invalid: ${path === '' ? 'the value' : quote(path)} ${words}.`,
      isUnquotedSection(what, valueAt(at.value, path)) ? quoteSections : undefined,
    );
  });
}

const quoteSections = 'Put the section in quotes: without them, YAML reads 2.10 as the number 2.1.';

function isUnquotedSection(key: string, value: Json | undefined): boolean {
  return key === 'x-source' && typeof value === 'number';
}

function valueAt(value: Json | undefined, path: string): Json | undefined {
  if (path === '') return value;
  return Array.isArray(value) ? (value as readonly Json[])[Number(path.slice(1))] : undefined;
}

/** Checks `x-countersign` on every object: on the wrong object, it would disable the checks without notice. */
function* checkDeclaration(documents: Documents): Iterable<Diagnostic> {
  for (const place of placesOf(documents)) {
    const at = child(place, 'x-countersign');
    if (at.value === undefined) continue;
    if (place.kind !== 'info') {
      yield misplaced(documents, 'x-countersign', { places: ['info'] }, place, at.pointer);
    } else if (at.value !== 1) {
      yield diagnose(
        documents,
        'invalid-extension',
        at.pointer,
        '"x-countersign" names a version of the vocabulary that does not exist.',
        'Write `x-countersign: 1`.',
      );
    }
  }
}

function unknown(documents: Documents, key: string, pointer: Pointer): Diagnostic {
  return diagnose(
    documents,
    'unknown-extension',
    pointer,
    `${quote(key)} is not part of the vocabulary.`,
    didYouMean(key, Object.keys(vocabulary)),
  );
}

function misplaced(
  documents: Documents,
  key: string,
  { places }: Pick<ExtensionDefinition, 'places'>,
  place: Place,
  pointer: Pointer,
): Diagnostic {
  const where = places.map((name) => placeNames[name]).join(' or ');
  return diagnose(
    documents,
    'invalid-extension',
    pointer,
    `${quote(key)} is in the wrong place: it belongs on ${where}, and this is ${article(place)}.`,
    `Move ${quote(key)} to ${where}.`,
  );
}

const placeNames: Readonly<Record<ExtensionPlace, string>> = {
  document: 'the document itself',
  info: 'the "info" of the document',
  components: 'the "components" of the document',
  anywhere: 'any object',
  'security-scheme': 'a security scheme',
  parameter: 'a parameter',
  operation: 'an operation of OpenAPI',
  schema: 'a schema',
  message: 'a message (in OpenAPI: the operation that carries it)',
};

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
