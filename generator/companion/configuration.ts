/** For companions of the same version: the contracts of a configuration, and what is kept and shown of each. */
export { openKept } from '../cache/kept.ts';
export { recordKey, recordPath } from '../cache/run-record.ts';
export { hashInput, inputHash } from '../cache/toolkit-hash.ts';
export { type Result, runForEachContract, showResults } from '../cli/each-contract.ts';
export { createProgressLine } from '../cli/progress-line.ts';
export { showDiagnostics } from '../cli/show-diagnostics.ts';
export { type LoadedConfig, loadConfig } from '../config/load-config.ts';
export { withDiagnostics } from '../emit/output-error.ts';
export type { ReportProgress } from '../execution/progress.ts';
export { toolkitManifest, toolkitVersion } from '../execution/toolkit.ts';
export { readFiles } from '../output/generation.ts';
export { scopeOf } from '../targets/scope.ts';
export { targetName } from '../targets/target-entry.ts';
