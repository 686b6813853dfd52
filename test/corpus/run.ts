import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '../targets/emit-project.ts';
import { findDocuments, type FoundDocument } from './find-documents.ts';
import type { Generated } from './generate-document.ts';
import { faultsOf, noCounts, type CorpusRecord, type Judged } from './record.ts';
import { corpusPage, describeLine, describeSummary } from './report.ts';
import { runChild, type Limits } from './run-child.ts';
import { cache, sampleDocuments, smallDocuments } from './sample.ts';
import { openStore, type Store } from './store.ts';
import { compileProjects, furnish, linkPackages } from './workshop.ts';

/**
 * `npm run corpus -- <files or folders…>`: generates every target of every contract found, each in a process with limits,
 * compiles the results, imports them and runs the examples. A failure does not stop the others; an interrupted run
 * resumes. Without files, it reads the fixed sample and the small contracts.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // Where everything that is known is written as JSON.
    json: { type: 'string' },
    // Writes docs/corpus.md.
    write: { type: 'boolean', default: false },
    // Takes what an older toolkit has made of a document, unless there was a fault in it.
    faulty: { type: 'boolean', default: false },
    // Accepts every recorded result, also of an older toolkit. Runs only documents without one.
    known: { type: 'boolean', default: false },
    // Passes over documents of more bytes, and of fewer.
    below: { type: 'string' },
    above: { type: 'string' },
    // Where what is known is kept.
    records: { type: 'string', default: join(cache, 'records') },
    seconds: { type: 'string', default: '300' },
    megabytes: { type: 'string', default: '6144' },
  },
});

/** Projects that are compiled at once, and the bytes of code from which on that is enough. */
const batch = { projects: 12, bytes: 8_000_000 };

const limits: Limits = { seconds: Number(values.seconds), megabytes: Number(values.megabytes) };
const all =
  positionals.length > 0
    ? await findDocuments(positionals)
    : [...(await smallDocuments()), ...(await sampleDocuments())];
const documents = all
  .filter(
    ({ bytes }) => bytes < Number(values.below ?? Infinity) && bytes >= Number(values.above ?? 0),
  )
  .toSorted((a, b) => a.bytes - b.bytes);
const store = await openStore(values.records);
const records = new Map<FoundDocument, CorpusRecord>();
const waiting: FoundDocument[] = [];
let older = 0;
for (const document of documents) {
  const storedRecord = await store.find(document);
  if (storedRecord !== undefined && isGoodEnough(storedRecord)) {
    records.set(document, storedRecord.record);
    if (!storedRecord.current) older += 1;
  } else waiting.push(document);
}
console.log(`${documents.length} contracts, ${waiting.length} of them to be run`);
if (waiting.length > 0) await runAll(waiting, store);

const allRecords = documents.flatMap((document) => records.get(document) ?? []);
console.log(describeSummary(allRecords));
if (values.json !== undefined) {
  await writeFile(values.json, `${JSON.stringify(allRecords, null, 2)}\n`);
}
if (values.write) {
  await mkdir(join(repository, 'docs'), { recursive: true });
  await writeFile(join(repository, 'docs/corpus.md'), await corpusPage(allRecords, older));
}

function isGoodEnough({ record, current }: { record: CorpusRecord; current: boolean }): boolean {
  return current || values.known || (values.faulty && faultsOf(record).length === 0);
}

async function runAll(list: readonly FoundDocument[], to: Store): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-corpus-'));
  try {
    await furnish(folder);
    let open: { document: FoundDocument; project: string; generated: Generated }[] = [];
    const close = async (): Promise<void> => {
      const projects = open.map(({ project }) => project);
      const errors = await compileEach(folder, projects);
      for (const { document, project, generated } of open) {
        const judged = await judge(join(folder, project));
        const typeErrors = errors.get(project);
        await settle(document, { ...generated, ...(typeErrors && { typeErrors }), judged });
        await rm(join(folder, project), { recursive: true });
      }
      open = [];
    };
    const settle = async (document: FoundDocument, record: CorpusRecord): Promise<void> => {
      records.set(document, record);
      await to.keep(document, record);
      console.log(describeLine(record));
    };
    for (const [index, document] of list.entries()) {
      const project = `d${index}`;
      const generated = await generateInChild(document, join(folder, project));
      if (generated.outcome !== 'generated') {
        await settle(document, generated);
        await rm(join(folder, project), { recursive: true });
        continue;
      }
      await linkPackages(join(folder, project));
      open.push({ document, project, generated });
      const bytes = open.reduce((sum, { generated: { output } }) => sum + output.bytes, 0);
      if (open.length >= batch.projects || bytes > batch.bytes) await close();
    }
    await close();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Compiles projects together; where the compiler gives up, one by one, so that one of them stops no other. */
async function compileEach(
  folder: string,
  projects: readonly string[],
): Promise<ReadonlyMap<string, CorpusRecord['typeErrors']>> {
  if (projects.length === 0) return new Map();
  try {
    return await compileProjects(folder, projects);
  } catch (error) {
    const [only, ...furtherProjects] = projects;
    if (only !== undefined && furtherProjects.length === 0) {
      const reason = error instanceof Error ? error.message : String(error);
      return new Map([[only, { compiler: { count: 1, first: [reason] } }]]);
    }
    const each = new Map<string, CorpusRecord['typeErrors']>();
    for (const project of projects) {
      for (const [name, projectErrors] of await compileEach(folder, [project]))
        each.set(name, projectErrors);
    }
    return each;
  }
}

async function generateInChild(document: FoundDocument, project: string): Promise<Generated> {
  await mkdir(project);
  const parameters = [JSON.stringify(document), project];
  const ended = await runChild('generate-document.ts', parameters, limits);
  if (ended.how === 'ok') {
    return JSON.parse(await readFile(join(project, 'generated.json'), 'utf8')) as Generated;
  }
  const { name, specification, bytes } = document;
  return {
    document: name,
    specification,
    bytes,
    outcome: ended.how === 'failed' ? 'crashed' : ended.how,
    crash: ended.output.slice(-2000),
    counts: noCounts,
    diagnostics: {},
    shown: [],
    cost: {
      wallMilliseconds: ended.wallMilliseconds,
      cpuMilliseconds: 0,
      peakMegabytes: 0,
      stages: {},
    },
    output: { files: 0, bytes: 0 },
  };
}

async function judge(project: string): Promise<Judged> {
  const ended = await runChild('judge-packages.ts', [project], limits);
  if (ended.how === 'ok') {
    return JSON.parse(await readFile(join(project, 'judged.json'), 'utf8')) as Judged;
  }
  const failure = `${ended.how}: ${ended.output.slice(-500)}`;
  return { validators: 0, packages: 0, failures: [failure], examples: 0, accepted: 0, refused: [] };
}
