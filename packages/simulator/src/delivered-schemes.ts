import type { SchemeData, ServiceDescription } from './service-description.ts';

/**
 * Returns the schemes that the contract states for notifications, in its order; instead of them the chosen signature, if
 * there is one.
 */
export function deliveredSchemes(
  { notifications, schemes }: Pick<ServiceDescription, 'notifications' | 'schemes'>,
  chosen?: string | false,
): readonly SchemeData[] {
  const ids = new Set<string | false>(
    chosen === undefined ? notifications.flatMap(({ security }) => security.flat()) : [chosen],
  );
  return schemes.filter(({ id }) => ids.has(id));
}
