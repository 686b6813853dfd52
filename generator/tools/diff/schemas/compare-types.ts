import type { Json, JsonObject } from '../../../json/json.ts';
import type { Pair } from './pair.ts';
import type { SchemaDifference } from './schema-difference.ts';
import { formatValue } from '../format-value.ts';

/** Compares the types of a value. Returns `undefined` if they are the same. */
export function compareTypes(pair: Pair): SchemaDifference | undefined {
  const [base, head] = [typesOf(pair.base), typesOf(pair.head)];
  const gone = [...base].filter((type) => !head.has(type));
  const come = [...head].filter((type) => !base.has(type));
  if (gone.length === 0 && come.length === 0) return undefined;
  const change = `${formatValue(pair.base['type'] ?? 'any type')} → ${formatValue(pair.head['type'] ?? 'any type')}`;
  if (gone.length === 0) return pair.say('type-widened', `It can be more: ${change}.`, 'type');
  if (come.length === 0) return pair.say('type-narrowed', `It can be less: ${change}.`, 'type');
  return pair.say('type-changed', `It has another type: ${change}.`, 'type');
}

const all = ['array', 'boolean', 'fraction', 'integer', 'null', 'object', 'string'];

/** Returns the types that `type` allows. `number` is split into integers and fractions. */
function typesOf(schema: JsonObject): ReadonlySet<string> {
  const { type } = schema;
  if (type === undefined) return new Set(all);
  const list = (Array.isArray(type) ? type : [type]) as readonly Json[];
  const names = list.filter((name) => typeof name === 'string');
  return new Set(names.flatMap((name) => (name === 'number' ? ['integer', 'fraction'] : [name])));
}
