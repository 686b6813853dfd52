import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureFiles } from '../measure-files.ts';
import { countLogs, countSystemCalls, readLogs, type Counts } from './read-counts.ts';
import type { Revision } from './revision.ts';
import type { Run } from './scenarios.ts';

const preload = fileURLToPath(new URL('./count-preload.ts', import.meta.url));

/** Returns whether system calls can be counted on this machine. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-V']).status === 0;
}

/**
 * Runs a scenario once and returns its counts; with strace once more, for its system calls, which `count-preload.ts`
 * would add to.
 *
 * @param isTraced Whether to count system calls.
 */
export function countRun(revision: Revision, run: Run, isTraced: boolean): Counts {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    run.before();
    const printed = execute(
      process.execPath,
      [...revision.flags, '--import', preload, ...run.words],
      run.cwd,
      { COUNTERSIGN_COUNTS: logs },
    );
    const counts = countLogs(readLogs(logs));
    const written =
      run.output !== undefined && existsSync(join(run.cwd, run.output))
        ? measureFiles(join(run.cwd, run.output))
        : undefined;
    return {
      ...(run.measuring === undefined ? counts : exchangeCounts(printed)),
      ...(written === undefined
        ? {}
        : { 'files of the output': written.files, 'bytes of the output': written.bytes }),
      ...(isTraced && run.measuring === undefined ? traceRun(revision, run, folder) : {}),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function traceRun(revision: Revision, run: Run, folder: string): Counts {
  const log = join(folder, 'strace.log');
  run.before();
  execute(
    'strace',
    [
      '-f',
      '-qq',
      '--trace=%file,getdents64',
      '--signal=none',
      `--output=${log}`,
      process.execPath,
      ...revision.flags,
      ...run.words,
    ],
    run.cwd,
  );
  return countSystemCalls(readFileSync(log, 'utf8'));
}

function exchangeCounts(printed: string): Counts {
  const { counts } = JSON.parse(printed) as {
    readonly counts: Readonly<Record<'crypto' | 'json' | 'functions', number>>;
  };
  return {
    'calls of crypto': counts.crypto,
    'calls of JSON': counts.json,
    'calls of own functions': counts.functions,
  };
}

function execute(
  command: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): string {
  const { status, signal, stdout, stderr } = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, ...environment },
  });
  if (status !== 0)
    throw new Error(
      `${words.join(' ')} ended with ${status ?? signal ?? 'nothing'}\n${stderr.slice(0, 4000)}`,
    );
  return stdout;
}
