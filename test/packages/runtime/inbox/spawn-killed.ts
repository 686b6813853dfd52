import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Failpoint } from '@countersign/runtime/inbox';

/** Every failpoint. */
export const failpoints: readonly Failpoint[] = [
  'receive:before-commit',
  'receive:before-acknowledgement',
  'handle:in-transaction',
  'handle:before-completion',
  'handle:after-completion',
];

/** When a process kills itself. */
export interface Kill {
  readonly at: Failpoint;
  /** How often it passes the failpoint, this time included. */
  readonly after: number;
}

/** Starts a Node program that is killed at a failpoint. */
export function spawnKilled(
  command: readonly string[],
  kill?: Kill,
  environment: Readonly<Record<string, string>> = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const preload = join(import.meta.dirname, 'kill-at-failpoint.fixture.ts');
  return spawn(
    process.execPath,
    ['--conditions=countersign-source', '--import', preload, ...command],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...environment,
        ...(kill && { KILL_AT: kill.at, KILL_AFTER: String(kill.after) }),
      },
    },
  );
}
