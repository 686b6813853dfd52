import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnose } from '../../documents/diagnose.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { NameRegistry } from '../names.ts';
import { quote } from '../../diagnostics/quote.ts';

/** A part of the contract that gets a name in code. */
export interface Nameable {
  /** The name in the contract. */
  readonly id: string;
  readonly pointer: Pointer;
  /** What the part is, in the plural, as a diagnostic names it. */
  readonly kind: string;
  /** What the name identifies in code, such as a `function`. */
  readonly becomes: string;
}

/** The documents that are lowered, and the list that receives diagnostics. */
export interface NamingContext {
  readonly documents: Documents;
  readonly diagnostics: Diagnostic[];
}

/**
 * Takes a name for a part of the contract, or the next free name. A collision is an error in documents that use the
 * vocabulary, because their author can choose other names. In other documents it is a warning that states the new name.
 * A repeated id is not reported here, because it has its own diagnostic.
 */
export function takeName(
  names: NameRegistry<string>,
  name: string,
  { id, pointer, kind, becomes }: Nameable,
  { documents, diagnostics }: NamingContext,
): string {
  const owner = names.claim(name, id);
  if (owner === undefined) return name;
  const free = names.claimFree(name, id);
  if (owner !== id) {
    const message = `The ${kind} ${quote(owner)} and ${quote(id)} would both become the ${becomes} ${name}.`;
    const until = `${quote(id)} is the ${becomes} ${free}, which an addition to the contract can change`;
    diagnostics.push(diagnose(documents, 'name-collision', { pointer, message, until }));
  }
  return free;
}
