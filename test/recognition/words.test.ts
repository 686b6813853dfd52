import { describe, expect, it } from 'vitest';
import type { Recognizable } from '../../generator/recognition/recognizable.ts';
import { recognize } from '../../generator/recognition/recognize.ts';
import { describeRecognition, describeUndecided } from '../../generator/recognition/words.ts';
import type { Schema } from '../../generator/schema/model.ts';
import type { JsonSchema } from '../../generator/schema/model.ts';

const notification = (
  name: string,
  conditions: Readonly<Record<string, JsonSchema>> = {},
  more: Partial<Recognizable> = {},
): Recognizable => ({
  name,
  pointer: 'openapi#',
  headers: [],
  contentType: 'application/json',
  payload: 'Body',
  identifiedBy: [
    Object.entries(conditions).map(([expression, schema]) => ({ expression, schema })),
  ],
  identifiedByOrigin: 'declared',
  ...more,
});

/** What decides each kind, by its name. */
const words = (
  ...notifications: readonly Recognizable[]
): Readonly<Record<string, readonly string[]>> => {
  const recognition = recognize(notifications, []);
  const describeKind = describeRecognition(notifications, recognition);
  return Object.fromEntries(notifications.map(({ name }) => [name, describeKind(name)]));
};

describe('what decides a kind', () => {
  it('is the steps that can result in it, the first one first', () => {
    const type = '$request.body#/type';
    const state = '$request.header.X-State';
    expect(
      words(
        notification('a', { [type]: { const: 'x' }, [state]: { const: 'on' } }),
        notification('b', { [type]: { const: 'x' }, [state]: { const: 'off' } }),
        notification('c', { [type]: { enum: ['y', 'z'] } }),
        notification('d', { [type]: false }),
      ),
    ).toEqual({
      a: [
        '1. The member "/type". "x": see 2; otherwise: another kind, or none.',
        '2. The header "x-state". "on": "a"; otherwise: another kind, or none.',
      ],
      b: [
        '1. The member "/type". "x": see 2; otherwise: another kind, or none.',
        '2. The header "x-state". "off": "b"; otherwise: another kind, or none.',
      ],
      c: ['1. The member "/type". "y": "c"; "z": "c"; otherwise: another kind, or none.'],
      d: ['1. The member "/type". missing: "d"; otherwise: another kind, or none.'],
    });
  });

  it('is a pattern that its text matches', () => {
    const id = '$request.body#/id';
    const charge = { type: 'string', pattern: '^CHG-' };
    expect(
      words(
        notification('a', { [id]: charge }),
        notification('b', { [id]: { type: 'string', not: { pattern: '^CHG-' } } }),
      )['a'],
    ).toEqual([
      '1. The member "/id". a text: see 2; otherwise: another kind, or none.',
      '2. The member "/id". a text that matches "^CHG-": "a"; otherwise: another kind, or none.',
    ]);
  });

  it('is what excludes it, where each other value can be it', () => {
    const type = '$request.body#/type';
    expect(
      words(
        notification('a', { [type]: { const: 'x' } }),
        notification('b', { [type]: { not: { enum: ['x'] } } }),
      )['b'],
    ).toEqual([
      '1. The member "/type". "x": another kind, or none; missing: another kind, or none; otherwise: "b".',
    ]);
  });

  it('is its label, and nothing else where each value can be it', () => {
    const label = { method: 'POST', path: '/lost' };
    expect(
      words(notification('a', {}, { label }), notification('b', {}, { label }), notification('c')),
    ).toEqual({
      a: ['The label "POST /lost": "a" or "b".', 'Every value: "a" or "b" or "c".'],
      b: ['The label "POST /lost": "a" or "b".', 'Every value: "a" or "b" or "c".'],
      c: ['Every value: "a" or "b" or "c".'],
    });
  });

  it('is the format of its data, where kinds differ in it', () => {
    const told = words(notification('a'), notification('b', {}, { encoding: 'form' }));
    expect(told['b']).toEqual(['Every value: "a" or "b".', 'The format of the data: a form.']);
  });

  it('is its schema, only where all that remain are decided by their schemas', () => {
    const identifiedBySchema = { identifiedBySchema: true } as const;
    const [a, b] = ['a', 'b'].map((name) => notification(name, {}, identifiedBySchema));
    if (a === undefined || b === undefined) throw new Error('There are two.');
    const schema = 'For "a" or "b": the one whose schema alone accepts the value.';
    expect(words(a, b)).toEqual({
      a: ['Every value: "a" or "b".', schema],
      b: ['Every value: "a" or "b".', schema],
    });
    expect(words(a, b, notification('c'))['a']).toEqual(['Every value: "a" or "b" or "c".']);
  });

  it('is nothing, where no delivery meets its conditions', () => {
    const both = { '$request.body#/a': false, '$request.body#/a/b': {} };
    expect(words(notification('a', both), notification('b'))['a']).toEqual([
      'No delivery meets its conditions.',
    ]);
  });

  it('has text of the contract in quotes, on one line', () => {
    const told = words(
      notification('a', { '$request.body#/x\n': { const: 'y\u202e\n*/' } }),
      notification('b', { '$request.body#/x\n': { const: 'z' } }),
    );
    expect(told['a']?.join('')).toBe(
      String.raw`1. The member "/x\n". "y\u202e\n*/": "a"; otherwise: another kind, or none.`,
    );
  });
});

describe('required constants that do not decide', () => {
  const definition = {
    type: 'object',
    required: ['type', 'event'],
    properties: {
      type: { const: 'callback' },
      event: { type: 'object', required: ['type'], properties: { type: { const: 'mention' } } },
    },
  };
  const schema: Schema = {
    kind: 'schema',
    pointer: 'openapi#/components/schemas/Body',
    source: [],
    name: 'Body',
    typeName: 'Body',
    deprecated: false,
    origin: 'component',
    definition,
    references: [],
    variants: [],
    examples: [],
  };
  const index = new Map([['Body', schema]]);
  const byType = { '$request.body#/type': { const: 'callback' } };

  it('are named, with what happens to a delivery that violates them', () => {
    const derived = notification('a', byType, { identifiedByOrigin: 'derived' });
    const lines = describeUndecided(derived, index);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('no other kind differs there: the member "/event/type".');
    expect(lines[0]).toContain('`onInvalid`');
  });

  it('are none where all of them decide, or where the contract states what does', () => {
    const both = { ...byType, '$request.body#/event/type': { const: 'mention' } };
    const derived = notification('a', both, { identifiedByOrigin: 'derived' });
    expect(describeUndecided(derived, index)).toEqual([]);
    expect(describeUndecided(notification('a', byType), index)).toEqual([]);
  });
});
