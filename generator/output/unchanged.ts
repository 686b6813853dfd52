import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { templateFiles } from '../targets/template-files.ts';
import type { OutputFile, Target } from '../targets/target.ts';
import { systemDisk } from './disk.ts';
import { inspect } from './inspect.ts';
import { contentHash } from '../execution/content-hash.ts';
import { manifestOf } from './plan.ts';
import {
  hashInput,
  inputHash,
  readRecord,
  recordKey,
  recordPath,
  writeRecord,
} from '../cache/run-record.ts';

/** Where a run takes place. */
interface Place {
  readonly folder: string;
  readonly file?: string;
}

/** What is known of a run that would change nothing. */
export interface Unchanged {
  readonly diagnostics: readonly Diagnostic[];
  /** Files in the output folder that no run has written. */
  readonly orphans: readonly string[];
  /** The files that decided the output, absolute. */
  readonly inputs: readonly string[];
}

/**
 * Tells whether a run would change nothing, without doing it: everything that decided the output of the last one has
 * the same bytes, and so has every file that it wrote. `undefined` where that is not certain. Writes nothing.
 */
export async function findUnchanged(config: Config, place: Place): Promise<Unchanged | undefined> {
  const path = recordPath(place.folder, config.output);
  const record = path === undefined ? undefined : await readRecord(path);
  if (record === undefined || record.key !== recordKey(config)) return undefined;
  for (const [file, hash] of Object.entries(record.inputs)) {
    if (hashInput(file) !== hash) return undefined;
  }
  const seen = await inspect(resolve(place.folder, config.output), systemDisk);
  const { found, manifest, manifestText, staging } = seen;
  if (staging.length > 0 || manifestText === undefined) return undefined;
  if (contentHash(manifestText) !== record.manifest) return undefined;
  for (const [file, hash] of manifest) if (found.get(file) !== hash) return undefined;
  const orphans = [...found.keys()].filter((file) => !manifest.has(file)).toSorted();
  return { diagnostics: record.diagnostics, orphans, inputs: Object.keys(record.inputs) };
}

/** The files that decide what a run makes, besides the toolkit and the configuration; absolute. */
export function inputFiles(
  documents: Documents,
  targets: readonly Target[],
  folder: string,
): readonly string[] {
  // Targets share folders of templates: what a dozen of them name is resolved once.
  const paths = new Set([...documents.files.map(({ path }) => path), ...namedFiles(targets)]);
  return Array.from(paths, (path) => resolve(folder, path));
}

/** What targets say that their output depends on. */
function namedFiles(targets: readonly Target[]): readonly string[] {
  const folders = new Map<string, readonly string[]>();
  return targets.flatMap((target) => {
    const key = JSON.stringify(target.templates ?? []);
    const templates = folders.get(key) ?? templateFiles(target);
    folders.set(key, templates);
    return [...target.fingerprint, ...templates];
  });
}

/** Keeps what a successful run has read and written, for the next one to compare with. */
export async function keepRecord(
  config: Config,
  place: Place,
  run: {
    readonly documents: Documents;
    readonly targets: readonly Target[];
    readonly files: readonly OutputFile[];
    readonly diagnostics: readonly Diagnostic[];
  },
): Promise<void> {
  const path = recordPath(place.folder, config.output);
  const key = recordKey(config);
  if (path === undefined || key === undefined) return;
  const inputs: Record<string, string> = Object.create(null);
  const named = namedFiles(run.targets);
  // With targets by name alone, what the configuration evaluates to is all that counts of it, and is in the key.
  const own = config.targets.some((target) => typeof target !== 'string');
  for (const file of new Set(named.concat(own ? (place.file ?? []) : []))) {
    const hash = hashInput(resolve(place.folder, file));
    if (hash === undefined) return;
    inputs[resolve(place.folder, file)] = hash;
  }
  // What was read is what counts, even if a file has changed since.
  for (const { path: file, text } of run.documents.files) {
    inputs[resolve(place.folder, file)] = inputHash(text);
  }
  const { diagnostics, files } = run;
  // Of what this run made, not of what lies there: another run may have written since.
  const manifest = contentHash(manifestOf(files));
  await writeRecord(path, { key, inputs, manifest, diagnostics });
}
