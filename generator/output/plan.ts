import type { OutputFile } from '../targets/target.ts';
import type { Change } from './change.ts';
import { type Inspection, notAFile } from './inspect.ts';
import { hashOf, parseManifest, printManifest } from './manifest.ts';
import { contentHash } from '../execution/content-hash.ts';
import { isChangelog, unversionedHash, type VersionedPackages } from './versioned-packages.ts';
import { manifestPath } from '../emit/output-path.ts';

/** The changes that bring an output folder up to date, not yet applied. */
export interface Plan {
  /** Ordered by path. */
  readonly changes: readonly Change[];
  /** The files to write, the manifest last. */
  readonly writes: readonly PlannedWrite[];
  readonly removes: readonly string[];
  /** Files that no run wrote, at paths that the output needs. If there are any, nothing may be written. */
  readonly occupied: readonly string[];
  /** Symbolic links at paths where the output needs a folder. */
  readonly links: readonly string[];
}

interface PlannedWrite {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * Compares the generated files with the content of the output folder. Orphans are reported, but never removed.
 * @param packages the packages whose versions are on disk
 */
export function planChanges(
  files: readonly OutputFile[],
  inspection: Inspection,
  packages?: VersionedPackages,
): Plan {
  const wanted = new Map<string, PlannedWrite & Pick<OutputFile, 'from'>>();
  for (const file of files) {
    const { path, text, from } = file;
    wanted.set(path, { path, text, from, hash: hashOf(file) });
  }
  const { contents, folders, unversioned, manifest, manifestText } = inspection;
  const changes: Change[] = [];
  const writes: PlannedWrite[] = [];
  const occupied = new Set<string>();
  const links = new Set<string>();
  // An invalid manifest, such as one with merge conflict markers, still shows that the toolkit wrote the folder. It
  // only lists no files.
  const broken = manifestText !== undefined && parseManifest(manifestText) === undefined;
  const removes = [...manifest.keys()].filter((path) => {
    const content = contents.get(path);
    return !wanted.has(path) && content !== undefined && content !== notAFile;
  });
  const removed = new Set(removes);

  for (const { path, text, hash, from } of wanted.values()) {
    for (const parent of parents(path)) {
      const content = contents.get(parent);
      if (content === notAFile) links.add(parent);
      else if (content !== undefined && !removed.has(parent)) occupied.add(parent);
    }
    if (folders.has(path)) {
      for (const inside of contents.keys()) {
        if (inside.startsWith(`${path}/`) && !removed.has(inside)) occupied.add(inside);
      }
    }
    const content = contents.get(path);
    if (content === hash) continue;
    const recordedHash = manifest.get(path);
    if (content !== undefined && recordedHash === undefined && !broken) {
      occupied.add(path);
      continue;
    }
    const isKnown =
      content === recordedHash ||
      (recordedHash !== undefined && unversioned.get(path) === recordedHash);
    const kind = content === undefined ? 'create' : isKnown ? 'update' : 'edited';
    changes.push({ path, kind, from });
    writes.push({ path, text, hash });
  }
  for (const path of removed) changes.push({ path, kind: 'remove', from: [] });
  for (const [path] of contents) {
    const ours = removed.has(path) || (wanted.has(path) && !occupied.has(path));
    if (ours || isChangelog(path, packages, (other) => wanted.has(other))) continue;
    changes.push({ path, kind: 'orphan', from: wanted.get(path)?.from ?? [] });
  }

  const text = manifestOf(files, packages);
  if (text !== manifestText) {
    const kind = manifestText === undefined ? 'create' : 'update';
    changes.push({ path: manifestPath, kind, from: [] });
    writes.push({ path: manifestPath, text, hash: contentHash(text) });
  }
  return {
    changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    writes,
    removes: removes.toSorted(),
    occupied: [...occupied].toSorted(),
    links: [...links].toSorted(),
  };
}

/**
 * Returns the text of the manifest for a set of files.
 * @param packages the packages whose versions are on disk; their hashes are those of the files without versions
 */
export function manifestOf(files: readonly OutputFile[], packages?: VersionedPackages): string {
  const hash = (file: OutputFile): string =>
    packages?.targets.has(file.path) === true ? unversionedHash(file.text, packages) : hashOf(file);
  return printManifest(new Map(files.map((file) => [file.path, hash(file)])));
}

function parents(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
