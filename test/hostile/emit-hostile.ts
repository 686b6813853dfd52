import { join } from 'node:path';
import type { Config } from '../../generator/config/config.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { readContract } from '../../generator/generate.ts';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { pointerMembers, type Pointer } from '../../generator/json/pointer.ts';
import { targetNames } from '../../generator/targets/registry.ts';
import type { OutputFile } from '../../generator/targets/target.ts';
import { writeTree } from '../output/tree.ts';
import type { TextAt } from './text-at.ts';

/** The result of generating a contract with a text at every place. */
export interface HostileRun {
  readonly files: readonly OutputFile[];
  /** The places that the contract may not have the text at, each with the code of the diagnostic that says so. */
  readonly refused: ReadonlyMap<string, string>;
}

/** What stands for `pwned_0` in the text of a place, so that it is known from the texts of other places. */
const nameAt = (index: number): string => `pwned_${index}`;

/** The places that a piece of output or of a diagnostic speaks of, as written or as part of a name that was made. */
export function placesIn(text: string, places: readonly string[]): ReadonlySet<string> {
  const matchingPlaces = new Set<string>();
  for (const [, index] of text.matchAll(/pwned[_-]?(\d+)/giu)) {
    const place = places[Number(index)];
    if (place !== undefined) matchingPlaces.add(place);
  }
  return matchingPlaces;
}

/**
 * Generates every target from documents with a text at every place. Where a diagnostic refuses a text at a place, the
 * place has its harmless text instead, so that the other places are generated.
 * @param places every place, in an order that names their texts
 * @throws Error for a contract that is refused without a diagnostic for a place
 */
export async function emitHostile(
  documents: (at: TextAt) => Readonly<Record<'openapi' | 'asyncapi', JsonObject>>,
  places: readonly string[],
  text: string,
  folder: string,
  layout: Config['layout'] = 'packages',
): Promise<HostileRun> {
  const refused = new Map<string, string>();
  const config: Config = {
    contract: { openapi: 'openapi.json', asyncapi: 'asyncapi.json' },
    scope: '@trade',
    output: 'generated',
    targets: targetNames.map((use) =>
      use === 'contract' ? { use, data: ['openapi', 'asyncapi', 'schemas', 'unstated'] } : use,
    ),
    layout,
  };
  for (;;) {
    const { openapi, asyncapi } = documents((place, otherwise) =>
      refused.has(place) ? otherwise : text.replaceAll(nameAt(0), nameAt(places.indexOf(place))),
    );
    const tree = { 'openapi.json': toText(openapi), 'asyncapi.json': toText(asyncapi) };
    await writeTree(folder, tree);
    const { contract, diagnostics } = await readContract(config, folder);
    if (contract !== undefined)
      return { refused, files: await emitFiles(contract, config, join(folder, 'config')) };
    const before = refused.size;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    for (const diagnostic of errors)
      for (const place of placesOf(diagnostic, tree, places)) refused.set(place, diagnostic.code);
    if (refused.size === before)
      throw new Error(`Refused without a place: ${JSON.stringify(errors, null, 2)}`);
  }
}

/** A member a line, so that the place of a diagnostic is that of a text. */
function toText(document: JsonObject): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** The places that a diagnostic is about: by its line where that has any, by what it says or stands for otherwise. */
function placesOf(
  { file, line, pointer = 'openapi#', message }: Diagnostic,
  tree: Readonly<Record<string, string>>,
  places: readonly string[],
): ReadonlySet<string> {
  const lineText = tree[file]?.split('\n')[line - 1] ?? '';
  const root = JSON.parse(tree[file] ?? 'null') as Json;
  const valueText = JSON.stringify(valueAt(root, pointer)) ?? '';
  // What waits for an answer is about the choices as well.
  const answers = /"unstated":"([^"]*)"/u.exec(valueText)?.[1] ?? '';
  const choices = JSON.stringify(valueAt(root, `openapi#/info/x-unstated/${answers}`)) ?? '';
  for (const text of [lineText, pointer, message, valueText, choices]) {
    const matchingPlaces = placesIn(text, places);
    if (matchingPlaces.size > 0) return matchingPlaces;
  }
  return new Set();
}

function valueAt(root: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = root;
  for (const member of pointerMembers(pointer)) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(member)];
    else value = isJsonObject(value) ? value[member] : undefined;
  }
  return value;
}
