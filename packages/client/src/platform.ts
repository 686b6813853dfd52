import { ClientError } from './client-error.ts';

/**
 * Throws a ClientError where the platform lacks what calls need, before anything is sent. Features are checked and not
 * versions, so that every platform with these Web standards will do.
 */
export function assertPlatform(): void {
  const isThere = {
    fetch: typeof fetch === 'function',
    crypto: typeof crypto === 'object',
    'AbortSignal.any': typeof AbortSignal === 'function' && typeof AbortSignal.any === 'function',
  };
  const missing = Object.entries(isThere).flatMap(([name, there]) => (there ? [] : [name]));
  if (missing.length === 0) return;
  throw new ClientError(
    'unsupported-platform',
    `This platform lacks ${missing.join(', ')}. Run the client on Node 20.12 or later, or on another platform with these Web standards.`,
  );
}
