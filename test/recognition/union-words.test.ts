import { describe, expect, it } from 'vitest';
import {
  describeChoice,
  describeUnion,
  labelWords,
} from '../../generator/recognition/union-words.ts';
import type { Recognition } from '../../generator/recognition/recognition.ts';
import { planRoutes } from '../../generator/recognition/routes.ts';

type Labels = Readonly<Record<string, string | undefined>>;

const recognitionOf = (labels: Labels): Pick<Recognition, 'routes'> => ({
  routes: planRoutes(
    Object.entries(labels).map(([name, path]) => ({
      name,
      ...(path === undefined ? {} : { label: { method: 'POST' as const, path } }),
    })),
  ),
});

describe('what a union of kinds means', () => {
  it.each([
    ['each kind has its label', { a: '/a', b: '/b' }, 'without a label'],
    ['the kinds have one label', { a: '/a', b: '/a' }, 'with or without a label'],
    [
      'two of three kinds have one label',
      { a: '/a', b: '/a', c: '/c' },
      'without a label, and in part with one',
    ],
    ['one kind has no label', { a: '/a', b: undefined }, 'without a label'],
    ['no kind has a label', { a: undefined, b: undefined, other: '/other' }, ''],
  ] as const)('is said where %s', (_, labels: Labels, words) => {
    const names = Object.keys(labels).filter((name) => name !== 'other');
    const recognition = recognitionOf(labels);
    expect(labelWords(recognition, names)).toBe(words);
    const condition = words === '' ? '' : `${words}, `;
    expect(describeUnion(recognition, names)).toBe(
      `One of ${names.join(', ')}: ${condition}nothing in the delivery tells which.`,
    );
  });

  it('is not that a body shows its kind if a union of them remains', () => {
    const names = ['a', 'b'];
    expect(describeChoice({ groups: [['a'], ['b']] }, names)).toBe(
      'one of these; the body shows which one',
    );
    for (const groups of [[['a', 'b']], [['a', 'b', 'c']]])
      expect(describeChoice({ groups }, names)).toBe('one of these; some deliveries fit several');
    expect(describeChoice({ groups: [['b', 'c']] }, names)).toBe(
      'one of these; the body shows which one',
    );
  });
});
