import { listFirst, quote } from './quote.ts';

/** How the toolkit treats a place until it is corrected: the end of a sentence, or what it leaves out. */
export type Consequence =
  | string
  | { readonly leftOut: 'notification' | 'operation'; readonly names: readonly string[] };

/**
 * Returns consequences as the end of a sentence, each once. Names every notification that is left out: a user has to
 * learn of each that disappears.
 * @param maxOthers how many consequences of other kinds are listed
 */
export function describeConsequences(
  consequences: readonly Consequence[],
  maxOthers: number = Infinity,
): string {
  const names = { notification: new Set<string>(), operation: new Set<string>() };
  const others = new Map<string, number>();
  for (const consequence of consequences) {
    if (typeof consequence === 'string')
      others.set(consequence, (others.get(consequence) ?? 0) + 1);
    else for (const name of consequence.names) names[consequence.leftOut].add(quote(name));
  }
  const moreOthers = others.size - maxOthers;
  const texts = [
    ...describeLeftOut('notification', [...names.notification].join(', '), names.notification.size),
    ...describeLeftOut('operation', listFirst([...names.operation]), names.operation.size),
    ...Array.from(others, ([text, times]) =>
      times === 1 ? text : `${text} (${times} times)`,
    ).slice(0, maxOthers),
    ...(moreOthers > 0 ? [`${moreOthers} more consequences (--verbose shows them)`] : []),
  ];
  return texts.join(', and ');
}

function describeLeftOut(noun: string, listed: string, size: number): readonly string[] {
  if (size === 0) return [];
  return [size === 1 ? `the ${noun} ${listed} is left out` : `the ${noun}s ${listed} are left out`];
}
