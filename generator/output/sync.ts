import type { Disk } from './disk.ts';
import { systemErrorCode } from './output-error.ts';

/** Writes a new file and answers when the disk has it. */
export async function syncFile(path: string, text: string, disk: Disk): Promise<void> {
  const handle = await disk.open(path, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
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
