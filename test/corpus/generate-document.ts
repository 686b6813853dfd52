import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Config } from '../../generator/config/config.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { writtenExamples } from '../../generator/rules/written-examples.ts';
import { countSamples } from '../../packages/simulator/src/samples/sample-maker.ts';
import { referenceOf } from '../../generator/schema/references.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { readContract } from '../../generator/generate.ts';
import type { Json } from '../../generator/json/json.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { reconcile } from '../../generator/output/reconcile.ts';
import { callsOf } from '../../generator/contract/calls.ts';
import { targetNames } from '../../generator/targets/registry.ts';
import { countWritten } from './count-written.ts';
import type { FoundDocument } from './find-documents.ts';
import { makeDeliveries } from './make-deliveries.ts';
import { noCounts, type CorpusRecord, type Counts } from './record.ts';

/** An example, and the guard that has to accept it. */
export interface NamedExample {
  readonly of: string;
  readonly typeName: string;
  readonly value: Json;
}

/** An example of a notification that is not part of the contract. */
export interface FurtherExample {
  /** The notification's id. */
  readonly notification: string;
  readonly value: Json;
}

/** What this process writes down: everything of a record that is known without running the output. */
export type Generated = Omit<CorpusRecord, 'typeErrors' | 'judged'>;

/**
 * Generates all targets of one document below a folder: `packages/`, `examples.json`, `deliveries.json` and, in the end,
 * `generated.json`.
 */
const [parameter = '', folder = ''] = process.argv.slice(2);
const document = JSON.parse(parameter) as FoundDocument;
const start = performance.now();
const stages: Record<string, number> = {};
let stage = '';
let since = start;
let read: Contract | undefined;
enter('load');
const record = await generateDocument().catch((error: unknown): Omit<Generated, 'cost'> => ({
  ...common(),
  outcome: 'crashed',
  crash: describe(error),
}));
enter('');
const usage = process.resourceUsage();
const wallMilliseconds = performance.now() - start;
// After the cost is measured: the targets make no samples.
const samples = read && (await countSamples(read));
const generated: Generated = {
  ...record,
  ...(samples && { samples }),
  cost: {
    wallMilliseconds,
    cpuMilliseconds: (usage.userCPUTime + usage.systemCPUTime) / 1000,
    peakMegabytes: usage.maxRSS / 1024,
    stages,
  },
};
// After the cost is measured: payloads are made for the test, not by the toolkit.
if (read !== undefined) {
  const further = Map.groupBy(await furtherExamples(), ({ notification }) => notification);
  const deliveries = makeDeliveries(read, (id) =>
    (further.get(id) ?? []).map(({ value }) => value),
  );
  await writeFile(join(folder, 'deliveries.json'), JSON.stringify(deliveries));
}
await writeFile(join(folder, 'generated.json'), JSON.stringify(generated));

function enter(next: string): void {
  const now = performance.now();
  if (stage !== '') stages[stage] = (stages[stage] ?? 0) + now - since;
  stage = next;
  since = now;
}

function common(): Omit<Generated, 'cost' | 'outcome'> {
  const { name, specification, bytes } = document;
  return {
    document: name,
    specification,
    bytes,
    counts: noCounts,
    diagnostics: {},
    shown: [],
    output: { files: 0, bytes: 0 },
  };
}

async function generateDocument(): Promise<Omit<Generated, 'cost'>> {
  const config: Config = {
    contract: { [document.kind]: relative(document.folder, document.path), folder: '.' },
    // One name and version would be one package to the compiler, wherever it lies.
    scope: `@${basename(folder)}`,
    output: 'packages',
    targets: targetNames,
  };
  const { documents, contract, diagnostics } = await readContract(config, document.folder, {
    report: (progress) => enter(progress.stage),
  });
  const counts = countsOf(documents, contract);
  const told = { ...common(), counts, ...tell(diagnostics) };
  if (contract === undefined) return { ...told, outcome: 'refused' };
  const targets = targetNames.filter((name) => isMeant(name, contract));
  // Examples of schemas that nothing uses are validated, too.
  const entries = targets.map((name) =>
    name === 'contract' ? { use: name, validateUnused: true } : name,
  );
  const files = await emitFiles(contract, { ...config, targets: entries }, undefined, (progress) =>
    enter(progress.stage),
  );
  enter('write');
  await reconcile(files, { folder: join(folder, 'packages'), within: folder, mode: 'write' });
  enter('');
  const examples = await namedExamples(contract, documents);
  await writeFile(join(folder, 'examples.json'), JSON.stringify(examples));
  read = contract;
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return { ...told, outcome: 'generated', output: { files: files.length, bytes } };
}

/** Receivers of nothing are refused, whatever the contract. */
function isMeant(target: string, { notifications }: Contract): boolean {
  return notifications.length > 0 || !target.startsWith('webhooks');
}

function countsOf(documents: Documents, contract: Contract | undefined): Counts {
  const documentCounts = countWritten(documents);
  if (contract === undefined) return { ...noCounts, ...documentCounts };
  return {
    ...documentCounts,
    functions: callsOf(contract).length,
    leftOut: contract.operations.flatMap(({ id, leftOut }) =>
      leftOut === undefined ? [] : [`${id}: ${leftOut}`],
    ),
    notifications: contract.notifications.length,
    schemas: contract.schemas.length,
  };
}

/** Few of each code in words: a mistake that is made once is often made everywhere. */
function tell(diagnostics: readonly Diagnostic[]): Pick<Generated, 'diagnostics' | 'shown'> {
  const counted: Record<string, number> = {};
  const shown: string[] = [];
  for (const { severity, code, message, line, column } of diagnostics) {
    const key = `${severity}[${code}]`;
    const count = (counted[key] ?? 0) + 1;
    counted[key] = count;
    if (count <= 3 && severity !== 'info') shown.push(`${key} ${line}:${column} ${message}`);
  }
  return { diagnostics: counted, shown };
}

async function namedExamples(
  contract: Contract,
  documents: Documents,
): Promise<readonly NamedExample[]> {
  const byName = new Map(contract.schemas.map((schema) => [schema.name, schema]));
  const named = (of: string, name: string, value: Json): readonly NamedExample[] => {
    const schema = byName.get(name);
    if (schema === undefined) return [];
    return [{ of, typeName: schema.typeName, value }];
  };
  const kinds = new Map(contract.notifications.map(({ id, payload }) => [id, payload]));
  return [
    ...writtenExamples(contract, documents).flatMap(({ of, schema, value }) => {
      const reference = referenceOf(schema);
      return reference === undefined ? [] : named(of, reference, value);
    }),
    ...contract.schemas.flatMap(({ name, examples }) =>
      examples.flatMap((value) => named(`the schema ${name}`, name, value)),
    ),
    ...(await furtherExamples()).flatMap(({ notification, value }) => {
      const of = `the notification ${notification}`;
      const payload = kinds.get(notification);
      // One that no handler waits for is refused, not forgotten.
      return payload === undefined
        ? [{ of, typeName: '', value: null }]
        : named(of, payload, value);
    }),
  ];
}

async function furtherExamples(): Promise<readonly FurtherExample[]> {
  if (document.examples === undefined) return [];
  return JSON.parse(await readFile(document.examples, 'utf8')) as readonly FurtherExample[];
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const stack = error.stack ?? error.message;
  return cause instanceof Error ? `${stack}\n${cause.stack ?? cause.message}` : stack;
}
