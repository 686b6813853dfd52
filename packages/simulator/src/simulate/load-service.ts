import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Service } from '../service.ts';
import type { Config, Diagnostic, SourceFile } from 'countersign';
import {
  hashInput,
  inputHash,
  openKept,
  recordKey,
  recordPath,
  readFiles,
  type ReportProgress,
} from 'countersign/companion/configuration';
import { toFile } from 'countersign/companion/paths';
import { targetSources } from '../target/target-sources.ts';
import { type EmittedTexts, importService } from './import-service.ts';

/** A contract as a service, with its diagnostics and the files that these are about. */
export interface LoadedService {
  /** Absent if the contract has errors. */
  readonly service?: Service;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
}

/** What an earlier run emitted, and the hashes of what it was made of. */
interface ServiceRecord {
  /** By absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The file of the emitted texts, absolute, and the hash of its content. */
  readonly emitted: string;
  readonly hash: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Loads the service that a contract describes. Keeps what it emitted in `node_modules/.cache`: if no file of the
 * contract has changed, the next start only imports it.
 * @param folder the folder that the paths of the configuration are relative to, absolute
 */
export async function loadService(
  config: Config,
  folder: string,
  report: ReportProgress,
): Promise<LoadedService> {
  const sources = targetSources().map(hashInput);
  const key = inputHash(JSON.stringify([recordKey({ ...config, targets: [] }), sources]));
  const record = recordPath(folder, `${config.output} ${key}`, '.simulator.json');
  const kept = await openKept<ServiceRecord>(record);
  const before = kept.find(key);
  if (before !== undefined && isCurrent(before))
    return {
      service: await importService(await readTexts(before.emitted), before.hash),
      diagnostics: before.diagnostics,
      files: await readFiles(folder, filesOf(before, folder)),
    };

  // A start with the kept texts loads nothing that reads a contract.
  const { readAndEmit } = await import('./emit-service.ts');
  const { texts, diagnostics, files } = await readAndEmit(config, folder, report);
  if (texts === undefined) return { diagnostics, files };
  const text = JSON.stringify(texts);
  const hash = inputHash(text);
  if (record !== undefined) {
    const emitted = join(dirname(record), `${key.slice(0, 32)}-${hash.slice(0, 16)}.emitted.json`);
    await writeAtomically(emitted, text);
    if (before !== undefined && before.emitted !== emitted)
      await rm(before.emitted, { force: true });
    // The hashes are of the text that was read, even if the file has changed since.
    const inputs = Object.fromEntries(
      files.map(({ path, text: read }) => [resolve(folder, path), inputHash(read)]),
    );
    kept.add(key, { inputs, emitted, hash, diagnostics });
    await kept.keep();
  }
  return { service: await importService(texts, hash), diagnostics, files };
}

function isCurrent({ inputs, emitted, hash }: ServiceRecord): boolean {
  return (
    Object.entries(inputs).every(([file, before]) => hashInput(file) === before) &&
    hashInput(emitted) === hash
  );
}

/** Returns the files of a contract that code frames of its diagnostics can show. */
function filesOf({ inputs, diagnostics }: ServiceRecord, folder: string): readonly string[] {
  return diagnostics.length === 0 ? [] : Object.keys(inputs).map((path) => toFile(folder, path));
}

async function readTexts(emitted: string): Promise<EmittedTexts> {
  return JSON.parse(await readFile(emitted, 'utf8')) as EmittedTexts;
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, text);
  await rename(draft, path);
}
