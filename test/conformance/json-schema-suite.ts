import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { generate } from '../../generator/generate.ts';
import type { Json } from '../../generator/json/json.ts';
import type { Failure, SuiteResult } from './suite-result.ts';

/** A schema of JSON-Schema-Test-Suite with its tests, as the suite writes them. */
interface SuiteGroup {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly {
    readonly description: string;
    readonly data: Json;
    readonly valid: boolean;
  }[];
}

interface NamedGroup extends SuiteGroup {
  readonly name: string;
  /** The name of the schema's file, without the extension. */
  readonly file: string;
}

/** The result for one schema of the suite. */
interface GroupResult {
  readonly tests: number;
  readonly failures: readonly Failure[];
}

/**
 * Generates validators from every schema of `tests/draft2020-12` except the optional ones, and runs its tests.
 * All schemas are components of one contract, each in a file of its own, so that `#` refers to the schema. Schemas that
 * `generate` refuses are removed from the contract, until it has no errors.
 */
export async function runJsonSchemaSuite(suite: string, source: string): Promise<SuiteResult> {
  const tests = join(suite, 'tests/draft2020-12');
  const groups: NamedGroup[] = [];
  for (const file of (await readdir(tests)).toSorted()) {
    if (!file.endsWith('.json')) continue;
    const text = await readFile(join(tests, file), 'utf8');
    for (const group of JSON.parse(text) as readonly SuiteGroup[]) {
      const name = `${file.slice(0, -5)}: ${group.description}`;
      groups.push({ ...group, name, file: `Case${groups.length}` });
    }
  }

  const folder = await mkdtemp(join(tmpdir(), 'countersign-json-schema-'));
  try {
    const results: GroupResult[] = [];
    const batches = [...toBatches(groups)];
    for (const [index, batch] of batches.entries()) {
      const batchFolder = join(folder, String(index));
      await mkdir(join(batchFolder, 'schemas'), { recursive: true });
      for (const [position, result] of (await runBatch(batchFolder, batch)).entries()) {
        const group = batch[position];
        // Names that two schemas of the suite have in common collide only because they are in one contract.
        if (group !== undefined && batch.length > 1 && isCollision(result)) batches.push([group]);
        else results.push(result);
      }
    }
    return {
      suite: 'JSON-Schema-Test-Suite',
      source,
      tests: results.reduce((sum, result) => sum + result.tests, 0),
      failures: results.flatMap(({ failures }) => failures),
      notes: [],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function isCollision({ failures }: GroupResult): boolean {
  return failures.some(({ outcome }) => outcome === 'refused: name-collision');
}

/** Returns each schema with dynamic anchors alone, because their names apply to a whole contract, and all others. */
function toBatches(groups: readonly NamedGroup[]): readonly (readonly NamedGroup[])[] {
  const isDynamic = ({ schema }: NamedGroup): boolean =>
    JSON.stringify(schema).includes('"$dynamicAnchor"');
  return [
    groups.filter((group) => !isDynamic(group)),
    ...groups.filter(isDynamic).map((group) => [group]),
  ];
}

async function runBatch(
  folder: string,
  groups: readonly NamedGroup[],
): Promise<readonly GroupResult[]> {
  for (const { file, schema } of groups) {
    await writeFile(join(folder, 'schemas', `${file}.json`), JSON.stringify(schema));
  }
  const refusals = new Map<string, Diagnostic>();
  for (;;) {
    const kept = groups.filter(({ file }) => !refusals.has(file));
    const errors = await generateValidators(folder, kept);
    if (errors.length === 0) break;
    const before = refusals.size;
    for (const error of errors) {
      const file = fileOf(error, await readFile(join(folder, 'openapi.json'), 'utf8'));
      if (file !== undefined && !refusals.has(file)) refusals.set(file, error);
    }
    if (refusals.size === before) throw new Error(JSON.stringify(errors, null, 2));
  }
  const { href } = pathToFileURL(join(folder, 'src/generated/contract/index.ts'));
  const guards =
    refusals.size === groups.length
      ? {}
      : ((await import(href)) as Readonly<Record<string, (value: Json) => boolean>>);
  return groups.map((group): GroupResult => {
    const { name, file } = group;
    const refusal = refusals.get(file);
    const { length } = group.tests;
    if (refusal !== undefined) {
      const outcome = `refused: ${refusal.code}`;
      return { tests: length, failures: [{ case: name, outcome, tests: length }] };
    }
    const guard = guards[`isTested${file}`];
    const wrong = group.tests.filter(({ data, valid: isValid }) => guard?.(data) !== isValid);
    const failures = wrong.map(({ description }) => ({
      case: `${name}: ${description}`,
      outcome: 'wrong',
      tests: 1,
    }));
    return { tests: length, failures };
  });
}

/** Returns the schema file that an error is about: the file itself, or that of the line in the document. */
function fileOf({ file, line }: Diagnostic, document: string): string | undefined {
  const place = file === 'openapi.json' ? (document.split('\n')[line - 1] ?? '') : file;
  return /Case\d+/u.exec(place)?.[0];
}

/** Generates the validators of these schemas. Returns the errors of the contract. */
async function generateValidators(
  folder: string,
  groups: readonly { readonly file: string; readonly schema: Json }[],
): Promise<readonly Diagnostic[]> {
  // Every schema is in a line of its own, so that a diagnostic's line tells which one it is about.
  const schemas = groups.map(({ file, schema }) => {
    const documentSchema = typeof schema === 'boolean' ? schema : { $ref: `schemas/${file}.json` };
    return `"Tested${file}": ${JSON.stringify({ allOf: [documentSchema] })}`;
  });
  // Strict: a reference without a target is refused, and not accepted as any value.
  const info = { title: 'Suite', version: '1.0.0', 'x-countersign': 1 };
  const head = { openapi: '3.1.2', info, paths: {} };
  const openapi = `${JSON.stringify(head).slice(0, -1)}, "components": { "schemas": {
${schemas.join(',\n')}
}}}`;
  await writeFile(join(folder, 'openapi.json'), openapi);
  const { diagnostics } = await generate(
    {
      contract: { openapi: 'openapi.json' },
      targets: [{ use: 'contract', validateUnused: true }],
      layout: 'folder',
      importExtension: '.ts',
      output: 'src/generated',
    },
    { folder },
  );
  return diagnostics.filter(({ severity }) => severity === 'error');
}
