import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Contract } from '../../../generator/contract/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../generator/json/json.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { repository } from '../../targets/emit-project.ts';

/** Ways to write a document that change nothing of what it means. */
const rewritings: Readonly<Record<string, (document: JsonObject) => JsonObject>> = {
  'as JSON': (document) => document,
  'with members in another order': (document) => reversed(document) as JsonObject,
  'with references inlined': (document) => inlined(document, document) as JsonObject,
  'with `$defs` renamed': (document) =>
    JSON.parse(JSON.stringify(document).replaceAll(/(\/\$defs\/|"\$defs":\{")/gu, '$1Renamed')),
};

/** The names of the ways to write a document, of which the first is to write it as it is. */
export const waysToWrite: readonly string[] = ['as it is', ...Object.keys(rewritings)];

/** Returns the changes between a document as it is written and as it is written in another way, as lines. */
export async function changesWritten(path: string, way: string): Promise<readonly string[]> {
  const text = await readFile(join(repository, path), 'utf8');
  return await changesBetween(text, rewritten(text, way));
}

/** Returns the changes of a document that is written in every way, as lines that begin with the way. */
export async function changesInEveryWay(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8');
  const base = await lower(text);
  const lines: string[] = [];
  for (const way of Object.keys(rewritings)) {
    const head = await lower(rewritten(text, way));
    lines.push(...linesOf({ base, head }).map((line) => `${way}: ${line}`));
  }
  return lines;
}

function rewritten(text: string, way: string): string {
  const document: unknown = parse(text);
  if (!isJsonObject(document)) throw new Error('The document is no object.');
  const rewrite = rewritings[way];
  return rewrite === undefined ? text : JSON.stringify(rewrite(document));
}

/** Returns the changes between the texts of two documents, as lines. */
export async function changesBetween(base: string, head: string): Promise<readonly string[]> {
  return linesOf({ base: await lower(base), head: await lower(head) });
}

function linesOf(contracts: Parameters<typeof diffContracts>[0]): readonly string[] {
  return diffContracts(contracts).map(
    ({ code, subject, message }) => `${code} ${subject}: ${message}`,
  );
}

async function lower(text: string): Promise<Contract> {
  const name = Object.hasOwn(parse(text), 'asyncapi') ? 'asyncapi.yaml' : 'openapi.yaml';
  return (await lowerFiles({ [name]: text })).contract;
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

/** Returns whether a schema selects among kinds or can be one of them, by its name. */
function isKind(schema: Json): boolean {
  return isJsonObject(schema) && (schema['discriminator'] ?? schema['allOf']) !== undefined;
}

/** Replaces each reference to a schema component by the component, whose own references stay. */
function inlined(value: Json, document: JsonObject): Json {
  const { schemas = {} } = (document['components'] ?? {}) as { readonly schemas?: JsonObject };
  const isSelecting = JSON.stringify(document).includes('"discriminator"');
  const inline = (part: Json): Json => {
    if (Array.isArray(part)) return (part as readonly Json[]).map(inline);
    if (!isJsonObject(part)) return part;
    const [, name = ''] = /^#\/components\/schemas\/([^/]+)$/u.exec(textOf(part['$ref'])) ?? [];
    const target = Object.keys(part).length === 1 ? schemas[name] : undefined;
    if (target !== undefined && !(isSelecting && isKind(target))) return target;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => {
        const isKept = key === 'mapping' || (isSelecting && kinds.includes(key));
        return [key, isKept ? (member ?? null) : inline(member ?? null)];
      }),
    );
  };
  return inline(value);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
