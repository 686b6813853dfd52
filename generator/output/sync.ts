import type { Disk, OpenFile } from './disk.ts';
import { systemErrorCode } from '../emit/output-error.ts';

/**
 * Writes a new file without syncing it to the disk. The content survives a kill of the process, but not always a power
 * failure.
 */
export async function writeNew(path: string, text: string, disk: Disk): Promise<void> {
  await write(path, text, disk, async () => undefined);
}

/** Writes a new file and resolves when the disk has stored it. */
export async function syncFile(path: string, text: string, disk: Disk): Promise<void> {
  await write(path, text, disk, (handle) => handle.sync());
}

async function write(
  path: string,
  text: string,
  disk: Disk,
  done: (handle: OpenFile) => Promise<void>,
): Promise<void> {
  const handle = await disk.open(path, 'wx');
  try {
    await handle.writeFile(text);
    await done(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Resolves when the disk has stored the entries of a folder. Ignores the errors of systems that cannot sync a folder.
 */
export async function syncFolder(path: string, disk: Disk): Promise<void> {
  try {
    const handle = await disk.open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== undefined && unsupported.has(code)) return;
    throw error;
  }
}

const unsupported: ReadonlySet<string> = new Set(['EINVAL', 'EISDIR', 'EPERM', 'EACCES', 'EBADF']);
