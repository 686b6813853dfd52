import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceDescription } from '@countersign/simulator';
import { openCaches } from '../../cache/caches.ts';
import { openKept } from '../../cache/kept.ts';
import { recordKey, recordPath } from '../../cache/run-record.ts';
import { hashInput, inputHash } from '../../cache/toolkit-hash.ts';
import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { contentHash } from '../../execution/content-hash.ts';
import type { ReportProgress } from '../../execution/progress.ts';
import { readContract, type ReadContract } from '../../generate.ts';
import type { Documents } from '../../load/documents.ts';
import { bundleService } from './bundle-service.ts';

/** A contract as a service, or its diagnostics if it has errors. */
export type LoadedService =
  | { readonly service: ServiceDescription }
  | { readonly diagnostics: readonly Diagnostic[]; readonly documents: Documents };

/** A bundle of an earlier run, and the hashes of what it was made of. */
interface ServiceRecord {
  readonly key: string;
  /** By absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The path of the bundle, absolute, and the hash of its content. */
  readonly bundle: string;
  readonly hash: string;
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
    return { service: await importService(before.bundle) };

  const read = await readContract(config, folder, { report });
  const { contract, documents } = read;
  if (contract === undefined) return { diagnostics: read.diagnostics, documents };
  const problems = await checkSimulation(contract, read);
  if (problems.length > 0) return { diagnostics: problems, documents };

  const caches = await openCaches(folder, config.output);
  const text = await bundleService(contract, config, caches.validators, report);
  await caches.keep();
  const hash = contentHash(text);
  if (record === undefined) return { service: await importOnce(text) };
  const bundle = join(dirname(record), `${key.slice(0, 32)}-${hash.slice(0, 16)}.mjs`);
  await writeAtomically(bundle, text);
  if (before !== undefined && before.bundle !== bundle) await rm(before.bundle, { force: true });
  // The hashes are of the text that was read, even if the file has changed since.
  const inputs = Object.fromEntries(
    documents.files.map(({ path, text: read }) => [resolve(folder, path), inputHash(read)]),
  );
  kept.add(key, { key, inputs, bundle, hash });
  await kept.keep();
  return { service: await importService(bundle) };
}

function isCurrent({ inputs, bundle, hash }: ServiceRecord): boolean {
  return (
    Object.entries(inputs).every(([file, before]) => hashInput(file) === before) &&
    existsSync(bundle) &&
    hashInput(bundle) === hash
  );
}

async function checkSimulation(
  _contract: Contract,
  _read: ReadContract,
): Promise<readonly Diagnostic[]> {
  return [];
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
