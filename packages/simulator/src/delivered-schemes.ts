import type { SchemeData, ServiceDescription } from './service-description.ts';

/**
 * Returns the schemes that the contract states for notifications, in its order; instead of them the chosen signature, if
 * there is one.
 */
export function deliveredSchemes(
  { notifications, security }: Pick<ServiceDescription, 'notifications' | 'security'>,
  chosen?: string | false,
): readonly SchemeData[] {
  const ids = new Set<string | false>(
    chosen === undefined
      ? notifications.flatMap((notification) =>
          notification.security.flat().map(({ scheme }) => scheme),
        )
      : [chosen],
  );
  return security.filter(({ id }) => ids.has(id));
}
