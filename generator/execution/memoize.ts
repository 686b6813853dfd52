/**
 * What `make` makes of an object, made when it is first asked for and kept for as long as the object is there. For what
 * never changes, such as a contract.
 */
export function once<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const known = new WeakMap<From, { readonly made: Made }>();
  return (from) => {
    const before = known.get(from);
    if (before !== undefined) return before.made;
    const made = make(from);
    known.set(from, { made });
    return made;
  };
}
