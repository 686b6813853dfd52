import type { Contract } from '../../contract/contract.ts';
import { packageName } from '../package/package-files.ts';
import type { TargetContext } from '../target.ts';

/**
 * Returns the name that begins the keys of a contract's receivers: that of the generated package, which no other contract
 * of an application has, and the title, which tells contracts of several applications apart. It has no version. The
 * runtime refuses spaces and `#` in it, and more than 200 characters.
 */
export function receiverNameOf(
  { info }: Contract,
  context: Pick<TargetContext, 'scope' | 'packageNames'>,
): string {
  const words = info.title
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const slug = words.join('-').slice(0, 60).toWellFormed();
  return `${packageName(context, 'webhooks').slice(0, 120)}${slug === '' ? '' : `:${slug}`}`;
}
