import { writeFileSync } from 'node:fs';

/** Preloaded into a measured process. Writes its resource usage to the file `COUNTERSIGN_BENCH_REPORT`. */
process.on('exit', () => {
  const report = process.env['COUNTERSIGN_BENCH_REPORT'];
  if (report !== undefined) writeFileSync(report, JSON.stringify(process.resourceUsage()));
});
