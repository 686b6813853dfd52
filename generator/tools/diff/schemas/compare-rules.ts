import type { Json } from '../../../json/json.ts';
import type { Pair } from './pair.ts';
import { isSameJson } from '../../../json/same-json.ts';
import type { SchemaDifference } from './schema-difference.ts';
import { formatValue } from '../format-value.ts';

/** Limits for which a larger number allows fewer values. */
const lower = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
];
const upper = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
];

/** Keywords that are only compared for being added, removed or changed, without deciding which is stricter. */
const others = [
  'const',
  'pattern',
  'format',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];

/** Compares the validation keywords other than types, enumerations, members and combinations. */
export function* compareRules(pair: Pair): Generator<SchemaDifference> {
  for (const keyword of lower) yield* compareLimit(pair, keyword, (was, is) => is > was);
  for (const keyword of upper) yield* compareLimit(pair, keyword, (was, is) => is < was);
  yield* compareMultiples(pair);
  yield* compareUniqueness(pair);
  for (const keyword of others) yield* compareOther(pair, keyword);
}

function* compareLimit(
  pair: Pair,
  keyword: string,
  isTighter: (was: number, is: number) => boolean,
): Generator<SchemaDifference> {
  const [was, is] = [numberOf(pair.base[keyword]), numberOf(pair.head[keyword])];
  const [from, to] = [was ?? defaultOf(keyword), is ?? defaultOf(keyword)];
  if (from === to) return;
  const tightened = to !== undefined && (from === undefined || isTighter(from, to));
  const code = tightened ? 'limit-tightened' : 'limit-loosened';
  yield pair.say(
    code,
    `\`${keyword}\` was ${was ?? 'not set'} and is ${is ?? 'not set'}.`,
    keyword,
  );
}

/** Returns the limit that applies where the keyword is not set (JSON Schema Validation 2020-12, section 6). */
function defaultOf(keyword: string): number | undefined {
  if (keyword === 'minContains') return 1;
  return ['minLength', 'minItems', 'minProperties'].includes(keyword) ? 0 : undefined;
}

/**
 * Compares `multipleOf`: a multiple of the old step is tighter, a divisor is looser, any other step is another rule.
 */
function* compareMultiples(pair: Pair): Generator<SchemaDifference> {
  const [was, is] = [numberOf(pair.base['multipleOf']), numberOf(pair.head['multipleOf'])];
  if (was === is) return;
  const message = `\`multipleOf\` was ${was ?? 'not set'} and is ${is ?? 'not set'}.`;
  const divides = (step: number, larger: number): boolean =>
    Math.abs(larger / step - Math.round(larger / step)) < 1e-9;
  if (was === undefined || (is !== undefined && divides(was, is)))
    yield pair.say('limit-tightened', message, 'multipleOf');
  else if (is === undefined || divides(is, was))
    yield pair.say('limit-loosened', message, 'multipleOf');
  else yield pair.say('rule-changed', message, 'multipleOf');
}

function* compareUniqueness(pair: Pair): Generator<SchemaDifference> {
  const [was, is] = [pair.base['uniqueItems'] === true, pair.head['uniqueItems'] === true];
  if (!was && is) yield pair.say('limit-tightened', 'No element may come twice.', 'uniqueItems');
  if (was && !is) yield pair.say('limit-loosened', 'Elements may come twice.', 'uniqueItems');
}

function* compareOther(pair: Pair, keyword: string): Generator<SchemaDifference> {
  const [was, is] = [pair.base[keyword], pair.head[keyword]];
  if (isSameJson(was, is)) return;
  if (was === undefined)
    yield pair.say('rule-added', `\`${keyword}\` ${formatValue(is)} is new.`, keyword);
  else if (is === undefined)
    yield pair.say('rule-removed', `\`${keyword}\` ${formatValue(was)} is gone.`, keyword);
  else {
    const code = keyword === 'const' ? 'const-changed' : 'rule-changed';
    yield pair.say(
      code,
      `\`${keyword}\` was ${formatValue(was)} and is ${formatValue(is)}.`,
      keyword,
    );
  }
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
