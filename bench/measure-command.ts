import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.ts';

/** The cost of one run of a command. */
export interface Cost {
  readonly wallMilliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
}

interface Runs {
  readonly cwd: string;
  readonly times: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs are numbered from 1. */
  before(run: number): void;
}

/** Runs a script on this Node `times` times, each after `before`. Returns the median of each figure. */
export function measureCommand(script: readonly string[], runs: Runs): Cost {
  const costs = Array.from({ length: runs.times }, (_, index) => {
    runs.before(index + 1);
    return runOnce(script, runs);
  });
  return {
    wallMilliseconds: median(costs.map((cost) => cost.wallMilliseconds)),
    cpuMilliseconds: median(costs.map((cost) => cost.cpuMilliseconds)),
    peakMegabytes: median(costs.map((cost) => cost.peakMegabytes)),
  };
}

/** Runs a script on this Node once. */
export function runOnce(
  script: readonly string[],
  { cwd, environment }: Pick<Runs, 'cwd' | 'environment'>,
): Cost {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const report = join(folder, 'usage.json');
  const hook = fileURLToPath(new URL('./report-usage.ts', import.meta.url));
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, ...script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...environment, COUNTERSIGN_BENCH_REPORT: report },
  });
  const wallMilliseconds = performance.now() - start;
  if (status !== 0)
    throw new Error(`${script.join(' ')} ended with ${status}\n${stderr.slice(0, 2000)}`);
  const usage = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(folder, { recursive: true });
  return {
    wallMilliseconds,
    cpuMilliseconds: (usage.userCPUTime + usage.systemCPUTime) / 1000,
    peakMegabytes: usage.maxRSS / 1024,
  };
}
