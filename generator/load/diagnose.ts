import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import {
  type Diagnostic,
  createDiagnostic,
  createMendedDiagnostic,
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
  return createMendedDiagnostic(code, message, documents.locate(pointer), pointer, until, help);
}
