import { runOnce, type Cost } from '../measure-command.ts';
import { run as runCommand, type Revision } from './revision.ts';
import type { Run } from './scenarios.ts';

/** Runs a scenario once, and returns its cost: of the process, or of one exchange that a script has measured. */
export function measureRun({ flags }: Revision, run: Run): Cost {
  run.before();
  if (run.measuring === undefined) return runOnce([...flags, ...run.words], { cwd: run.cwd });
  const printed = runCommand(process.execPath, [...flags, ...run.measuring], run.cwd);
  const { wallMicroseconds, cpuMicroseconds } = JSON.parse(printed) as {
    readonly wallMicroseconds: number;
    readonly cpuMicroseconds: number;
  };
  return {
    wallMilliseconds: wallMicroseconds / 1000,
    cpuMilliseconds: cpuMicroseconds / 1000,
    peakMegabytes: Number.NaN,
  };
}
