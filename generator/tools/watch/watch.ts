import { dirname } from 'node:path';
import { createFolderWatcher, isFolder } from './folder-watcher.ts';
import { effectOf, knownFiles, type WatchedFiles } from './watched-files.ts';

/** Milliseconds without a change after which a burst of changes, such as an editor's save, is complete. */
const settleMs = 25;
/** Milliseconds until the next attempt after another process held the lock of the output folder or changed it. */
const retryMs = 1_000;

/** What a run leaves for the next one. */
export interface WatchedRun {
  readonly files: WatchedFiles;
  /** Whether another process held the lock of the output folder or changed it. */
  readonly isLocked: boolean;
  /** What to do before the second run, while nothing has changed. */
  readonly prepare?: () => Promise<void>;
}

/** Who runs, and who ends it. */
interface Watch {
  readonly run: () => Promise<WatchedRun>;
  readonly interrupted: Promise<void> | undefined;
}

/**
 * Runs, and runs again whenever a file that decides the output changes, until it is interrupted.
 * @returns the path of code that changed after it was loaded, so that no run is right any more; `undefined` if it was
 * interrupted
 */
export async function watch(
  first: WatchedFiles,
  { run, interrupted }: Watch,
): Promise<string | undefined> {
  let files = first;
  let stale: string | undefined;
  const ended = new AbortController();
  let isChanged = false;
  let wake: (() => void) | undefined;
  let again: NodeJS.Timeout | undefined;
  const change = (): void => {
    isChanged = true;
    wake?.();
  };
  const end = (): void => {
    ended.abort();
    wake?.();
  };
  const watcher = createFolderWatcher((path) => {
    const effect = effectOf(path, files, isFolder(path));
    if (effect === 'none') return;
    if (effect === 'stale') {
      stale ??= path;
      end();
      return;
    }
    if (isFolder(path)) watcher.add([path]);
    clearTimeout(again);
    again = setTimeout(change, settleMs);
  });
  const addFolders = (): boolean => watcher.add(new Set(Array.from(knownFiles(files), dirname)));
  void interrupted?.then(end);
  try {
    addFolders();
    for (let isFirst = true; !ended.signal.aborted; isFirst = false) {
      isChanged = false;
      const { files: read, isLocked, prepare } = await run();
      files = read;
      if (isLocked) again = setTimeout(change, retryMs);
      // A change between the run and the start of watching its folder would be missed.
      if (addFolders() && !isFirst) change();
      if (isFirst) await prepare?.();
      if (!isChanged && !ended.signal.aborted) await new Promise<void>((done) => (wake = done));
    }
    return stale;
  } finally {
    clearTimeout(again);
    watcher.close();
  }
}
