import { type Disk, type OpenFile, systemDisk } from '../../generator/output/disk.ts';

/** The operations of a disk, and those of an open file, that can be made to fail. */
type Operation = keyof Disk | 'writeFile' | 'sync';

export interface Step {
  /** Counted from 1. */
  readonly number: number;
  readonly operation: Operation;
  readonly path: string;
}

/**
 * The file system of this machine, calling `before` ahead of every operation: what it throws, the operation throws.
 * A text is written in two halves, so that one can be there without the other.
 */
export function watchDisk(before: (step: Step) => void): Disk {
  let count = 0;
  const next = (operation: Operation, path: unknown): void => {
    count += 1;
    before({ number: count, operation, path: String(path) });
  };
  return new Proxy(systemDisk, {
    get(target, operation: keyof Disk) {
      return async (...parameters: unknown[]): Promise<unknown> => {
        next(operation, parameters[0]);
        const result: unknown = await Reflect.apply(target[operation], undefined, parameters);
        return isOpenFile(result) ? watchFile(result, String(parameters[0]), next) : result;
      };
    },
  });
}

function watchFile(
  file: OpenFile,
  path: string,
  next: (operation: Operation, path: string) => void,
): object {
  return {
    writeFile: async (text: string): Promise<void> => {
      const middle = Math.floor(text.length / 2);
      for (const half of [text.slice(0, middle), text.slice(middle)]) {
        next('writeFile', path);
        await file.writeFile(half);
      }
    },
    // What a killed process has written is there without it, and a test of hundreds of runs need not wait for the disk.
    sync: async (): Promise<void> => next('sync', path),
    close: () => file.close(),
  };
}

function isOpenFile(value: unknown): value is OpenFile {
  return typeof value === 'object' && value !== null && 'sync' in value;
}

/** An error as the system raises it. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: injected, '${path}'`), { code, path, syscall: 'test' });
}
