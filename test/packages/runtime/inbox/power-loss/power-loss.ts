import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a process did to a file of the recorded folder. */
export interface FileOperation {
  readonly type: 'write' | 'truncate' | 'synchronize' | 'delete';
  readonly name: string;
  /** Where the data were written; the length after a truncation. */
  readonly offset: number;
  readonly data: Buffer;
}

/** How much of a write that was not synchronized survives a power failure, in bytes. */
export type Survival = (operation: FileOperation) => number;

const types = { w: 'write', t: 'truncate', s: 'synchronize', d: 'delete' } as const;
const headLength = 32;

/** Whether writes can be recorded here: on Linux, with a C compiler. */
export const canRecord: boolean =
  process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

/** Compiles the library that records writes. */
export async function compileRecorder(folder: string): Promise<string> {
  const library = join(folder, 'record-writes.so');
  const source = join(import.meta.dirname, 'record-writes.c');
  const flags = ['-shared', '-fPIC', '-O2', source, '-o', library, '-ldl', '-lpthread'];
  await promisify(execFile)('cc', flags);
  return library;
}

/** Runs a program to its end, and returns what it did to the files of a folder. */
export async function recordProgram(
  library: string,
  folder: string,
  program: string,
  parameters: readonly string[],
): Promise<readonly FileOperation[]> {
  const file = `${folder}.record`;
  const child = execFile(
    process.execPath,
    ['--conditions=countersign-source', program, ...parameters],
    {
      env: {
        ...process.env,
        LD_PRELOAD: library,
        RECORD_FOLDER: folder,
        RECORD_FILE: file,
      },
    },
    () => undefined,
  );
  child.stderr?.pipe(process.stderr);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the recorded program ended with ${code}`);
  return readOperations(await readFile(file));
}

function readOperations(bytes: Buffer): readonly FileOperation[] {
  const operations: FileOperation[] = [];
  const text = (start: number, length: number): string =>
    bytes.subarray(start, start + length).toString();
  for (let at = 0; at < bytes.length;) {
    const [type = 0, nameLength = 0, offset = 0, length = 0] = [0, 8, 16, 24].map((part) =>
      Number(bytes.readBigInt64LE(at + part)),
    );
    const name = at + headLength;
    const data = name + nameLength;
    operations.push({
      type: types[String.fromCodePoint(type) as keyof typeof types],
      name: text(name, nameLength),
      offset,
      data: bytes.subarray(data, data + length),
    });
    at = data + length;
  }
  return operations;
}

/**
 * Writes the files as a power failure after `count` operations leaves them: what was written before the last
 * synchronization of its file, and of everything else what `survives`.
 */
export async function writeAfterPowerLoss(
  operations: readonly FileOperation[],
  count: number,
  survives: Survival,
  folder: string,
): Promise<void> {
  const done = operations.slice(0, count);
  const synchronized = new Map<string, number>();
  for (const [index, { type, name }] of done.entries())
    if (type === 'synchronize') synchronized.set(name, index);
  const files = new Map<string, FileContent>();
  for (const [index, operation] of done.entries()) {
    const { type, name, offset, data } = operation;
    const isDurable = index < (synchronized.get(name) ?? -1);
    const file = files.get(name) ?? new FileContent();
    if (type === 'delete') files.delete(name);
    else if (type !== 'synchronize') {
      files.set(name, file);
      const kept = isDurable ? data.length : Math.min(survives(operation), data.length);
      if (type === 'write') file.write(data.subarray(0, kept), offset);
      else if (isDurable || survives(operation) > 0) file.truncate(offset);
    }
  }
  await mkdir(folder);
  for (const [name, { content }] of files) await writeFile(join(folder, name), content);
}

/** The content of a file that is written piece by piece. */
class FileContent {
  #bytes = Buffer.alloc(1 << 16);
  #length = 0;

  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  write(data: Buffer, offset: number): void {
    if (data.length === 0) return;
    const end = offset + data.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(end * 2);
      this.content.copy(larger);
      this.#bytes = larger;
    }
    data.copy(this.#bytes, offset);
    this.#length = Math.max(this.#length, end);
  }

  truncate(length: number): void {
    this.#bytes.fill(0, Math.min(length, this.#length), this.#length);
    if (length > this.#bytes.length) this.write(Buffer.alloc(1), length - 1);
    this.#length = length;
  }
}
