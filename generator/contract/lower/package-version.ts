import type { Contract } from '../contract.ts';

/** The version of the generated packages. */
export function packageVersion(configured: string | undefined, { info }: Contract): string {
  return configured ?? toPackageVersion(info.version);
}

/** A contract's version as npm takes it: `1`, `v1.2` and the like completed; of any other, the first three numbers. */
export function toPackageVersion(version: string): string {
  const text = version.trim().replace(/^v(?=\d)/iu, '');
  if (/^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}(?:[-+][0-9A-Za-z.+-]+)?$/u.test(text))
    return text;
  const numbers = text.match(/\d{1,15}/gu) ?? [];
  return [...numbers, '0', '0', '0'].slice(0, 3).map(Number).join('.');
}
