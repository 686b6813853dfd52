import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../documents/documents.ts';
import { targetOf } from '../targets/target-entry.ts';
import { templateFiles } from '../targets/template-files.ts';
import type { OutputFile, Target } from '../targets/target.ts';
import { ownRuntimeFiles } from '../targets/package/runtime-sources.ts';
import { systemDisk } from './disk.ts';
import { inspect } from './inspect.ts';
import { contentHash } from '../execution/content-hash.ts';
import type { PackageWorkspace } from '../execution/package-managers.ts';
import { hashOf } from './manifest.ts';
import { isChangelog, versionedPackages } from './versioned-packages.ts';
import { manifestOf } from './plan.ts';
import { openKept } from '../cache/kept.ts';
import { recordKey, recordPath, type RunRecord } from '../cache/run-record.ts';
import { hashInput, inputHash } from '../cache/toolkit-hash.ts';

/** The location of a run's configuration: its folder, and its file if there is one; both absolute. */
interface ConfigLocation {
  readonly folder: string;
  readonly file?: string;
  /** The workspace that has the generated packages. */
  readonly workspace?: PackageWorkspace;
}

/** The result of a run that would change nothing. */
export interface Unchanged {
  readonly diagnostics: readonly Diagnostic[];
  /** Files in the output folder that no run wrote. */
  readonly orphans: readonly string[];
  /** The input files that decided the output, absolute. */
  readonly inputs: readonly string[];
}

/**
 * Checks, without a run, whether a run would change nothing. That holds if every input of the last run and every file
 * that it wrote has the same bytes. Returns `undefined` if that is not certain. Writes nothing.
 */
export async function findUnchanged(
  config: Config,
  place: ConfigLocation,
): Promise<Unchanged | undefined> {
  const kept = await openKept<RunRecord>(recordPath(place.folder, config.output));
  const record = kept.find('run');
  if (record === undefined || record.key !== recordKey(config, place)) return undefined;
  for (const [file, hash] of Object.entries(record.inputs)) {
    if (hashInput(file) !== hash) return undefined;
  }
  const seen = inspect(resolve(place.folder, config.output), systemDisk);
  const { contents, manifest, manifestText, staging } = seen;
  if (staging.length > 0 || manifestText === undefined) return undefined;
  if (contentHash(manifestText) !== record.manifest) return undefined;
  for (const [file, hash] of manifest) {
    if (contents.get(file) !== (record.packages[file] ?? hash)) return undefined;
  }
  const packages = versionedPackages(config);
  const orphans = [...contents.keys()]
    .filter((file) => !manifest.has(file))
    .filter((file) => !isChangelog(file, packages, (other) => manifest.has(other)))
    .toSorted();
  return { diagnostics: record.diagnostics, orphans, inputs: Object.keys(record.inputs) };
}

/** Returns the absolute paths of the files that decide the output, besides the toolkit and the configuration. */
export function inputFiles(
  documents: Documents,
  targets: readonly Target[],
  folder: string,
): readonly string[] {
  // Targets share template folders, so paths are deduplicated before they are resolved.
  const paths = new Set([...documents.files.map(({ path }) => path), ...namedFiles(targets)]);
  return Array.from(paths, (path) => resolve(folder, path));
}

/** Returns the files that the output of targets depends on: their fingerprints and templates. */
function namedFiles(targets: readonly Target[]): readonly string[] {
  const folders = new Map<string, readonly string[]>();
  return targets.flatMap((target) => {
    const key = JSON.stringify(target.templates ?? []);
    const templates = folders.get(key) ?? templateFiles(target);
    folders.set(key, templates);
    return [...target.fingerprint, ...templates];
  });
}

/** Writes the record of a successful run, which the next run compares with. */
export async function keepRecord(
  config: Config,
  place: ConfigLocation,
  run: {
    readonly documents: Documents;
    readonly targets: readonly Target[];
    readonly files: readonly OutputFile[];
    readonly diagnostics: readonly Diagnostic[];
  },
): Promise<void> {
  const key = recordKey(config, place);
  if (key === undefined) return;
  const inputs: Record<string, string> = Object.create(null);
  const named = [...namedFiles(run.targets), ...ownRuntimeFiles(run.files)];
  // Without custom targets, only the evaluated configuration matters, and the key contains it.
  const hasCustomTargets = config.targets.some((entry) => typeof targetOf(entry) !== 'string');
  for (const file of new Set(named.concat(hasCustomTargets ? (place.file ?? []) : []))) {
    const hash = hashInput(resolve(place.folder, file));
    if (hash === undefined) return;
    inputs[resolve(place.folder, file)] = hash;
  }
  // The hashes are of the text that was read, even if the file has changed since.
  for (const { path: file, text } of run.documents.files) {
    inputs[resolve(place.folder, file)] = inputHash(text);
  }
  const { diagnostics, files } = run;
  // The hash is of the manifest that this run generated. Another run may have written to the folder since.
  const versioned = versionedPackages(config);
  const manifest = contentHash(manifestOf(files, versioned));
  const packages = Object.fromEntries(
    files
      .filter(({ path }) => versioned?.targets.has(path))
      .map((file) => [file.path, hashOf(file)]),
  );
  const kept = await openKept<RunRecord>(recordPath(place.folder, config.output));
  kept.add('run', { key, inputs, manifest, packages, diagnostics });
  await kept.keep();
}
