import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../generator/config/load-config.ts';
import { generate } from '../../generator/generate.ts';
import type { Tree } from '../output/tree.ts';

/** The folder of the cases: each has a contract, a configuration, and what is expected of it. */
export const golden: string = fileURLToPath(new URL('.', import.meta.url));

/** What is expected of each case: what `generated/`, whose contract has other features, does not show. */
const expected: Readonly<Record<string, RegExp>> = {
  // Webhooks of OpenAPI, recursive schemas, unions of objects, `deprecated`.
  'library-loans': /^contract\/src\/index\.ts$/u,
  // OpenAPI 3.0: `nullable`, Boolean `exclusiveMinimum`, and how they are published.
  'parcel-tracking': /^contract\/(?:openapi\.json$|schemas\/|src\/index\.ts$)/u,
  // Notifications without a signature, parameters in labels, kinds that no delivery tells apart, open enumerations.
  'weather-stations': /^(?:contract\/src\/index\.ts$|webhooks\/src\/)/u,
};

/** The names of the cases. */
export const caseNames: readonly string[] = Object.keys(expected);

/** Generates a case from a copy in a folder. */
export async function generateCase(name: string, folder: string): Promise<void> {
  await cp(join(golden, name), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('expected'),
  });
  const { configs } = await loadConfig(folder);
  for (const config of configs) {
    const { status, diagnostics } = await generate(config, { folder });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0 || status !== 'written') throw new Error(JSON.stringify(errors));
  }
}

/** Returns the files of an output that the case expects. */
export function selectExpected(name: string, output: Tree): Tree {
  return Object.fromEntries(
    Object.entries(output).filter(([path]) => expected[name]?.test(path)),
  );
}
