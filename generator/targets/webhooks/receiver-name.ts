import { createHash } from 'node:crypto';
import type { Contract } from '../../contract/contract.ts';
import { packageName } from '../package/package-files.ts';
import type { TargetContext } from '../target.ts';

/**
 * Returns the name that begins the keys of a contract's receivers: that of the generated package, which no other contract
 * of an application has, and the title, which tells contracts of several applications apart. It has no version. A hash
 * tells names apart that would be equal: titles that differ in symbols, and texts that are cut. The runtime refuses
 * spaces and `#` in a name, and more than 200 characters.
 */
export function receiverNameOf(
  { info }: Contract,
  context: Pick<TargetContext, 'scope' | 'packageNames'>,
): string {
  const title = info.title.normalize('NFKC').toLowerCase().trim();
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const slug = words.join('-');
  const name = packageName(context, 'webhooks');
  const kept = name.slice(0, maxPackage) + (slug === '' ? '' : `:${cut(slug, maxTitle)}`);
  const isWhole = name.length <= maxPackage && slug.length <= maxTitle;
  // `C++` and `C#` have the same letters. Punctuation that texts have around words tells no contracts apart.
  const isDistinct = isWhole && !/[\p{S}#&*@%\\]/u.test(title);
  return isDistinct ? kept : `${kept}~${hashOf(JSON.stringify([name, title]))}`;
}

const maxPackage = 120;
const maxTitle = 60;

function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
