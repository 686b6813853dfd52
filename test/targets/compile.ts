import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a TypeScript compiler of this repository; rejects with what it prints where it finds fault. */
export async function compile(
  compiler: 'typescript' | 'ts7',
  folder: string,
  options: readonly string[],
): Promise<void> {
  const [program, ...first] = commandOf(compiler);
  try {
    await promisify(execFile)(program, [...first, ...options], { cwd: folder });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${compiler} ${options.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Returns the program of a compiler and its first arguments. That of 7 is native: Node, which would start it, takes as long. */
function commandOf(compiler: 'typescript' | 'ts7'): readonly [string, ...string[]] {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`${compiler}/package.json`);
  if (compiler === 'typescript') return [process.execPath, join(dirname(manifest), 'bin/tsc')];
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  const native = dirname(createRequire(manifest).resolve(`${platform}/package.json`));
  return [join(native, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')];
}
