import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Watches folders. Unlike a watched file, a watched folder also reports a file that an editor replaces on save. */
export interface FolderWatcher {
  /**
   * Starts to watch more folders and returns whether any of them is new. Skips folders that cannot be watched, such as
   * missing ones.
   */
  add(folders: Iterable<string>): boolean;
  /** Stops watching all folders. */
  close(): void;
}

/**
 * Creates a watcher that calls `onChange` with the path of every entry that is added, changed or removed in a folder.
 * It uses events of the file system, not polling, and does not watch subfolders.
 */
export function createFolderWatcher(onChange: (path: string) => void): FolderWatcher {
  const watchers = new Map<string, FSWatcher>();
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    add(folders) {
      let isNew = false;
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        try {
          const watcher = watch(folder, (_, name) => {
            // Forget a removed folder, so that `add` can watch it again once it is recreated.
            if (!isFolder(folder)) forget(folder);
            onChange(name === null ? folder : join(folder, name));
          });
          watcher.on('error', () => forget(folder));
          watchers.set(folder, watcher);
          isNew = true;
        } catch {
          continue;
        }
      }
      return isNew;
    },
    close() {
      for (const folder of watchers.keys()) forget(folder);
    },
  };
}

/** Returns whether a folder exists at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
