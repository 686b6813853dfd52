import { ClientError } from './client-error.ts';

/**
 * Checks, before anything is sent, that the platform has the required Web standards. Checks features and not versions,
 * so that every platform with these standards is supported.
 * @throws ClientError `unsupported-platform`
 */
export function assertPlatform(): void {
  const isThere = {
    fetch: typeof fetch === 'function',
    crypto: typeof crypto === 'object',
    AbortController: typeof AbortController === 'function',
  };
  const missing = Object.entries(isThere).flatMap(([name, there]) => (there ? [] : [name]));
  if (missing.length === 0) return;
  throw new ClientError(
    'unsupported-platform',
    `This platform lacks ${missing.join(', ')}. Run the client on Node 20.12 or later, or on another platform with these Web standards.`,
  );
}
