import type { Documents, Location } from 'countersign';
import { type ContractChange, isBreaking, type ContractPair } from '../change.ts';
import { diffContracts } from '../diff.ts';
import { highest, isDocumentationOnly, type Level, levelOfTarget, nextVersion } from './levels.ts';

/** A change with its location: in the head, or in the base for something that was removed. */
export interface LocatedContractChange extends ContractChange {
  readonly where: Location;
  readonly breaking: boolean;
}

/** The version increment of a generated package. */
interface PackageVerdict {
  readonly target: string;
  readonly package: string;
  readonly level: Level;
  /** The version of the package on disk and the minimum version that the changes require, if versions are on disk. */
  readonly version?: PackageVersion;
}

/** A target of a configuration. */
export interface TargetDescription {
  readonly target: string;
  /** The npm package that the target generates, if it does. */
  readonly package?: string;
  /** If the versions of packages are on disk: the version there, or for a new package the one that it starts at. */
  readonly version?: { readonly current: string } | { readonly start: string };
}

/** The versions of a package: `current` is omitted for a package that is not generated yet. */
export interface PackageVersion {
  readonly current?: string;
  readonly required: string;
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
  const nonBreakingChanges = changes.filter(({ breaking }) => !breaking);
  return {
    breaking: changes.filter(({ breaking }) => breaking),
    compatible: nonBreakingChanges.filter((change) => !isDocumentationOnly(change)),
    documentation: nonBreakingChanges.filter(isDocumentationOnly),
  };
}

/**
 * Compares two contracts and creates the report.
 */
export function createReport(
  contracts: ContractPair,
  documents: { readonly base: Documents; readonly head: Documents },
  targets: readonly TargetDescription[],
): DiffReport {
  const changes = diffContracts(contracts).map((change) => ({
    ...change,
    where: documents[change.side].locate(change.pointer),
    breaking: isBreaking(change),
  }));
  const verdicts = targets.map(({ version, ...description }) => {
    const level = levelOfTarget(description.target, changes);
    return {
      ...description,
      level,
      ...(version === undefined ? {} : { version: toVersion(version, level) }),
    };
  });
  // Two documents without a configuration have no packages: the version is that of the contract itself.
  const level =
    targets.length === 0
      ? levelOfTarget('', changes)
      : highest(verdicts.map((verdict) => verdict.level));
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

function toVersion(
  version: NonNullable<TargetDescription['version']>,
  level: Level,
): PackageVersion {
  if ('start' in version) return { required: version.start };
  return { ...version, required: nextVersion(version.current, level) };
}
