import type { SchemaError } from './schema-error.ts';

/**
 * Returns in words what a value breaks, as a predicate: `must have at least 2 members`. Keywords that say nothing without
 * their place, such as `required`, have words of their own where they are reported.
 */
export function wordsOfError({ keyword, params }: SchemaError): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be above ${limit}`;
    case 'exclusiveMaximum':
      return `must be below ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${Number(params['multipleOf'])}`;
    case 'minLength':
      return `must have at least ${count(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(limit, 'character')}`;
    case 'format':
      return `must have the format "${String(params['format'])}"`;
    case 'minItems':
      return `must have at least ${count(limit, 'item')}`;
    case 'maxItems':
    case 'items':
    case 'unevaluatedItems':
      return `must have at most ${count(limit, 'item')}`;
    case 'uniqueItems':
      return `must not have equal items (${String(params['j'])} and ${String(params['i'])})`;
    case 'contains':
      return containsWords(params);
    case 'minProperties':
      return `must have at least ${count(limit, 'member')}`;
    case 'maxProperties':
      return `must have at most ${count(limit, 'member')}`;
    case 'dependentRequired':
      return `must have ${String(params['deps'])} beside ${String(params['property'])}`;
    case 'if':
      return `must match the schema of \`${String(params['failingKeyword'])}\``;
    case 'not':
      return 'must not match the schema of `not`';
    case 'type':
      return `must be of type ${[params['type']].flat().join(' or ')}`;
    default:
      return `breaks "${keyword}"`;
  }
}

function containsWords({ minContains, maxContains }: SchemaError['params']): string {
  const most = maxContains === undefined ? '' : ` and at most ${Number(maxContains)}`;
  return `must contain at least ${Number(minContains)}${most} of the items of \`contains\``;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
