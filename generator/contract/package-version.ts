import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { toPointer } from '../json/pointer.ts';
import { diagnose } from '../documents/diagnose.ts';
import type { Documents } from '../documents/documents.ts';
import type { Contract } from './contract.ts';
import { semanticVersion, versionsOnDisk } from './semantic-version.ts';

/**
 * Returns the version of each generated package, by its target.
 * @param configured the setting `version`
 * @param onDisk the versions of the packages on disk, for packages whose versions are kept there; a package that is not
 * generated yet starts at the version of the contract
 */
export function packageVersions(
  targets: readonly string[],
  configured: string | undefined,
  { info }: Contract,
  onDisk: ReadonlyMap<string, string> = new Map(),
): Readonly<Record<string, string>> {
  const isOnDisk = configured === undefined || configured === versionsOnDisk;
  const common = isOnDisk ? toPackageVersion(info.version) : configured;
  const versions: Record<string, string> = Object.create(null);
  for (const target of targets) versions[target] = onDisk.get(target) ?? common;
  return versions;
}

/**
 * Returns a contract's version in a form that npm accepts. Completes versions such as `1` and `v1.2`. For any other
 * text, returns its first three numbers.
 */
function toPackageVersion(version: string): string {
  const text = version.trim().replace(/^v(?=\d)/iu, '');
  if (semanticVersion.test(text)) return text;
  const numbers = text.match(/\d{1,15}/gu) ?? [];
  return [...numbers, '0', '0', '0'].slice(0, 3).map(Number).join('.');
}

/**
 * Reports a contract version that npm does not accept, and the version that the packages get instead. A plain list of
 * up to three numbers is completed without a diagnostic.
 */
export function diagnoseVersion(
  documents: Documents,
  { info }: Pick<Contract, 'info'>,
): readonly Diagnostic[] {
  return diagnoseUnusable(documents, info, (version) => ({ what: `the packages get ${version}` }));
}

/** Reports a contract version that npm does not accept, where new packages start at the version of the contract. */
export function diagnoseStart(
  documents: Documents,
  { info }: Pick<Contract, 'info'>,
): readonly Diagnostic[] {
  return diagnoseUnusable(documents, info, (version) => ({
    what: `new packages start at ${version}`,
    help: 'Write `info.version` as three numbers, such as 1.2.0, or the version of the new packages into their `package.json`.',
  }));
}

function diagnoseUnusable(
  documents: Documents,
  { version, pointer }: Contract['info'],
  consequence: (version: string) => { readonly what: string; readonly help?: string },
): readonly Diagnostic[] {
  const isPlain = /^v?\d{1,15}(?:\.\d{1,15}){0,2}$/iu.test(version.trim());
  if (isPlain || toPackageVersion(version) === version) return [];
  const { what, help } = consequence(toPackageVersion(version));
  const message = `The version ${quote(version)} is not valid for npm; ${what}.`;
  const problem = { pointer: toPointer(pointer, 'version'), message, help };
  return [diagnose(documents, 'unusable-version', problem)];
}
