import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, isAbsolute, sep } from 'node:path';
import { CommandError } from 'countersign/companion/terminal';
import { hashOf, type PulledDocument } from './pull-documents.ts';
import { lockName, printLock, type LockedDocument, type PullLock } from './pull-lock.ts';

/** What happened to a file. */
export interface FileChange {
  readonly file: string;
  readonly url: string;
  readonly change: 'created' | 'updated' | 'removed' | 'unchanged';
}

/**
 * Writes pulled documents and their lock file. Either everything is written, or nothing is changed: each file is written
 * beside its place first, and those that were replaced are restored if one fails. The lock file is the last.
 * @throws CommandError `pull-refused` for a file that was edited, is read-only or is not of `pull`, and for a link out of
 * the folder
 */
export async function writeDocuments(
  folder: string,
  pulled: readonly PulledDocument[],
  lock: PullLock,
  previous: PullLock | undefined,
): Promise<readonly FileChange[]> {
  const before = new Map(previous?.documents.map((document) => [document.file, document]));
  const changes: FileChange[] = [];
  const contents = new Map<string, Buffer>();
  for (const { file, address, content } of pulled) {
    const lockedDocument = before.get(file);
    const onDisk = await readIfPresent(join(folder, file));
    await assertInside(folder, file);
    if (onDisk !== undefined && !onDisk.equals(content))
      assertUnedited(file, onDisk, lockedDocument);
    const isSame = onDisk?.equals(content) === true;
    if (!isSame) contents.set(file, content);
    const change = isSame ? 'unchanged' : onDisk === undefined ? 'created' : 'updated';
    changes.push({ file, url: address.href, change });
  }
  const kept = new Set(pulled.map(({ file }) => file));
  const removed: string[] = [];
  for (const document of previous?.documents ?? []) {
    if (kept.has(document.file)) continue;
    await assertInside(folder, document.file);
    const onDisk = await readIfPresent(join(folder, document.file));
    if (onDisk === undefined) continue;
    assertUnedited(document.file, onDisk, document);
    removed.push(document.file);
    changes.push({ file: document.file, url: document.url, change: 'removed' });
  }
  const lockText = Buffer.from(printLock(lock));
  const lockOnDisk = await readIfPresent(join(folder, lockName));
  if (lockOnDisk?.equals(lockText) !== true) contents.set(lockName, lockText);
  for (const file of [...contents.keys(), ...removed]) await assertWritable(folder, file);
  if (contents.size + removed.length > 0) await replaceAll(folder, contents, removed);
  return changes;
}

async function replaceAll(
  folder: string,
  contents: ReadonlyMap<string, Buffer>,
  removed: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const staging = join(folder, `.countersign-pull-${randomUUID()}`);
  const undo: (() => Promise<void>)[] = [];
  try {
    await mkdir(staging);
    let index = 0;
    const staged = new Map<string, string>();
    for (const [file, content] of contents) {
      const path = join(staging, `new-${index++}`);
      await writeFile(path, content, { flag: 'wx', flush: true });
      staged.set(file, path);
    }
    const setAside = async (file: string): Promise<void> => {
      const path = join(folder, file);
      const aside = join(staging, `old-${index++}`);
      if ((await readIfPresent(path)) === undefined) return;
      await rename(path, aside);
      undo.push(async () => {
        await rename(aside, path);
      });
    };
    for (const file of removed) await setAside(file);
    for (const [file, path] of staged) {
      const target = join(folder, file);
      const created = await mkdir(dirname(target), { recursive: true });
      if (created !== undefined)
        undo.push(async () => {
          await rm(created, { recursive: true, force: true });
        });
      await setAside(file);
      await rename(path, target);
      undo.push(async () => {
        await rm(target, { force: true });
      });
    }
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function assertUnedited(
  file: string,
  onDisk: Buffer,
  lockedDocument: LockedDocument | undefined,
): void {
  const hash = hashOf(onDisk);
  if (lockedDocument !== undefined && hash === (lockedDocument.fileSha256 ?? lockedDocument.sha256))
    return;
  throw new CommandError(
    'pull-refused',
    lockedDocument === undefined
      ? `Nothing was written: ${file} exists, and \`pull\` did not write it. Move it, or pull into another folder with --to.`
      : `Nothing was written: ${file} was edited after it was pulled. Keep your changes in an overlay, and delete the file to pull it again.`,
  );
}

/** Asserts that neither a file nor a folder of its path is a link, which could lead out of the folder. */
async function assertInside(folder: string, file: string): Promise<void> {
  const names = file.split('/');
  for (let count = 1; count <= names.length; count++) {
    const path = join(folder, ...names.slice(0, count));
    const status = await lstat(path).catch(() => undefined);
    if (status === undefined) return;
    const isLast = count === names.length;
    const root = await realpath(folder);
    const way = relative(root, await realpath(path).catch(() => sep));
    if (
      status.isSymbolicLink() ||
      way.startsWith('..') ||
      isAbsolute(way) ||
      (isLast ? !status.isFile() : !status.isDirectory())
    )
      throw new CommandError(
        'pull-refused',
        `Nothing was written: ${names.slice(0, count).join('/')} is not a ${isLast ? 'regular file' : 'folder'}. Move it, or pull into another folder with --to.`,
      );
  }
}

/** Asserts that its owner permits that a file is replaced or removed, which is a change of its folder alone. */
async function assertWritable(folder: string, file: string): Promise<void> {
  const status = await lstat(join(folder, file)).catch(() => undefined);
  if (status === undefined || (status.mode & 0o222) !== 0) return;
  throw new CommandError(
    'pull-refused',
    `Nothing was written: ${file} is read-only. Make it writable to pull it again.`,
  );
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    const status = await lstat(path);
    return status.isFile() ? await readFile(path) : undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
