import type { JsonType, SchemaNode } from 'countersign/kit';
import type { SchemaDifference, SchemaPair } from './schema-pair.ts';

/** Compares the types of a value. Returns `undefined` if they are the same. */
export function compareTypes(pair: SchemaPair): SchemaDifference | undefined {
  const [base, head] = [typesOf(pair.base), typesOf(pair.head)];
  const isNarrower = [...base].some((type) => !head.has(type));
  const isWider = [...head].some((type) => !base.has(type));
  if (!isNarrower && !isWider) return undefined;
  if (!isNarrower) return pair.differIn('type-widened', 'type');
  return pair.differIn(isWider ? 'type-changed' : 'type-narrowed', 'type');
}

const all: readonly JsonType[] = ['array', 'boolean', 'null', 'number', 'object', 'string'];

/** Returns the types that `type` allows. `number` is split into integers and fractions. */
function typesOf({ types = all }: SchemaNode): ReadonlySet<string> {
  return new Set(types.flatMap((type) => (type === 'number' ? ['integer', 'fraction'] : [type])));
}
