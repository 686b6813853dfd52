import { type Diagnostic, createDiagnostic } from '../diagnostics/diagnostic.ts';
import type { Severity } from '../diagnostics/severity.ts';
import { type Pointer, pointerDocument } from '../json/pointer.ts';
import { vocabularyDocuments } from './declared-vocabulary.ts';
import type { Documents } from './documents.ts';

/** What is wrong at a place of a bundled document. */
export interface Problem {
  readonly pointer: Pointer;
  readonly message: string;
  /** Replaces the help of the catalogue. */
  readonly help?: string | undefined;
  /**
   * How generation reads the place, as the end of a sentence, for a mistake whose intended meaning is clear. It is a
   * warning in a document that does not use the vocabulary.
   */
  readonly until?: string;
  /** Replaces the severity of the catalogue. `by-vocabulary`: an error only in a document that uses the vocabulary. */
  readonly severity?: Severity | 'by-vocabulary';
}

/** Creates the diagnostic about a problem, located in the file where the place is written. */
export function diagnose(
  documents: Documents,
  code: Diagnostic['code'],
  { pointer, message, help, until, severity }: Problem,
): Diagnostic {
  const isDeclared = vocabularyDocuments(documents).includes(pointerDocument(pointer));
  const byVocabulary = isDeclared ? 'error' : 'warning';
  return createDiagnostic(code, message, documents.locate(pointer), {
    pointer,
    help,
    severity: severity === 'by-vocabulary' ? byVocabulary : severity,
    until: isDeclared ? undefined : until,
  });
}
