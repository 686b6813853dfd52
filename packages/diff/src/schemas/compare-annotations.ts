import { isSameJson } from 'countersign/companion/values';
import type { SchemaDifference, SchemaPair } from './schema-pair.ts';

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

/** Compares annotations and defaults. */
export function* compareAnnotations(pair: SchemaPair): Generator<SchemaDifference> {
  const [base, head] = [pair.base.keywords, pair.head.keywords];
  const isChanged = (keyword: string): boolean => !isSameJson(base[keyword], head[keyword]);
  const changed = texts.filter(isChanged);
  const [first] = changed;
  if (first !== undefined)
    yield pair.differ('documentation-changed', `${changed.join(', ')} changed.`, first);
  if (isChanged('x-source')) yield pair.differIn('citation-changed', 'x-source');
  if (isChanged('examples'))
    yield pair.differ('examples-changed', 'The examples changed.', 'examples');
  const [was, is] = [base['deprecated'] === true, head['deprecated'] === true];
  if (!was && is) yield pair.differ('deprecated', 'It is deprecated.', 'deprecated');
  if (was && !is)
    yield pair.differ('deprecation-withdrawn', 'It is no longer deprecated.', 'deprecated');
  if (isChanged('default')) yield pair.differIn('default-changed', 'default');
}
