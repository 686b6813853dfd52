/** For companions of the same version: the documents and contracts of a configuration, and what is generated of them. */
export { type Result, runForEachContract, showResults } from '../cli/each-contract.ts';
export { loadConfig } from '../config/load-config.ts';
export { emitFiles } from '../emit/emit.ts';
export { withDiagnostics } from '../emit/output-error.ts';
export { packageManagers } from '../execution/package-managers.ts';
export { readContract } from '../generate.ts';
export { namedFiles } from '../load/contract-files.ts';
export { type PackageVersions, readPackageVersions } from '../output/package-versions.ts';
export { findApplicationManager } from '../output/workspace.ts';
export { isDanglingCode } from '../select/without-dangling.ts';
export { messagePlaces } from '../specification/message-place.ts';
export { isAnnotation } from '../specification/schema-keywords.ts';
export { walk } from '../specification/walk.ts';
export { scopeOf } from '../targets/scope.ts';
export { targetName } from '../targets/target-entry.ts';
export { documentsOf } from '../tools/documents-of.ts';
