import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import {
  type Diagnostic,
  createDiagnostic,
  createRecoveredDiagnostic,
} from '../diagnostics/diagnostic.ts';
import { type Pointer, pointerDocument } from '../json/pointer.ts';
import { vocabularyDocuments } from './declared-vocabulary.ts';
import type { Documents } from './documents.ts';

/** Creates a diagnostic about a place of a bundled document, located in the file where the place is written. */
export function diagnose(
  documents: Documents,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
  help?: string,
): Diagnostic {
  const more = help === undefined ? { pointer } : { pointer, help };
  return createDiagnostic(code, message, documents.locate(pointer), more);
}

/** Creates a diagnostic that is an error in a document that uses the vocabulary, and a warning in other documents. */
export function diagnoseByVocabulary(
  documents: Documents,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
): Diagnostic {
  const isDeclared = vocabularyDocuments(documents).includes(pointerDocument(pointer));
  const severity = isDeclared ? 'error' : 'warning';
  return createDiagnostic(code, message, documents.locate(pointer), { pointer, severity });
}

/**
 * Creates a diagnostic about a mistake whose intended meaning is clear. It is an error in a document that uses the
 * vocabulary. In other documents it is a warning.
 * @param until states how generation reads the place, as the end of a sentence
 */
export function diagnoseRecovered(
  documents: Documents,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
  until: string,
  help?: string,
): Diagnostic {
  if (vocabularyDocuments(documents).includes(pointerDocument(pointer))) {
    return diagnose(documents, code, pointer, message, help);
  }
  return createRecoveredDiagnostic(code, message, documents.locate(pointer), pointer, until, help);
}
