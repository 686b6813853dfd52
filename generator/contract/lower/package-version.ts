import type { Contract } from '../contract.ts';

/** Returns the version of the generated packages. */
export function packageVersion(configured: string | undefined, { info }: Contract): string {
  return configured ?? toPackageVersion(info.version);
}

/**
 * Returns a contract's version in a form that npm accepts. Completes versions such as `1` and `v1.2`. For any other
 * text, returns its first three numbers.
 */
export function toPackageVersion(version: string): string {
  const text = version.trim().replace(/^v(?=\d)/iu, '');
  if (/^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}(?:[-+][0-9A-Za-z.+-]+)?$/u.test(text))
    return text;
  const numbers = text.match(/\d{1,15}/gu) ?? [];
  return [...numbers, '0', '0', '0'].slice(0, 3).map(Number).join('.');
}
