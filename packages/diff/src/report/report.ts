import type { Documents, Location, Pointer } from 'countersign';
import { Cursor, pointerDocument, pointerMembers } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import { type ContractChange, isBreaking, type ContractPair } from '../change.ts';
import { diffContracts } from '../diff.ts';
import { highest, type Level, levelOfTarget, nextVersion } from './levels.ts';

/** A change with its location: in the head, or in the base for something that was removed. */
export interface LocatedContractChange extends ContractChange {
  readonly where: Location;
  /** The place in the other contract of what changed; left out if that contract has none. */
  readonly otherSide?: Location;
  readonly breaking: boolean;
  /** The severity that the configuration states for changes of this code, and its reason. */
  readonly override?: SeverityOverride;
}

/** The severity of all changes with a code, instead of the one that their effects have. */
export interface SeverityOverride {
  readonly severity: 'breaking' | 'compatible';
  readonly reason: string;
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
  /** The versions of the base and the head, and the minimum version that the changes require. */
  readonly version: {
    readonly base: string;
    readonly head: string;
    /** Left out if the version of the base is no semantic version. */
    readonly required?: string;
  };
}

/**
 * Compares two contracts and creates the report.
 */
export function createReport(
  contracts: ContractPair,
  documents: { readonly base: Documents; readonly head: Documents },
  targets: readonly TargetDescription[],
  severities: Readonly<Record<string, SeverityOverride>> = {},
): DiffReport {
  const changes = diffContracts(contracts).map((change): LocatedContractChange => {
    const other = change.side === 'head' ? 'base' : 'head';
    const place = change.counterpart ?? change.pointer;
    const isListed = change.counterpart === undefined && isItem(contracts[change.side], place);
    const override = severities[change.code];
    return {
      ...change,
      where: documents[change.side].locate(change.pointer),
      ...(!isListed && hasPlace(contracts[other], place)
        ? { otherSide: documents[other].locate(place) }
        : {}),
      breaking: override === undefined ? isBreaking(change) : override.severity === 'breaking',
      ...(override === undefined ? {} : { override }),
    };
  });
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
    version: {
      base,
      head: contracts.head.info.version,
      ...(isNumbered(base) ? { required: nextVersion(base, level) } : {}),
    },
  };
}

/** Returns whether a next version follows from a version: it begins with a number. */
function isNumbered(version: string): boolean {
  return /^\d+(?:\.\d+){0,2}(?:[-+.].*)?$/u.test(version);
}

function hasPlace(contract: Contract, pointer: Pointer): boolean {
  return valueAt(contract, pointerDocument(pointer), pointerMembers(pointer)) !== undefined;
}

/** Returns whether a place is an item of a list: in another list, its index means another one. */
function isItem(contract: Contract, pointer: Pointer): boolean {
  const parent = pointerMembers(pointer).slice(0, -1);
  return Array.isArray(valueAt(contract, pointerDocument(pointer), parent));
}

function valueAt(
  { documents }: Contract,
  name: ReturnType<typeof pointerDocument>,
  members: readonly string[],
): unknown {
  return Cursor.ofDocument(documents[name] ?? {}, name).child(...members).value;
}

function toVersion(
  version: NonNullable<TargetDescription['version']>,
  level: Level,
): PackageVersion {
  if ('start' in version) return { required: version.start };
  return { ...version, required: nextVersion(version.current, level) };
}
