import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const entry = pathToFileURL(createRequire(import.meta.url).resolve('@redocly/openapi-core'));

/**
 * Imports one module of Redocly. Redocly's entry point loads all rules, configurations and formats, which takes three
 * times as long as loading a contract. Only code that reports problems needs the entry point. The version is pinned, so
 * the paths of modules do not change.
 */
export async function redoclyPart<T>(file: string): Promise<T> {
  const part: unknown = await import(new URL(file, entry).href);
  return part as T;
}
