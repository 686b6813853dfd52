import type { Recognition } from './recognition.ts';
import { kindSetsOf } from './routes.ts';

/**
 * Returns in words whether labels distinguish kinds that nothing else in a delivery distinguishes, as a part of a
 * sentence: empty if none of the kinds has a label.
 */
export function labelWords(
  { routes }: Pick<Recognition, 'routes'>,
  names: readonly string[],
): '' | 'without a label' | 'with or without a label' | 'without a label, and in part with one' {
  const named = new Set(names);
  const counts = routes
    .flatMap((route) => kindSetsOf(route))
    .map((kinds) => kinds.filter((kind) => named.has(kind)).length);
  if (counts.every((count) => count === 0)) return '';
  if (counts.includes(names.length)) return 'with or without a label';
  return counts.some((count) => count > 1)
    ? 'without a label, and in part with one'
    : 'without a label';
}

/** Returns in a sentence what a union of kinds means. */
export function describeUnion(
  recognition: Pick<Recognition, 'routes'>,
  names: readonly string[],
): string {
  const words = labelWords(recognition, names);
  const condition = words === '' ? '' : `${words}, `;
  return `One of ${names.join(', ')}: ${condition}nothing in the delivery tells which.`;
}

/** Returns in words whether every delivery shows which of some kinds it is. */
export function describeChoice(
  { groups }: Pick<Recognition, 'groups'>,
  names: readonly string[],
): string {
  const named = new Set(names);
  const isOpen = groups.some((group) => group.filter((name) => named.has(name)).length > 1);
  return isOpen
    ? 'one of these; some deliveries fit several'
    : 'one of these; the body shows which one';
}
