import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What the command has printed, and its exit code. */
export interface Ran {
  readonly code: number | null;
  readonly printed: string;
  readonly errors: string;
}

/** Runs sections of the bench with the smallest amounts. */
export async function runSections(
  names: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const program = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=countersign-source', program, '--tiny', ...names],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
  );
  const closed = once(child, 'close');
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { code: child.exitCode, printed, errors };
}

/** Returns the titles of the printed tables that have a row, and say at which commit they were measured. */
export function titlesOf(printed: string): readonly string[] {
  const table =
    /^(?<title>.+)\n\nMeasured at .+ on \d+ \w+ \d{4}: Node \d+\.\d+\.\d+, .+\.\n\n\| {2}\| .+ \|\n\| --- .+ \|\n\| \S/gmu;
  return Array.from(printed.matchAll(table), ({ groups }) => groups?.['title'] ?? '');
}
