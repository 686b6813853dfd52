/** For companions of the same version: one contract that a command reads, and the files that it writes for users. */
export { describeMissing, describeMove } from '../cli/describe-generation.ts';
export {
  type ConfiguredContract,
  nameOf,
  readOneContract,
  readWithoutErrors,
} from '../cli/one-contract.ts';
export { createProgressLine, type ProgressLine } from '../cli/progress-line.ts';
export { readAnswers } from '../cli/read-answers.ts';
export { checkConfig } from '../config/check-config.ts';
export { rendererOf } from '../emit/renderer.ts';
export { shellWord } from '../execution/shell-word.ts';
export { toolkitManifest, toolkitVersion } from '../execution/toolkit.ts';
export { isAbsent } from '../output/disk.ts';
export { type NewFile, writeUserFiles } from '../output/user-files.ts';
export { findApplicationManager, findWorkspace } from '../output/workspace.ts';
export { runtimePackage } from '../targets/package/runtime-package.ts';
export { resolveTargets } from '../targets/registry.ts';
export { isReservedScope } from '../targets/scope.ts';
export { formatEntry, targetOf, targetOptions } from '../targets/target-entry.ts';
export { targetsFor } from '../targets/targets-for.ts';
export { overlaysOf } from '../tools/documents-of.ts';
export { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';
