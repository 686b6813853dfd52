import { readdir } from 'node:fs/promises';
import { CommandError } from 'countersign/companion/terminal';

/**
 * Returns the names in the folder of a project, which need not exist yet.
 * @param folder absolute
 * @param shown the folder as messages show it
 * @throws CommandError `not-a-folder` if it cannot be read
 */
export async function listNames(folder: string, shown: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const message = `${shown} cannot be read as a folder.`;
    throw new CommandError('not-a-folder', message, { cause: error });
  }
}
