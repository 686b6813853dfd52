import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Violation } from '../../generated/contract/src/validation.ts';
import type { NamedExample } from './generate-document.ts';
import type { Judged } from './record.ts';

/** Imports every validator and the entries of the packages of a project, and runs its examples; writes `judged.json`. */
const [project = ''] = process.argv.slice(2);
const packages = join(project, 'packages');
const failures: string[] = [];
const guards = new Map<string, Readonly<Record<string, unknown>>>();

for (const file of await filesOf('contract/src/guards')) {
  const module = await load(`contract/src/guards/${file}`);
  if (module !== undefined) guards.set(file.replace(/\.ts$/u, ''), module);
}
const validators = (await filesOf('contract/validators')).filter((file) => file.endsWith('.js'));
for (const file of validators) await load(`contract/validators/${file}`);

let loaded = 0;
for (const name of ['contract', 'client', 'webhooks']) {
  if (!existsSync(join(packages, name))) continue;
  if ((await load(`${name}/src/index.ts`)) !== undefined) loaded += 1;
}

const examples = JSON.parse(
  await readFile(join(project, 'examples.json'), 'utf8'),
) as readonly NamedExample[];
let accepted = 0;
const refused: string[] = [];
for (const { of, typeName, fileName, value } of examples) {
  if (typeName === '') {
    refused.push(`${of}: the contract has no such notification`);
    continue;
  }
  const validate = guards.get(fileName)?.[`validate${typeName}`];
  if (typeof validate !== 'function') {
    failures.push(`there is no validate${typeName}`);
    continue;
  }
  const violations = attempt(() => validate(value) as readonly Violation[]);
  if (typeof violations === 'string') failures.push(`validate${typeName}: ${violations}`);
  else if (violations.length === 0) accepted += 1;
  else if (refused.length < 20) refused.push(`${of}: ${describe(violations)}`);
}

const judged: Judged = {
  validators: validators.length,
  packages: loaded,
  failures: failures.slice(0, 20),
  examples: examples.length,
  accepted,
  refused,
};
await writeFile(join(project, 'judged.json'), JSON.stringify(judged));

async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(join(packages, folder))).toSorted();
  } catch {
    return [];
  }
}

async function load(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const url = pathToFileURL(join(packages, path)).href;
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function attempt<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function describe(violations: readonly Violation[]): string {
  const shown = violations
    .slice(0, 3)
    .map(({ pointer, message }) => `${pointer === '' ? 'the value' : pointer} ${message}`);
  const more = violations.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`.slice(0, 400);
}
