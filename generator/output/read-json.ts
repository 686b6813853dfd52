import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { isAbsent } from './disk.ts';

/** Reads a JSON object from a file; `undefined` if there is no file, or it has something else. */
export async function readJson(path: string): Promise<JsonObject | undefined> {
  const text = await readIfPresent(path);
  return text === undefined ? undefined : parseJsonObject(text);
}

/** Reads a text file; `undefined` if there is none. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Parses a text; `undefined` if it is not a JSON object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
