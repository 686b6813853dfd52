import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnose } from '../../documents/diagnose.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Pointer } from '../../json/pointer.ts';
import { distinctNames } from '../names.ts';
import { quote } from '../../diagnostics/quote.ts';

/** A part of the contract that gets a name in code. */
export interface Nameable {
  /** The name in the contract. */
  readonly id: string;
  readonly pointer: Pointer;
}

/** What parts that are named together are. */
interface NamedParts {
  /** In the plural, as a diagnostic names them. */
  readonly kind: string;
  /** What the name identifies in code, such as a `function`. */
  readonly becomes: string;
  /** Whether another diagnostic reports parts with the same id. */
  readonly repeatedIds?: 'reported';
}

/** The documents that are lowered, and the list that receives diagnostics. */
export interface NamingContext {
  readonly documents: Documents;
  readonly diagnostics: Diagnostic[];
}

/**
 * Returns a different name for each part of the contract. A collision is an error in documents that use the vocabulary,
 * because their author can choose other names. In other documents it is a warning that states the name. A repeated id is
 * not reported if it has a diagnostic of its own.
 * @param nameOf returns the name that a part gets if no other part wants it
 */
export function takeNames(
  parts: readonly Nameable[],
  nameOf: (id: string) => string,
  { kind, becomes, repeatedIds }: NamedParts,
  { documents, diagnostics }: NamingContext,
): readonly string[] {
  const claims = parts.map(({ id, pointer }) => ({ id, place: pointer, wanted: nameOf(id) }));
  const names = distinctNames(claims);
  const byName = Map.groupBy(claims.entries(), ([, { wanted }]) => wanted);
  for (const [index, { id, place: pointer, wanted }] of claims.entries()) {
    const name = names[index] ?? wanted;
    if (name === wanted) continue;
    const others = (byName.get(wanted) ?? []).filter(([other]) => other !== index);
    // The one that keeps the name is named, or else the first.
    const [, owner] = others.find(([other]) => names[other] === wanted) ?? others[0] ?? [];
    if (owner === undefined || (owner.id === id && repeatedIds === 'reported')) continue;
    const { file, line } = documents.locate(owner.place);
    const message = `The ${kind} ${quote(owner.id)} (${file}:${line}) and ${quote(id)} would both become the ${becomes} ${wanted}.`;
    const until = `${quote(id)} is the ${becomes} ${name}`;
    diagnostics.push(diagnose(documents, 'name-collision', { pointer, message, until }));
  }
  return names;
}
