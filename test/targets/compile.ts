import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs a TypeScript compiler of this repository; rejects with what it prints where it finds fault. */
export async function compile(
  compiler: 'typescript' | 'ts7',
  folder: string,
  options: readonly string[],
): Promise<void> {
  const tsc = fileURLToPath(new URL(`../../node_modules/${compiler}/bin/tsc`, import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [tsc, ...options], { cwd: folder });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${compiler} ${options.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
