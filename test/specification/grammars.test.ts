import { expect, test } from 'vitest';
import { grammars } from '../../generator/specification/grammars.ts';
import type { ObjectGrammar, ValueGrammar } from '../../generator/specification/object-grammar.ts';

test.each(Object.entries(grammars))(
  '%s: every object that a member holds has a grammar',
  (_, { objects }) => {
    const held = Object.values(objects).flatMap(namesIn);
    expect(held.length).toBeGreaterThan(50);
    expect(held.filter((name) => !(name in objects))).toEqual([]);
  },
);

function namesIn({ members, otherMembers }: ObjectGrammar): readonly string[] {
  return [...members.values(), ...(otherMembers === undefined ? [] : [otherMembers.value])].flatMap(
    namesOf,
  );
}

function namesOf(value: ValueGrammar): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function')
    return [value(null), value({ schemaFormat: 'application/avro' })];
  switch (value.type) {
    case 'reference':
      return [value.refersTo];
    case 'list':
      return namesOf(value.items);
    case 'map':
      return namesOf(value.values);
    case 'only':
      return namesOf(value.value);
    case 'any-of':
      return value.options.flatMap(namesOf);
    default:
      return [];
  }
}
