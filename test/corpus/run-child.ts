import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What one child process may use. */
export interface Limits {
  readonly seconds: number;
  readonly megabytes: number;
}

/** How a child process has ended. */
export interface Ended {
  readonly how: 'ok' | 'failed' | 'out-of-time' | 'out-of-memory';
  readonly wallMilliseconds: number;
  /** The end of what it printed. */
  readonly output: string;
}

/** Runs a script of this folder on this Node within limits; what it does wrong stays with it. */
export function runChild(
  script: string,
  parameters: readonly string[],
  { seconds, megabytes }: Limits,
): Promise<Ended> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--conditions=countersign-source',
      `--max-old-space-size=${megabytes}`,
      '--disable-warning=ExperimentalWarning',
      file,
      ...parameters,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, seconds * 1000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const wallMilliseconds = performance.now() - start;
      const full = /heap out of memory|Array buffer allocation failed/u.test(output);
      const how = late
        ? 'out-of-time'
        : code === 0
          ? 'ok'
          : full || signal === 'SIGKILL'
            ? 'out-of-memory'
            : 'failed';
      resolve({ how, wallMilliseconds, output });
    });
  });
}
