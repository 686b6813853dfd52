import { appendFileSync } from 'node:fs';
import { type Disk, systemDisk } from '../../generator/output/disk.ts';

export interface Step {
  /** Counted from 1. */
  readonly number: number;
  readonly operation: keyof Disk;
  readonly path: string;
}

/**
 * The file system of this machine, calling `before` ahead of every operation: what it throws, the operation throws.
 * A text is written in two halves, so that one can be there without the other.
 */
export function watchDisk(before: (step: Step) => void): Disk {
  let count = 0;
  const next = (operation: keyof Disk, path: string): void => {
    count += 1;
    before({ number: count, operation, path });
  };
  return new Proxy(systemDisk, {
    get(target, operation: keyof Disk) {
      return (path: string, ...more: unknown[]): unknown => {
        next(operation, path);
        // What a killed process has written is there without it, and a test of hundreds of runs need not wait for the
        // disk.
        if (operation === 'syncFolder') return undefined;
        if (operation !== 'writeFile')
          return Reflect.apply(target[operation] as () => unknown, undefined, [path, ...more]);
        const text = String(more[0]);
        const middle = Math.floor(text.length / 2);
        target.writeFile(path, text.slice(0, middle));
        next(operation, path);
        return appendFileSync(path, text.slice(middle));
      };
    },
  });
}

/** An error as the system raises it. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: injected, '${path}'`), { code, path, syscall: 'test' });
}
