import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceDescription } from '@countersign/simulator';
import { openCaches } from '../../cache/caches.ts';
import { openKept } from '../../cache/kept.ts';
import { recordKey, recordPath } from '../../cache/run-record.ts';
import { hashInput, inputHash } from '../../cache/toolkit-hash.ts';
import type { Config } from '../../config/config.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { contentHash } from '../../execution/content-hash.ts';
import type { ReportProgress } from '../../execution/progress.ts';
import { readContract } from '../../generate.ts';
import type { SourceFile } from '../../load/documents.ts';
import { checkWorkflows } from '../../targets/simulator/check-workflows.ts';
import { bundleService } from './bundle-service.ts';

/** A contract as a service, with its diagnostics and the files that these are about. */
export interface LoadedService {
  /** Absent if the contract has errors. */
  readonly service?: ServiceDescription;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
}

/** A bundle of an earlier run, and the hashes of what it was made of. */
interface ServiceRecord {
  readonly key: string;
  /** By absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The path of the bundle, absolute, and the hash of its content. */
  readonly bundle: string;
  readonly hash: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Loads the service that a contract describes. Keeps what it compiled in `node_modules/.cache`: if no file of the
 * contract has changed, the next start only imports it.
 * @param folder the folder that the paths of the configuration are relative to, absolute
 */
export async function loadService(
  config: Config,
  folder: string,
  report: ReportProgress,
): Promise<LoadedService> {
  const key = contentHash(JSON.stringify([recordKey({ ...config, targets: [] }), 'simulator']));
  const record = recordPath(folder, `${config.output} ${key}`, '.simulator.json');
  const kept = await openKept<ServiceRecord>(record);
  const before = kept.find(key);
  if (before !== undefined && isCurrent(before))
    return {
      service: await importService(before.bundle),
      diagnostics: before.diagnostics,
      files: before.diagnostics.length === 0 ? [] : readFiles(before, folder),
    };

  // They are read only: what `generate` keeps is more than this run uses.
  const { validators, verdicts } = await openCaches(folder, config.output);
  const read = await readContract(config, folder, { report, verdicts });
  const { contract, documents } = read;
  const { files } = documents;
  if (contract === undefined) return { diagnostics: read.diagnostics, files };
  const diagnostics = [...read.diagnostics, ...(await checkWorkflows(documents, contract))];

  const text = await bundleService(contract, config, validators, report);
  const hash = inputHash(text);
  if (record === undefined) return { service: await importOnce(text), diagnostics, files };
  const bundle = join(dirname(record), `${key.slice(0, 32)}-${hash.slice(0, 16)}.mjs`);
  await writeAtomically(bundle, text);
  if (before !== undefined && before.bundle !== bundle) await rm(before.bundle, { force: true });
  // The hashes are of the text that was read, even if the file has changed since.
  const inputs = Object.fromEntries(
    files.map(({ path, text: read }) => [resolve(folder, path), inputHash(read)]),
  );
  kept.add(key, { key, inputs, bundle, hash, diagnostics });
  await kept.keep();
  return { service: await importService(bundle), diagnostics, files };
}

function isCurrent({ inputs, bundle, hash }: ServiceRecord): boolean {
  return (
    Object.entries(inputs).every(([file, before]) => hashInput(file) === before) &&
    existsSync(bundle) &&
    hashInput(bundle) === hash
  );
}

/** Reads the files of a contract again, for the code frames of diagnostics. */
function readFiles({ inputs }: ServiceRecord, folder: string): readonly SourceFile[] {
  return Object.keys(inputs).map((path) => ({
    path: relative(folder, path).replaceAll(sep, '/'),
    text: readFileSync(path, 'utf8')
      .replace(/^\ufeff/u, '')
      .replaceAll('\r\n', '\n'),
  }));
}

async function importService(path: string): Promise<ServiceDescription> {
  const { service } = (await import(pathToFileURL(path).href)) as { service: ServiceDescription };
  return service;
}

/** Imports a module that is not kept, because there is no folder for caches. */
async function importOnce(text: string): Promise<ServiceDescription> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-'));
  try {
    const path = join(folder, 'service.mjs');
    await writeFile(path, text, { mode: 0o600 });
    return await importService(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, text);
  await rename(draft, path);
}
