/** For companions of the same version: one contract that a command reads, and the files that it writes for users. */
export { describeMissing, describeMove } from '../cli/describe-generation.ts';
export { type ConfiguredContract, readOneContract } from '../cli/one-contract.ts';
export type { ProgressLine } from '../cli/progress-line.ts';
export { checkConfig } from '../config/check-config.ts';
export { rendererOf } from '../emit/renderer.ts';
export { isAbsent } from '../output/disk.ts';
export { type NewFile, writeUserFiles } from '../output/user-files.ts';
export { findWorkspace } from '../output/workspace.ts';
export { type Distinction, distinguish, isAsyncapi2 } from '../rules/distinguishing-overlay.ts';
export { groupsToDistinguish } from '../rules/notifications.ts';
export { runtimePackage } from '../targets/package/runtime-package.ts';
export { isReservedScope } from '../targets/scope.ts';
export { formatEntry, targetOf, targetOptions } from '../targets/target-entry.ts';
export { targetsFor } from '../targets/targets-for.ts';
export { overlaysOf } from '../tools/documents-of.ts';
