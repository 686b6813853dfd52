import type { Contract } from '../contract.ts';

/**
 * Names of the schemas that nothing new should use: those that say so, and those that stand in place in a call or a
 * notification that says so, and have no use besides.
 */
export function deprecatedSchemas(contract: Contract): ReadonlySet<string> {
  const { schemas, operations, notifications } = contract;
  const places = [...operations, ...notifications].flatMap(({ deprecated, pointer }) =>
    deprecated ? [`${pointer}/`] : [],
  );
  return new Set(
    schemas.flatMap(({ name, deprecated, origin, pointer }) =>
      deprecated || (origin === 'inline' && places.some((place) => pointer.startsWith(place)))
        ? [name]
        : [],
    ),
  );
}
