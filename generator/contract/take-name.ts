import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import type { Pointer } from '../pointer.ts';
import type { NameRegistry } from './names.ts';

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
 * Takes a name for something of the contract. Where another thing has it, that is an error of the contract, and the
 * next free name is taken so that lowering can go on. The same id twice has a diagnostic of its own.
 */
export function takeName(
  names: NameRegistry<string>,
  name: string,
  { id, pointer, kind, becomes }: Nameable,
  { documents, diagnostics }: Report,
): string {
  const owner = names.claim(name, id);
  if (owner === undefined) return name;
  if (owner !== id) {
    const message = `The ${kind} "${owner}" and "${id}" would both become the ${becomes} ${name}.`;
    diagnostics.push(
      createDiagnostic('name-collision', message, documents.locate(pointer), { pointer }),
    );
  }
  return names.claimFree(name, id);
}
