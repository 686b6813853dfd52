import { open, stat } from 'node:fs/promises';
import type { Refusal } from './reference.ts';

/** Reads a regular file of at most `limit` bytes. Refuses pipes, devices and folders without opening them. */
export async function readRegularFile(
  path: string,
  shownAs: string,
  limit: number,
): Promise<Uint8Array | Refusal> {
  try {
    const status = await stat(path);
    if (!status.isFile()) {
      return { code: 'file-unreadable', message: `\`${shownAs}\` is not a regular file.` };
    }
    if (status.size > limit) return tooLarge(shownAs, limit);
    const handle = await open(path, 'r');
    try {
      const bytes = await handle.readFile();
      return bytes.length > limit ? tooLarge(shownAs, limit) : bytes;
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { code: 'file-not-found', message: `There is no file \`${shownAs}\`.` }
      : { code: 'file-unreadable', message: `\`${shownAs}\` cannot be read (${code}).` };
  }
}

function tooLarge(shownAs: string, limit: number): Refusal {
  return {
    code: 'contract-too-large',
    message: `\`${shownAs}\` has more than ${limit} bytes (budget \`maxFileBytes\`).`,
  };
}
