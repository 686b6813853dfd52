import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const entry = pathToFileURL(createRequire(import.meta.url).resolve('@redocly/openapi-core'));

/**
 * One module of Redocly. Its entry loads every rule, configuration and format there is, which takes three times as long
 * as all of a contract's own loading; only who has something to say of a document loads that. The version is pinned, so a
 * module is where it was.
 */
export async function redoclyPart<T>(file: string): Promise<T> {
  const part: unknown = await import(new URL(file, entry).href);
  return part as T;
}
