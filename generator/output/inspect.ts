import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { concurrently } from '../execution/concurrently.ts';
import type { Disk } from './disk.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { contentHash } from '../execution/content-hash.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { isBookkeeping, isBuildOutput, manifestPath, stagingPrefix } from '../emit/output-path.ts';

/** What stands in an output folder. Symbolic links are seen, never followed. */
export interface Inspection {
  /** Content hash of every regular file, by path; `other` for a symbolic link or anything that is no file. */
  readonly found: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  /** What the last run wrote; empty where there is no manifest or a broken one. */
  readonly manifest: Manifest;
  /** The manifest as it stands on disk, line ends LF. */
  readonly manifestText: string | undefined;
  /** Folders that a run has left or is filling: the tree may be a mixture while there is one. */
  readonly staging: readonly string[];
}

/** Stands for the content of what is not a regular file. */
export const other = 'other';

/** Reads an output folder; a folder that does not exist is empty. */
export async function inspect(folder: string, disk: Disk): Promise<Inspection> {
  const staging = await stagingFolders(folder, disk);
  const manifestText = await readManifest(folder, disk);
  const findings: Findings = { files: [], folders: new Set(), others: [] };
  await walk(folder, '', findings, disk);
  const found = new Map<string, string>(findings.others.map((path) => [path, other]));
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

/** The names of the staging folders at the top of an output folder, sorted. */
export async function stagingFolders(folder: string, disk: Disk): Promise<readonly string[]> {
  const entries = await list(folder, disk);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(stagingPrefix))
    .map(({ name }) => name)
    .toSorted();
}

/** The manifest of an output folder as it stands on disk, line ends LF. */
export async function readManifest(folder: string, disk: Disk): Promise<string | undefined> {
  try {
    const text = (await disk.readFile(join(folder, manifestPath))).toString('utf8');
    return text.replaceAll('\r\n', '\n');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Whether an error says that there is no such file or folder. */
export function isAbsent(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

interface Findings {
  readonly files: string[];
  readonly folders: Set<string>;
  readonly others: string[];
}

async function walk(folder: string, path: string, findings: Findings, disk: Disk): Promise<void> {
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

/** A file that another run moves away between listing and reading is no error: that run shows up elsewhere. */
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
