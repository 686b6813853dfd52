import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { toPointer } from '../../json/pointer.ts';
import { diagnose } from '../../load/diagnose.ts';
import type { Documents } from '../../load/documents.ts';
import type { Contract } from '../contract.ts';

/** Returns the version of the generated packages. */
export function packageVersion(configured: string | undefined, { info }: Contract): string {
  return configured ?? toPackageVersion(info.version);
}

/**
 * Returns a contract's version in a form that npm accepts. Completes versions such as `1` and `v1.2`. For any other
 * text, returns its first three numbers.
 */
function toPackageVersion(version: string): string {
  const text = version.trim().replace(/^v(?=\d)/iu, '');
  if (/^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}(?:[-+][0-9A-Za-z.+-]+)?$/u.test(text))
    return text;
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
  const { version, pointer } = info;
  const isPlain = /^v?\d{1,15}(?:\.\d{1,15}){0,2}$/iu.test(version.trim());
  if (isPlain || toPackageVersion(version) === version) return [];
  const message = `The version ${quote(version)} is not valid for npm; the packages get ${toPackageVersion(version)}.`;
  const problem = { pointer: toPointer(pointer, 'version'), message };
  return [diagnose(documents, 'unusable-version', problem)];
}
