import { type Diagnostic, createDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../load/documents.ts';
import { type Pointer, pointerDocument } from '../../json/pointer.ts';
import { vocabularyDocuments } from '../../load/declared-vocabulary.ts';
import type { NameRegistry } from './names.ts';
import { quote } from '../../diagnostics/quote.ts';

/** Something of the contract that gets a name in code. */
export interface Nameable {
  /** What it is called in the contract. */
  readonly id: string;
  readonly pointer: Pointer;
  /** Its kind, in the plural, as a diagnostic names it. */
  readonly kind: string;
  /** What the name is in code, such as `function`. */
  readonly becomes: string;
}

/** Where lowering says what is wrong. */
export interface Report {
  readonly documents: Documents;
  readonly diagnostics: Diagnostic[];
}

/**
 * Takes a name for something of the contract, or the next that is free. Where another thing has it, that is an error of
 * a contract that was written in the vocabulary, with a free choice of names; elsewhere a warning says what the name
 * became. The same id twice has a diagnostic of its own.
 */
export function takeName(
  names: NameRegistry<string>,
  name: string,
  { id, pointer, kind, becomes }: Nameable,
  { documents, diagnostics }: Report,
): string {
  const owner = names.claim(name, id);
  if (owner === undefined) return name;
  const free = names.claimFree(name, id);
  if (owner !== id) {
    const isDeclared = vocabularyDocuments(documents).includes(pointerDocument(pointer));
    const message = `The ${kind} ${quote(owner)} and ${quote(id)} would both become the ${becomes} ${name}.`;
    diagnostics.push(
      createDiagnostic('name-collision', message, documents.locate(pointer), {
        pointer,
        ...(isDeclared
          ? {}
          : {
              severity: 'warning',
              help: `Rename one of the two; until then, ${quote(id)} is the ${becomes} ${free}, which an addition to the contract can change.`,
            }),
      }),
    );
  }
  return free;
}
