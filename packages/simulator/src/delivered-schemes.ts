import type { ServedScheme, Service } from './service.ts';

/**
 * Returns the schemes that the contract states for notifications, in its order; instead of them the chosen signature, if
 * there is one.
 */
export function deliveredSchemes(
  { notifications, security }: Pick<Service, 'notifications' | 'security'>,
  chosen?: string | false,
): readonly ServedScheme[] {
  const ids = new Set<string | false>(
    chosen === undefined
      ? notifications.flatMap((notification) =>
          notification.security.flat().map(({ scheme }) => scheme),
        )
      : [chosen],
  );
  return security.filter(({ id }) => ids.has(id));
}
