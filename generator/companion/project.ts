/** For companions of the same version: what is read of a contract. */
export { readWithoutErrors } from '../cli/one-contract.ts';
export { sortDiagnostics } from '../diagnostics/diagnostic.ts';
export { diagnose } from '../documents/diagnose.ts';
export { readContract } from '../generate.ts';
export { namedFiles } from '../load/contract-files.ts';
export { type PackageVersions, readPackageVersions } from '../output/package-versions.ts';
export { findApplicationManager } from '../output/workspace.ts';
export { isDanglingCode } from '../select/without-dangling.ts';
export { messagePlaces } from '../specification/message-place.ts';
export { isAnnotation } from '../specification/schema-keywords.ts';
export { walk } from '../specification/walk.ts';
export { documentsOf } from '../tools/documents-of.ts';
