import type { Diagnostic } from './diagnostic.ts';
import { listFirst } from './quote.ts';

/** Units that a consequence leaves out: `the operations "a", "b" are left out`. */
const leftOut = /^the (notification|operation)s? ("[^]*") (?:is|are) left out$/u;

/** How many other consequences a group lists. */
const maxOthers = 3;

/**
 * Returns how the toolkit treats the places of several diagnostics until they are corrected, as the end of a sentence;
 * `undefined` if none of them says so. Names every notification: a user has to learn of each that disappears.
 */
export function joinConsequences(diagnostics: readonly Diagnostic[]): string | undefined {
  const names = { notification: new Set<string>(), operation: new Set<string>() };
  const others = new Map<string, number>();
  for (const { help } of diagnostics) {
    for (const text of consequencesIn(help)) {
      const [, noun, listed = ''] = leftOut.exec(text) ?? [];
      if (noun === 'notification' || noun === 'operation')
        for (const name of listed.split(/(?<="), (?=")/u)) names[noun].add(name);
      else others.set(text, (others.get(text) ?? 0) + 1);
    }
  }
  const moreOthers = others.size - maxOthers;
  const texts = [
    ...describeLeftOut('notification', names.notification, Infinity),
    ...describeLeftOut('operation', names.operation, 10),
    ...[...others]
      .slice(0, maxOthers)
      .map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`)),
    ...(moreOthers > 0 ? [`${moreOthers} more consequences (--verbose shows them)`] : []),
  ];
  return texts.length === 0 ? undefined : texts.join(', and ');
}

function consequencesIn(help: string): readonly string[] {
  const [, until] = /; until then, ([^]*)\.(?:\n\n|$)/u.exec(help) ?? [];
  return until?.split(/, and (?=the |any |there )/u) ?? [];
}

function describeLeftOut(
  noun: 'notification' | 'operation',
  names: ReadonlySet<string>,
  max: number,
): readonly string[] {
  if (names.size === 0) return [];
  const listed = max === Infinity ? [...names].join(', ') : listFirst([...names]);
  return [
    names.size === 1 ? `the ${noun} ${listed} is left out` : `the ${noun}s ${listed} are left out`,
  ];
}
