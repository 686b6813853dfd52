import { describe, expect, it } from 'vitest';
import { Cursor } from '../../generator/json/cursor.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';

const info = Cursor.ofDocument(
  { info: { title: 'Pix', 'x-note': ['a', 1, 'b'], version: 3, draft: true } },
  'openapi',
);

describe('a cursor', () => {
  it('reads members by their path', () => {
    expect(info.text('info', 'title')).toBe('Pix');
    expect(info.text('info', 'version')).toBeUndefined();
    expect(info.isTrue('info', 'draft')).toBe(true);
    expect(info.isTrue('info', 'title')).toBe(false);
    expect(info.texts('info', 'x-note')).toEqual(['a', 'b']);
    expect(info.items('info', 'x-note').map(({ pointer }) => pointer)).toEqual([
      'openapi#/info/x-note/0',
      'openapi#/info/x-note/1',
      'openapi#/info/x-note/2',
    ]);
    expect(info.entries('info').map(([name]) => name)).toEqual([
      'title',
      'x-note',
      'version',
      'draft',
    ]);
  });

  it('to a missing member has its pointer and no value', () => {
    const missing = info.child('info', 'license', 'na/me');
    expect(missing).toMatchObject({ pointer: 'openapi#/info/license/na~1me', value: undefined });
    expect(missing.entries()).toEqual([]);
    expect(missing.items()).toEqual([]);
    expect(missing.listed()).toEqual([missing]);
  });

  it('reads no member of a prototype', () => {
    expect(info.valueIn('constructor')).toBeUndefined();
    expect(info.child('info', '__proto__', 'toString').value).toBeUndefined();
    expect(info.valueIn('info', 'x-note', 'length')).toBeUndefined();
  });

  it('returns to its document', () => {
    expect(info.child('info', 'title').document).toEqual(info);
  });
});

describe('references', () => {
  const start = Cursor.ofDocument(
    {
      chain: { $ref: '#/middle' },
      middle: { $ref: '#/a%20b~1c' },
      'a b/c': { type: 'string' },
      circle: { $ref: '#/back' },
      back: { $ref: '#/circle' },
      broken: { $ref: '#/nowhere' },
      outside: { $ref: 'other.yaml#/middle' },
    },
    'asyncapi',
  );
  const target = (name: string): Pick<Cursor, 'pointer' | 'value'> => {
    const { pointer, value } = start.child(name).follow();
    return { pointer, value };
  };

  it('are followed to the end of their chain', () => {
    expect(target('chain')).toEqual({ pointer: 'asyncapi#/a b~1c', value: { type: 'string' } });
    expect(target('middle')).toEqual(target('chain'));
  });

  it('have no value if they are circular or unresolved', () => {
    expect(target('circle')).toEqual({ pointer: 'asyncapi#/circle', value: undefined });
    expect(target('broken')).toEqual({ pointer: 'asyncapi#/nowhere', value: undefined });
  });

  it('to another file are not followed', () => {
    expect(target('outside').pointer).toBe('asyncapi#/outside');
  });
});

describe('a walk over all values', () => {
  const pointersIn = (value: JsonObject): readonly string[] =>
    Array.from(Cursor.ofDocument(value, 'openapi').withDescendants(), ({ pointer }) => pointer);

  it('yields them in the order in which they are written', () => {
    expect(pointersIn({ b: [1, { c: null }], a: 'x' })).toEqual([
      'openapi#',
      'openapi#/b',
      'openapi#/b/0',
      'openapi#/b/1',
      'openapi#/b/1/c',
      'openapi#/a',
    ]);
  });

  it('goes through an array as long as the budget of a contract allows', () => {
    expect(pointersIn({ values: Array.from({ length: 300_000 }, () => 1) })).toHaveLength(300_002);
  });

  it('goes through a value that is nested 20,000 deep', () => {
    let value: Json = 1;
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    let count = 0;
    for (const { value: at } of Cursor.ofDocument({ value }, 'openapi').withDescendants())
      if (at !== 1) count += 1;
    expect(count).toBe(20_001);
  });
});
