import { isSameJson } from 'countersign/companion/values';
import { formatValue } from '../format-value.ts';
import type { SchemaDifference, SchemaPair } from './schema-pair.ts';

/**
 * Limits for which a larger number allows fewer values, with the limit that applies where the keyword is not set (JSON
 * Schema Validation 2020-12, section 6).
 */
const lowerLimits = {
  minimum: -Infinity,
  exclusiveMinimum: -Infinity,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  minContains: 1,
};

/** Limits for which a larger number allows more values. */
const upperLimits = 'maximum exclusiveMaximum maxLength maxItems maxProperties maxContains'.split(
  ' ',
);

/** Keywords that are only compared for being added, removed or changed, without deciding which is stricter. */
const undecidedKeywords = (
  'const pattern format not if then else contains propertyNames patternProperties dependentRequired ' +
  'dependentSchemas unevaluatedItems unevaluatedProperties contentEncoding contentMediaType contentSchema'
).split(' ');

/** Compares the validation keywords other than types, enumerations, members and combinations. */
export function* compareRules(pair: SchemaPair): Generator<SchemaDifference> {
  for (const [keyword, unset] of Object.entries(lowerLimits))
    yield* compareLimit(pair, keyword, unset, 1);
  for (const keyword of upperLimits) yield* compareLimit(pair, keyword, Infinity, -1);
  yield* compareMultiples(pair);
  yield* compareUniqueness(pair);
  for (const keyword of undecidedKeywords) yield* compareOther(pair, keyword);
}

/**
 * @param unset the limit that applies where the keyword is not set
 * @param direction 1 if a larger number is tighter, otherwise -1
 */
function* compareLimit(
  pair: SchemaPair,
  keyword: string,
  unset: number,
  direction: 1 | -1,
): Generator<SchemaDifference> {
  const [was, is] = [pair.base.number(keyword) ?? unset, pair.head.number(keyword) ?? unset];
  if (was === is) return;
  const isTighter = (is - was) * direction > 0;
  yield pair.differIn(isTighter ? 'limit-tightened' : 'limit-loosened', keyword);
}

/**
 * Compares `multipleOf`: a multiple of the old step is tighter, a divisor is looser, any other step is another rule.
 */
function* compareMultiples(pair: SchemaPair): Generator<SchemaDifference> {
  const [was, is] = [pair.base.number('multipleOf'), pair.head.number('multipleOf')];
  if (was === is) return;
  const divides = (step: number, larger: number): boolean =>
    Math.abs(larger / step - Math.round(larger / step)) < 1e-9;
  if (was === undefined || (is !== undefined && divides(was, is)))
    yield pair.differIn('limit-tightened', 'multipleOf');
  else if (is === undefined || divides(is, was))
    yield pair.differIn('limit-loosened', 'multipleOf');
  else yield pair.differIn('rule-changed', 'multipleOf');
}

function* compareUniqueness({ base, head, ...pair }: SchemaPair): Generator<SchemaDifference> {
  const [was, is] = [base, head].map(({ keywords }) => keywords['uniqueItems'] === true);
  if (was === is) return;
  yield is === true
    ? pair.differ('limit-tightened', 'The elements must be unique.', 'uniqueItems')
    : pair.differ('limit-loosened', 'The elements need not be unique.', 'uniqueItems');
}

function* compareOther(pair: SchemaPair, keyword: string): Generator<SchemaDifference> {
  const [was, is] = [pair.base.keywords[keyword], pair.head.keywords[keyword]];
  if (isSameJson(was, is)) return;
  if (was === undefined)
    yield pair.differ('rule-added', `\`${keyword}\` ${formatValue(is)} was added.`, keyword);
  else if (is === undefined)
    yield pair.differ('rule-removed', `\`${keyword}\` ${formatValue(was)} was removed.`, keyword);
  else yield pair.differIn(keyword === 'const' ? 'const-changed' : 'rule-changed', keyword);
}
