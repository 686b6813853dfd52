// Imported first, so that an older Node fails with one clear error instead of the errors of other imports.
import '#require-node';

/** The toolkit as a library: the stages of `countersign generate`, and the types that they exchange. */
export { defineConfig, type Config } from './config/config.ts';
export {
  ConfigError,
  type ConfigErrorCode,
  type ConfigProblem,
} from './diagnostics/config-error.ts';
export type * from './contract/contract.ts';
export type { FormatSetting } from './contract/format-setting.ts';
export type { DiagnosticCode } from './diagnostics/catalogue.ts';
export type { Diagnostic, Location } from './diagnostics/diagnostic.ts';
export type { Severity } from './diagnostics/severity.ts';
export type { LintCode } from './diagnostics/lint-catalogue.ts';
export { generate, readContract, type GenerateOptions, type ReadContract } from './generate.ts';
export type { Progress } from './execution/progress.ts';
export type { Generation, LocatedChange } from './output/generation.ts';
export { isJsonObject, type Json, type JsonObject } from './json/json.ts';
export type { DiffSettings, DiffSeverity } from './config/diff-settings.ts';
export type { LintException, LintSettings } from './config/lint-settings.ts';
export { loadConfig, type LoadedConfig } from './config/load-config.ts';
export type { Budgets } from './load/budgets.ts';
export type { ContractFiles } from './load/contract-files.ts';
export type { Documents, LoadedDocument, SourceFile } from './documents/documents.ts';
export type { Change, ChangeKind } from './output/change.ts';
export type { LockfileReport } from './output/npm-lockfile.ts';
export { OutputError, type OutputErrorCode } from './emit/output-error.ts';
export type { DocumentName, Pointer, PointerRoot } from './json/pointer.ts';
export { pointerDocument, pointerMembers, toPointer } from './json/pointer.ts';
export type * from './schema/model.ts';
export type { Selection } from './select/selection.ts';
export { targetNames } from './targets/registry.ts';
export type { Layout, OutputFile, Target, TargetContext } from './targets/target.ts';
export type { TargetEntry, TargetWithOptions } from './targets/target-entry.ts';
