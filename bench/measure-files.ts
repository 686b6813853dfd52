import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder, or one file. */
export interface Files {
  readonly files: number;
  readonly bytes: number;
  /** The bytes that the files take in blocks of 4 KiB. */
  readonly bytesOnDisk: number;
}

/** Counts the files of a folder and their bytes; for a file, that one. */
export function measureFiles(path: string): Files {
  const sizes = statSync(path).isFile()
    ? [statSync(path).size]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0);
  return {
    files: sizes.length,
    bytes: sum(sizes),
    bytesOnDisk: sum(sizes.map((size) => Math.ceil(size / 4096) * 4096)),
  };
}
