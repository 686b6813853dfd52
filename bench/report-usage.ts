import { writeFileSync } from 'node:fs';

/** Preloaded into a measured process: writes what the process used where `COUNTERSIGN_BENCH_REPORT` says. */
process.on('exit', () => {
  const report = process.env['COUNTERSIGN_BENCH_REPORT'];
  if (report !== undefined) writeFileSync(report, JSON.stringify(process.resourceUsage()));
});
