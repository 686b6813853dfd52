import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../load/documents.ts';
import { toPointer } from '../../json/pointer.ts';
import type { Contract } from '../contract.ts';
import { toPackageVersion } from './package-version.ts';
import { diagnose } from '../../load/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';

/**
 * Reports a contract version that npm does not accept, and the version that the packages get instead. A plain list of
 * up to three numbers is completed without a diagnostic.
 */
export function diagnoseVersion(
  documents: Documents,
  { info }: Pick<Contract, 'info'>,
): readonly Diagnostic[] {
  const { version, pointer } = info;
  const isPlain = /^v?\d{1,15}(?:\.\d{1,15}){0,2}$/iu.test(version.trim());
  if (isPlain || toPackageVersion(version) === version) return [];
  const message = `The version ${quote(version)} is not valid for npm; the packages get ${toPackageVersion(version)}.`;
  const problem = { pointer: toPointer(pointer, 'version'), message };
  return [diagnose(documents, 'unusable-version', problem)];
}
