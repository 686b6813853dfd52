import type { Location } from '../../../diagnostics/diagnostic.ts';
import type { Documents } from '../../../load/documents.ts';
import { type ContractChange, isBreaking } from '../change.ts';
import { diffContracts } from '../diff.ts';
import type { ContractPair } from '../change.ts';
import { highest, isDocumentationOnly, type Level, levelOfTarget, nextVersion } from './levels.ts';

/** A change with its location: in the head, or in the base for something that was removed. */
export interface LocatedContractChange extends ContractChange {
  readonly where: Location;
  readonly breaking: boolean;
}

/** The version increment of a generated package. */
export interface PackageVerdict {
  readonly target: string;
  readonly package: string;
  readonly level: Level;
}

/** The result of a comparison of two contracts, as data. */
export interface DiffReport {
  readonly changes: readonly LocatedContractChange[];
  readonly breaking: number;
  readonly packages: readonly PackageVerdict[];
  readonly level: Level;
  /** The version of the base, the version of the head, and the minimum version that the changes require. */
  readonly version: { readonly base: string; readonly head: string; readonly required: string };
}

/** The changes of a report by their effect on users. */
export interface ChangeGroups {
  readonly breaking: readonly LocatedContractChange[];
  readonly compatible: readonly LocatedContractChange[];
  readonly documentation: readonly LocatedContractChange[];
}

/** Groups the changes of a report by their effect on users. */
export function groupChanges({ changes }: DiffReport): ChangeGroups {
  const others = changes.filter(({ breaking }) => !breaking);
  return {
    breaking: changes.filter(({ breaking }) => breaking),
    compatible: others.filter((change) => !isDocumentationOnly(change)),
    documentation: others.filter(isDocumentationOnly),
  };
}

/**
 * Compares two contracts and creates the report.
 * @param targets the generated targets; `package` is omitted for targets that are not npm packages
 */
export function createReport(
  contracts: ContractPair,
  documents: { readonly base: Documents; readonly head: Documents },
  targets: readonly { readonly target: string; readonly package?: string }[],
): DiffReport {
  const changes = diffContracts(contracts).map((change) => ({
    ...change,
    where: documents[change.side].locate(change.pointer),
    breaking: isBreaking(change),
  }));
  const verdicts = targets.map((one) => ({ ...one, level: levelOfTarget(one.target, changes) }));
  const level = highest(verdicts.map((verdict) => verdict.level));
  const { version: base } = contracts.base.info;
  return {
    changes,
    breaking: changes.filter(({ breaking }) => breaking).length,
    packages: verdicts.flatMap(({ package: name, ...verdict }) =>
      name === undefined ? [] : { ...verdict, package: name },
    ),
    level,
    version: { base, head: contracts.head.info.version, required: nextVersion(base, level) },
  };
}
