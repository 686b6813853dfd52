import type { Disk, OpenFile } from './disk.ts';
import { systemErrorCode } from '../emit/output-error.ts';

/** Writes a new file, which a killed process leaves whole once this has answered; a power cut may not. */
export async function writeNew(path: string, text: string, disk: Disk): Promise<void> {
  await write(path, text, disk, async () => undefined);
}

/** Writes a new file and answers when the disk itself has it. */
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

/** Answers when the disk has the names in a folder; systems that cannot sync a folder are taken at their word. */
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
