import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { concurrently } from '../execution/concurrently.ts';
import type { Disk } from './disk.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { contentHash } from '../execution/content-hash.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { isBookkeeping, isBuildOutput, manifestPath, stagingPrefix } from '../emit/output-path.ts';

/** The content of an output folder. Symbolic links are listed, but not followed. */
export interface Inspection {
  /** The content hash of every regular file, by path; `other` for a symbolic link or another kind of entry. */
  readonly found: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  /** The files that the last run wrote; empty if the manifest is missing or invalid. */
  readonly manifest: Manifest;
  /** The text of the manifest on disk, with LF line ends. */
  readonly manifestText: string | undefined;
  /** Staging folders, of a killed run or of one in progress. While one exists, the tree can mix old and new files. */
  readonly staging: readonly string[];
}

/** The value in place of a content hash for an entry that is not a regular file. */
export const notAFile = 'other';

/** Reads an output folder. A folder that does not exist counts as empty. */
export async function inspect(folder: string, disk: Disk): Promise<Inspection> {
  const staging = await stagingFolders(folder, disk);
  const manifestText = await readManifest(folder, disk);
  const findings: FolderContent = { files: [], folders: new Set(), others: [] };
  await walk(folder, '', findings, disk);
  const found = new Map<string, string>(findings.others.map((path) => [path, notAFile]));
  await concurrently(findings.files, async (path) => {
    const content = await read(join(folder, path), disk);
    if (content !== undefined) found.set(path, contentHash(content));
  });
  return {
    found,
    folders: findings.folders,
    staging,
    manifest: (manifestText === undefined ? undefined : parseManifest(manifestText)) ?? new Map(),
    manifestText,
  };
}

/** Returns the names of the staging folders in an output folder, sorted. */
export async function stagingFolders(folder: string, disk: Disk): Promise<readonly string[]> {
  const entries = await list(folder, disk);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(stagingPrefix))
    .map(({ name }) => name)
    .toSorted();
}

/** Returns the text of an output folder's manifest with LF line ends; `undefined` if there is none. */
export async function readManifest(folder: string, disk: Disk): Promise<string | undefined> {
  try {
    const text = (await disk.readFile(join(folder, manifestPath))).toString('utf8');
    return text.replaceAll('\r\n', '\n');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Returns whether an error means that a file or folder does not exist. */
export function isAbsent(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

interface FolderContent {
  readonly files: string[];
  readonly folders: Set<string>;
  readonly others: string[];
}

async function walk(
  folder: string,
  path: string,
  findings: FolderContent,
  disk: Disk,
): Promise<void> {
  for (const entry of await list(join(folder, path), disk)) {
    if (isBuildOutput(entry.name) || (path === '' && isBookkeeping(entry.name))) continue;
    const at = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      findings.folders.add(at);
      await walk(folder, at, findings, disk);
    } else if (entry.isFile()) {
      findings.files.push(at);
    } else {
      findings.others.push(at);
    }
  }
}

/**
 * Reads a file; `undefined` if it does not exist. Another run can move it after it was listed, which callers detect by
 * the staging folder and the manifest.
 */
async function read(path: string, disk: Disk): Promise<Buffer | undefined> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function list(folder: string, disk: Disk): Promise<readonly Dirent[]> {
  try {
    return await disk.readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
