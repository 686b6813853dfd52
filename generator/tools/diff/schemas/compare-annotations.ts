import type { Pair } from './pair.ts';
import { isSameJson } from '../../../json/same-json.ts';
import type { SchemaDifference } from './schema-difference.ts';
import { formatValue } from '../format-value.ts';

/** Annotations that do not affect validation. */
const texts = [
  'title',
  'description',
  '$comment',
  'externalDocs',
  'readOnly',
  'writeOnly',
  'x-enum-descriptions',
];

/** Compares annotations and defaults. */
export function* compareAnnotations(pair: Pair): Generator<SchemaDifference> {
  const { base, head } = pair;
  const changed = texts.filter((keyword) => !isSameJson(base[keyword], head[keyword]));
  const [first] = changed;
  if (first !== undefined)
    yield pair.say('documentation-changed', `${changed.join(', ')} changed.`, first);
  if (!isSameJson(base['x-source'], head['x-source'])) {
    const change = `${formatValue(base['x-source'])} → ${formatValue(head['x-source'])}`;
    yield pair.say('citation-changed', `It cites other sections: ${change}.`, 'x-source');
  }
  if (!isSameJson(base['examples'], head['examples']))
    yield pair.say('examples-changed', 'Its examples changed.', 'examples');
  const [was, is] = [base['deprecated'] === true, head['deprecated'] === true];
  if (!was && is) yield pair.say('deprecated', 'It is deprecated.', 'deprecated');
  if (was && !is)
    yield pair.say('deprecation-withdrawn', 'It is no longer deprecated.', 'deprecated');
  if (!isSameJson(base['default'], head['default'])) {
    const [before, after] = [base['default'], head['default']].map((value) =>
      value === undefined ? 'nothing' : formatValue(value),
    );
    yield pair.say('default-changed', `Its default was ${before} and is ${after}.`, 'default');
  }
}
