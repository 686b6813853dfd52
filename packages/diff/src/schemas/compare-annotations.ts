import { isSameJson } from 'countersign/companion/values';
import type { Json } from 'countersign/kit';
import { formatChange } from '../format-value.ts';
import type { Findings } from './difference.ts';
import { type Conjunct } from './choices.ts';
import { type Place, within } from './place.ts';

/** Annotations that do not affect validation. */
const texts = [
  'title',
  'description',
  '$comment',
  'externalDocs',
  'readOnly',
  'writeOnly',
  'x-enum-descriptions',
  'x-note',
];

/** Annotations that mean nothing if they are `false`. */
const flags = ['readOnly', 'writeOnly', 'deprecated'];

/** The schemas of a value before and after a change. */
export interface AnnotatedPair {
  readonly base: readonly Conjunct[];
  readonly head: readonly Conjunct[];
}

/** Compares annotations and defaults. Each is a list: several schemas can describe one value. */
export function compareAnnotations({ base, head }: AnnotatedPair, findings: Findings): void {
  const changedAt = (keyword: string): ReturnType<typeof changeOf> => changeOf(keyword, base, head);
  const changed = texts.flatMap((keyword) => {
    const change = changedAt(keyword);
    return change === undefined ? [] : [{ keyword, ...change }];
  });
  const [first] = changed;
  if (first !== undefined) {
    const keywords = changed.map(({ keyword }) => keyword).join(', ');
    findings.differ('documentation-changed', `${keywords} changed.`, first.at, first);
  }
  const source = changedAt('x-source');
  if (source !== undefined)
    findings.differ(
      'citation-changed',
      formatChange('`x-source`', source.was, source.is),
      source.at,
      source,
    );
  const examples = changedAt('examples');
  if (examples !== undefined)
    findings.differ('examples-changed', 'The examples changed.', examples.at, examples);
  const deprecated = changedAt('deprecated');
  const [was, is] = [isDeprecated(base), isDeprecated(head)];
  if (deprecated !== undefined && !was && is)
    findings.differ('deprecated', 'It is deprecated.', deprecated.at);
  if (deprecated !== undefined && was && !is)
    findings.differ(
      'deprecation-withdrawn',
      'It is no longer deprecated.',
      deprecated.at,
      deprecated,
    );
  const byDefault = changedAt('default');
  if (byDefault !== undefined)
    findings.differ(
      'default-changed',
      formatChange('`default`', byDefault.was, byDefault.is),
      byDefault.at,
      byDefault,
    );
}

function isDeprecated(conjuncts: readonly Conjunct[]): boolean {
  return conjuncts.some(({ node }) => node.keywords['deprecated'] === true);
}

interface AnnotationChange {
  readonly was: Json | undefined;
  readonly is: Json | undefined;
  readonly at: Place;
  readonly side: 'base' | 'head';
}

function changeOf(
  keyword: string,
  base: readonly Conjunct[],
  head: readonly Conjunct[],
): AnnotationChange | undefined {
  const [was, is] = [valuesOf(keyword, base), valuesOf(keyword, head)];
  const differs = ({ value }: { value: Json }, others: typeof was): boolean =>
    !others.some((candidate) => isSameJson(candidate.value, value));
  const added = is.find((item) => differs(item, was));
  const removed = was.find((item) => differs(item, is));
  const changed = added ?? removed;
  if (changed === undefined) return undefined;
  return {
    was: removed?.value,
    is: added?.value,
    at: within(changed.at, keyword),
    side: added === undefined ? 'base' : 'head',
  };
}

function valuesOf(
  keyword: string,
  conjuncts: readonly Conjunct[],
): readonly { readonly value: Json; readonly at: Place }[] {
  return conjuncts.flatMap(({ node, at }) => {
    const value = node.keywords[keyword];
    const isUnset = value === undefined || (value === false && flags.includes(keyword));
    return isUnset ? [] : [{ value, at }];
  });
}
