import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { type Disk, ifPresent } from './disk.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { contentHash } from '../execution/content-hash.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { unversionedHash, type VersionedPackages } from './versioned-packages.ts';
import { isBookkeeping, isBuildOutput, manifestPath, stagingPrefix } from '../emit/output-path.ts';

/** The content of an output folder. Symbolic links are listed, but not followed. */
export interface Inspection {
  /** The content hash of every regular file, by path; `other` for a symbolic link or another kind of entry. */
  readonly contents: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  /** The files that the last run wrote; empty if the manifest is missing or invalid. */
  readonly manifest: Manifest;
  /** The hashes without versions of files in `found` that keep the version of a package, by path. */
  readonly unversioned: ReadonlyMap<string, string>;
  /** The text of the manifest on disk, with LF line ends. */
  readonly manifestText: string | undefined;
  /** Staging folders, of a killed run or of one in progress. While one exists, the tree can mix old and new files. */
  readonly staging: readonly string[];
}

/** The value in place of a content hash for an entry that is not a regular file. */
export const notAFile = 'other';

/**
 * Reads an output folder. A folder that does not exist counts as empty.
 * @param packages the packages whose versions are on disk
 */
export function inspect(folder: string, disk: Disk, packages?: VersionedPackages): Inspection {
  const staging = stagingFolders(folder, disk);
  const manifestText = readManifest(folder, disk);
  const manifest = manifestText === undefined ? undefined : parseManifest(manifestText);
  const contents = new Map<string, string>();
  const unversioned = new Map<string, string>();
  const folders = new Set<string>();
  const walk = (path: string): void => {
    for (const entry of list(join(folder, path), disk)) {
      if (isBuildOutput(entry.name) || (path === '' && isBookkeeping(entry.name))) continue;
      const at = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        folders.add(at);
        walk(at);
      } else if (entry.isFile()) {
        // Another run can move the file after it was listed. Callers detect that by the staging folder and the manifest.
        const content = ifPresent(() => disk.readFile(join(folder, at)));
        if (content === undefined) continue;
        contents.set(at, contentHash(content));
        if (packages?.targets.has(at) === true)
          unversioned.set(at, unversionedHash(content.toString('utf8'), packages));
      } else contents.set(at, notAFile);
    }
  };
  walk('');
  return { contents, folders, staging, unversioned, manifest: manifest ?? new Map(), manifestText };
}

/** Returns the names of the staging folders in an output folder, sorted. */
export function stagingFolders(folder: string, disk: Disk): readonly string[] {
  return list(folder, disk)
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(stagingPrefix))
    .map(({ name }) => name)
    .toSorted();
}

/** Returns the text of an output folder's manifest with LF line ends; `undefined` if there is none. */
export function readManifest(folder: string, disk: Disk): string | undefined {
  const content = ifPresent(() => disk.readFile(join(folder, manifestPath)));
  return content?.toString('utf8').replaceAll('\r\n', '\n');
}

function list(folder: string, disk: Disk): readonly Dirent[] {
  try {
    return disk.readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
