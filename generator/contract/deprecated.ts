import type { Contract } from './contract.ts';

/**
 * Returns the names of the schemas that new code should not use: schemas marked as deprecated, and inline schemas of a
 * deprecated operation or notification.
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
