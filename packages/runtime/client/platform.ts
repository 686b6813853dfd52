import { ClientError } from './client-error.ts';

/**
 * Checks, before anything is sent, that the platform has the required Web standards. Checks features and not versions,
 * so that every platform with these standards is supported.
 * @throws ClientError `unsupported-platform`
 */
export function assertPlatform(): void {
  const missing = ['fetch', 'crypto', 'AbortController'].filter(
    (name) => Reflect.get(globalThis, name) === undefined,
  );
  if (missing.length === 0) return;
  throw new ClientError(
    'unsupported-platform',
    `This platform lacks ${missing.join(', ')}. Use Node 20.12 or later, or another platform with these Web standards.`,
  );
}
