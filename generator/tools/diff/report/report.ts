import type { Location } from '../../../diagnostics/diagnostic.ts';
import type { Documents } from '../../../load/documents.ts';
import { type ContractChange, isBreaking } from '../change.ts';
import { diffContracts } from '../diff.ts';
import type { ContractPair } from '../changes.ts';
import { highest, type Level, levelOfTarget, nextVersion } from './levels.ts';

/** A change, and the line that it stands in: of the head, or of the base where it is gone. */
export interface LocatedContractChange extends ContractChange {
  readonly where: Location;
  readonly breaking: boolean;
}

/** How the version of a generated package has to grow. */
export interface PackageVerdict {
  readonly target: string;
  readonly package: string;
  readonly level: Level;
}

/** Everything that a comparison of two contracts has to say, as data. */
export interface DiffReport {
  readonly changes: readonly LocatedContractChange[];
  readonly breaking: number;
  readonly packages: readonly PackageVerdict[];
  readonly level: Level;
  /** The version that the base had, the one the head has, and the least that it should have. */
  readonly version: { readonly base: string; readonly head: string; readonly least: string };
}

/**
 * Compares two contracts for those who review the change.
 * @param targets what is generated; `package` is left out where that is no npm package
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
    version: { base, head: contracts.head.info.version, least: nextVersion(base, level) },
  };
}
