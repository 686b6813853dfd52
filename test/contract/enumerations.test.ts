import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../generator/schema/model.ts';
import { toEnumeration } from '../../generator/contract/enumerations.ts';

describe('an enumeration', () => {
  it('takes names and descriptions from the contract', () => {
    const enumeration = toEnumeration({
      type: 'integer',
      enum: [0, 1],
      'x-enum-varnames': ['Pending', 'Confirmed'],
      'x-enum-descriptions': ['Not yet.', 'Done.'],
    });
    expect(enumeration).toEqual({
      base: 'integer',
      open: false,
      members: [
        { name: 'Pending', value: 0, description: 'Not yet.' },
        { name: 'Confirmed', value: 1, description: 'Done.' },
      ],
    });
  });

  it('keeps the words of names and values in capitals', () => {
    const values = ['ATIVA', 'REMOVIDA_PELO_PSP', 'x'];
    const names = ['ATIVA', 'REMOVIDA_PELO_PSP', 'NOT_KNOWN'];
    const enumeration = toEnumeration({ enum: values, 'x-enum-varnames': names });
    expect(enumeration?.members.map(({ name }) => name)).toEqual(names);
    expect(toEnumeration({ enum: values })?.members.map(({ name }) => name)).toEqual([
      'ATIVA',
      'REMOVIDA_PELO_PSP',
      'X',
    ]);
  });

  it('reads each value a fixed number of times', () => {
    const readsOf = (size: number): number => {
      let reads = 0;
      const values = Array.from({ length: size }, (_, index) => `value ${index}`);
      const counted = new Proxy(values, {
        get(target, key, receiver): unknown {
          reads += 1;
          return Reflect.get(target, key, receiver);
        },
      });
      expect(toEnumeration({ type: 'string', enum: counted })?.members).toHaveLength(size);
      return reads;
    };
    expect(readsOf(2000) / readsOf(1000)).toBeLessThan(2.1);
  });

  it('is open where x-extensible-enum lists the known values', () => {
    expect(toEnumeration({ type: 'string', 'x-extensible-enum': ['CNPJ'] })).toEqual({
      base: 'string',
      open: true,
      members: [{ name: 'CNPJ', value: 'CNPJ' }],
    });
  });

  it('has a member for each name of a value that is repeated', () => {
    const enumeration = toEnumeration({
      type: 'integer',
      'x-extensible-enum': [1, 2, 1, 1],
      'x-enum-varnames': ['Done', 'Failed', 'Asked', 'Done'],
      'x-enum-descriptions': ['Later.', 'Never.', 'At first.', 'Again.'],
    });
    expect(enumeration?.members).toEqual([
      { name: 'Done', value: 1, description: 'Later.' },
      { name: 'Failed', value: 2, description: 'Never.' },
      { name: 'Asked', value: 1, description: 'At first.' },
    ]);
  });

  it('keeps derived names apart, and equal values together', () => {
    const enumeration = toEnumeration({ enum: ['+1', '-1', '+1'] });
    expect(enumeration?.members.map(({ name, value }) => [name, value])).toEqual([
      ['Plus1', '+1'],
      ['Minus1', '-1'],
    ]);
  });

  it('has keys that stand for the values that they spell, whatever other values there are', () => {
    const keysOf = (...values: readonly string[]): unknown =>
      Object.fromEntries(
        (toEnumeration({ enum: values })?.members ?? []).map(({ name, value }) => [value, name]),
      );
    const all = { '-1': 'Minus1', '1': '_1', '12': '_12', '1.2': '_1_2', '+1': 'Plus1' };
    expect(keysOf('-1', '1', '12', '1.2', '+1')).toEqual(all);
    expect(keysOf('+1', '12', '1.2', '1', '-1')).toEqual(all);
    expect(keysOf('asc', 'Asc')).toEqual({ asc: 'Asc_d68d', Asc: 'Asc' });
    expect(keysOf('b', 'Asc', 'asc')).toEqual({ b: 'B', Asc: 'Asc', asc: 'Asc_d68d' });
  });

  it.each<[string, JsonSchema]>([
    ['null among the values', { type: ['string', 'null'], enum: ['a', null] }],
    ['values of two types', { enum: ['a', 1] }],
    ['a type that its values do not have', { type: 'string', enum: [1] }],
    ['a further restriction', { type: 'string', enum: ['a'], allOf: [{ minLength: 1 }] }],
    ['no values', { type: 'string', enum: [] }],
    ['a boolean schema', true],
  ])('is not read from %s', (_, definition) => {
    expect(toEnumeration(definition)).toBeUndefined();
  });
});
