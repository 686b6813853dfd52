import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';

const specFolder = new URL('../../spec/', import.meta.url);

/** Names of the files in a folder of the contract, sorted by code unit. */
export function listSpec(folder: string): readonly string[] {
  return readdirSync(new URL(folder, specFolder)).toSorted();
}

/** The text of a file of the contract. */
export function readSpec(path: string): string {
  return readFileSync(new URL(path, specFolder), 'utf8');
}

/** A YAML or JSON file of the contract, references not followed. */
export function parseSpec(path: string): JsonObject {
  const value = parse(readSpec(path)) as Json;
  if (!isJsonObject(value)) throw new TypeError(`${path} does not hold an object`);
  return value;
}

/** The value at a path of members; fails where one is missing. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json {
  let here = value;
  for (const member of path) {
    here = Array.isArray(here) ? (here as readonly Json[])[Number(member)] : memberOf(here, member);
  }
  if (here === undefined) throw new TypeError(`nothing at ${path.join(' › ')}`);
  return here;
}

/** The same, where an object is expected. */
export function objectAt(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): JsonObject {
  const child = at(value, ...path);
  if (!isJsonObject(child)) throw new TypeError(`no object at ${path.join(' › ')}`);
  return child;
}

/** The same, where an array of objects is expected. */
export function objectsAt(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): readonly JsonObject[] {
  const child = at(value, ...path);
  if (!Array.isArray(child)) throw new TypeError(`no array at ${path.join(' › ')}`);
  return (child as readonly Json[]).filter(isJsonObject);
}

/** The same, where text is expected. */
export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const child = at(value, ...path);
  if (typeof child !== 'string') throw new TypeError(`no text at ${path.join(' › ')}`);
  return child;
}

/** Every `x-unstated` entry below a value, by id, in the order in which they stand. */
export function unstatedIn(value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(unstatedIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'x-unstated' && isJsonObject(member)
      ? Object.keys(member).map((id) => [id, objectAt(member, id)] as const)
      : unstatedIn(member),
  );
}

/** Both documents and every schema, by path. */
export function contractFiles(): ReadonlyMap<string, JsonObject> {
  const schemas = listSpec('schemas/').map((name) => `schemas/${name}`);
  return new Map(
    ['openapi.yaml', 'asyncapi.yaml', ...schemas].map((path) => [path, parseSpec(path)]),
  );
}

function memberOf(value: Json | undefined, member: string | number): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}
