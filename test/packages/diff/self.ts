import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Contract } from '../../../generator/contract/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../generator/json/json.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { repository } from '../../targets/emit-project.ts';

/** A document as data. */
export async function readDocument(path: string): Promise<JsonObject> {
  const document: unknown = parse(await readFile(join(repository, path), 'utf8'));
  if (!isJsonObject(document)) throw new Error(`${path} is no object.`);
  return document;
}

/** Ways to write a document that change nothing of what it means. */
export const rewritings: Readonly<Record<string, (document: JsonObject) => JsonObject>> = {
  'as it is': (document) => document,
  'with members in another order': (document) => reversed(document) as JsonObject,
  'with references inlined': (document) => inlined(document, document) as JsonObject,
  'with `$defs` renamed': (document) =>
    JSON.parse(JSON.stringify(document).replaceAll(/(\/\$defs\/|"\$defs":\{")/gu, '$1Renamed')),
};

/** Returns the changes between a document and a rewriting of it, as lines. */
export async function changesBetween(
  base: JsonObject,
  head: JsonObject,
): Promise<readonly string[]> {
  const changes = diffContracts({ base: await lower(base), head: await lower(head) });
  return changes.map(({ code, subject, message }) => `${code} ${subject}: ${message}`);
}

async function lower(document: JsonObject): Promise<Contract> {
  const name = document['asyncapi'] === undefined ? 'openapi.yaml' : 'asyncapi.yaml';
  return (await lowerFiles({ [name]: JSON.stringify(document) })).contract;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member ?? null)]),
  );
}

/** Keywords whose references name kinds, if a discriminator selects by their names. */
const kinds = ['oneOf', 'anyOf', 'allOf'];

/** Replaces each reference to a schema component by the component, whose own references stay. */
function inlined(value: Json, document: JsonObject): Json {
  const { schemas = {} } = (document['components'] ?? {}) as { readonly schemas?: JsonObject };
  const isSelecting = JSON.stringify(document).includes('"discriminator"');
  const inline = (part: Json): Json => {
    if (Array.isArray(part)) return (part as readonly Json[]).map(inline);
    if (!isJsonObject(part)) return part;
    const [, name = ''] = /^#\/components\/schemas\/([^/]+)$/u.exec(String(part['$ref'])) ?? [];
    const target = Object.keys(part).length === 1 ? schemas[name] : undefined;
    if (target !== undefined) return target;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => {
        const isKept = key === 'mapping' || (isSelecting && kinds.includes(key));
        return [key, isKept ? (member ?? null) : inline(member ?? null)];
      }),
    );
  };
  return inline(value);
}
