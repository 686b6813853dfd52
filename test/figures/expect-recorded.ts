import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { compareFigures, type Figures } from './compare-figures.ts';

const folder = new URL('./recorded/', import.meta.url);

/**
 * Compares sizes and counts with those recorded in `test/figures/recorded/<name>.json`: numbers with 5 % of room, lists
 * exactly. `npm run figures` records what is measured, so that a diff shows each change.
 *
 * @param name The file of one call: two calls with the same name would overwrite each other's figures.
 */
export async function expectRecorded(name: string, figures: Figures): Promise<void> {
  const file = new URL(`${name}.json`, folder);
  if ((process.env['COUNTERSIGN_WRITE'] ?? '') !== '')
    await writeFile(file, `${JSON.stringify(figures, undefined, 2)}\n`);
  const recorded = JSON.parse(await readFile(file, 'utf8')) as Figures;
  const findings = compareFigures(recorded, figures).map((finding) => `${name}: ${finding}`);
  expect(
    findings,
    `${findings.join('\n')}\nIf the change is worth it, run \`npm run figures\`, and commit ${name}.json.`,
  ).toEqual([]);
}
