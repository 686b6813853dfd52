import { distinctNames } from '../../contract/names.ts';
import type { Code } from '../code.ts';
import { identifier } from '../escape.ts';

/** A declaration in a module, which is printed once. */
interface Declaration {
  readonly isType: boolean;
  readonly name: Code;
  readonly code: Code;
}

/** Returns the code, or the name of its declaration if the module has it several times. */
export type Share = (kind: 'type' | 'value', wanted: string, code: Code) => Code;

/** Leaves all code where it is. */
export const shareNothing: Share = (_kind, _wanted, code) => code;

/**
 * Prints the parts of a module so that what it has several times is declared once. The declarations are sorted by name,
 * and a name depends on nothing but the code and other code that wants the same name.
 * @param taken the names that the module has already
 * @param print is called twice: to find what is repeated, and to refer to it
 */
export function shareRepeated<Printed>(
  taken: Iterable<string>,
  print: (share: Share) => Printed,
): { readonly printed: Printed; readonly shared: readonly Declaration[] } {
  const found = new Map<string, Omit<Declaration, 'name'> & { wanted: string; uses: number }>();
  print((kind, wanted, code) => {
    const before = found.get(code.text);
    const isType = kind === 'type';
    if (before === undefined) found.set(code.text, { isType, wanted, code, uses: 1 });
    else before.uses += 1;
    return code;
  });
  const repeated = [...found.values()].filter(({ uses }) => uses > 1);
  const claims = [
    ...repeated.map(({ wanted, code }) => ({ wanted, id: code.text, place: '' })),
    ...Array.from(taken, (name) => ({ wanted: name, id: name, place: '' })),
  ];
  const names = distinctNames(claims);
  const shared = repeated.map(({ isType, code }, index) => ({
    isType,
    code,
    name: identifier(names[index] ?? ''),
  }));
  const nameOf = new Map(shared.map(({ code, name }) => [code.text, name]));
  return {
    printed: print((_kind, _wanted, code) => nameOf.get(code.text) ?? code),
    shared: shared.toSorted((a, b) => (a.name.text < b.name.text ? -1 : 1)),
  };
}
