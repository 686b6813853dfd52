import { proofOf } from './deliveries/proofs/proofs.ts';
import type { ServedScheme, Service } from './service.ts';
import type { SimulatorOptions } from './simulator.ts';

/**
 * Returns whether the key of the options (`authentication.key`) is that of a signature in the body. Where a notification
 * has it for something else, such as a signature in a header, it is also that of those in the body that share its
 * credential. Otherwise, it is that of the first signature in the body.
 */
export function hasOptionKey(
  { security: schemes, notifications }: Pick<Service, 'security' | 'notifications'>,
  { id, credential }: ServedScheme,
): boolean {
  return notifications
    .flatMap(({ security }) => security)
    .filter((required) => required.some(({ scheme }) => scheme === id))
    .every((required) => {
      const signed = required.flatMap(
        ({ scheme: schemeId }) => schemes.find((scheme) => scheme.id === schemeId) ?? [],
      );
      const owner =
        signed.find((scheme) => usesKey(scheme)) ??
        signed.find(({ bodyScheme }) => bodyScheme !== undefined);
      return owner?.id === id || (credential !== undefined && owner?.credential === credential);
    });
}

/** Returns whether deliveries have the key for something else than a signature in the body. */
function usesKey(scheme: ServedScheme): boolean {
  const { keyUse, signBody } = proofOf(scheme) ?? {};
  return signBody === undefined && keyUse?.(scheme, undefined, {}) !== undefined;
}

/** Returns the credentials with the key of the options as that of the signatures in the body that have it. */
export function withBodyKeys(
  description: Pick<Service, 'security' | 'notifications'>,
  { authentication, credentials: optionCredentials = {} }: SimulatorOptions,
  credentials: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const key = authentication?.key;
  if (key === undefined) return credentials;
  const owned = description.security.flatMap((scheme) => {
    const { bodyScheme, credential } = scheme;
    return bodyScheme === undefined ||
      credential === undefined ||
      Object.hasOwn(optionCredentials, credential) ||
      !hasOptionKey(description, scheme)
      ? []
      : [[credential, key] as const];
  });
  return { ...credentials, ...Object.fromEntries(owned) };
}
