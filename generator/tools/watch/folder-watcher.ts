import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Watches folders, not files: an editor that replaces a file by another one of its name is then no different. */
export interface FolderWatcher {
  /** Watches these folders besides; answers whether any of them was not watched yet. One that is not there is left out. */
  add(folders: Iterable<string>): boolean;
  /** Ends all of it. */
  close(): void;
}

/** Calls `onChange` with the path of whatever appears, changes or goes in a folder; never recursively, never by polling. */
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
            // A folder that went away is watched no more, and may come back.
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

/** Whether a path is a folder now. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
