/**
 * Memoizes a function of an object. The result is computed at the first call, and kept while the object is reachable.
 * Suitable only for objects that never change, such as a contract.
 */
export function memoize<From extends object, Made>(
  make: (from: From) => Made,
): (from: From) => Made {
  const cache = new WeakMap<From, { readonly made: Made }>();
  return (from) => {
    const cached = cache.get(from);
    if (cached !== undefined) return cached.made;
    const made = make(from);
    cache.set(from, { made });
    return made;
  };
}
