import { describe, expect, test } from 'vitest';
import type { ParameterDescription } from '../../../../packages/runtime/client/description.ts';
import {
  cookie,
  cookieValue,
  createDraft,
  deepObject,
  form,
  label,
  matrix,
  pipeDelimited,
  reserved,
  reservedPath,
  simple,
  spaceDelimited,
} from '../../../../packages/runtime/client/request.ts';

type Described = Omit<ParameterDescription, 'name'>;

/** Returns how a value of a parameter is sent; `undefined` where it is refused. */
function send(description: Described, value: unknown): string | undefined {
  const { in: place } = description;
  const template = place === 'path' ? '/a/{p}' : '/a';
  try {
    const draft = createDraft(
      'GET',
      'https://service.example',
      template,
      [{ ...description, name: 'p' }],
      { [place]: { p: value } },
      new Uint8Array(),
      new Set(),
    );
    const { url, headers } = draft;
    return `${url} ${headers.get('p') ?? ''} ${headers.get('cookie') ?? ''}`;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid-input' });
    return undefined;
  }
}

const described: readonly (readonly [string, Described])[] = [
  ['a header', { in: 'headers', style: simple }],
  ['an exploded header', { in: 'headers', style: simple, explode: true }],
  ['a path', { in: 'path', style: simple }],
  ['an exploded path', { in: 'path', style: simple, explode: true }],
  ['a path with reserved characters', { in: 'path', style: simple, encode: reservedPath }],
  ['a label', { in: 'path', style: label }],
  ['an exploded label', { in: 'path', style: label, explode: true }],
  ['a matrix', { in: 'path', style: matrix }],
  ['an exploded matrix', { in: 'path', style: matrix, explode: true }],
  ['a query', { in: 'query', style: form }],
  ['a query with reserved characters', { in: 'query', style: form, encode: reserved }],
  ['pipes', { in: 'query', style: pipeDelimited }],
  ['spaces with reserved characters', { in: 'query', style: spaceDelimited, encode: reserved }],
  ['a cookie', { in: 'cookies', style: form }],
  ['a cookie that is not escaped', { in: 'cookies', style: cookie, encode: cookieValue }],
];

const texts = ['', 'a', 'b', ',', 'a,b', '.', 'a.b', '=', 'a=b', ' ', ' a', '|', 'a;b', '%2C'];
const pairs = texts.flatMap((one) => texts.map((other) => [one, other] as const));

describe('values have different bytes, or are refused before they are sent', () => {
  test.each(described)('lists in %s', (_, description) => {
    expectDistinct(description, [...texts.map((one) => [one]), ...pairs]);
  });

  test.each(described.filter(([, { in: place, explode }]) => place !== 'query' || !explode))(
    'objects in %s',
    (_, description) => {
      expectDistinct(description, [
        ...pairs.map(([name, value]) => ({ [name]: value })),
        ...pairs.flatMap(([name, value]) => (name === 'c' ? [] : [{ [name]: value, c: value }])),
      ]);
    },
  );

  function expectDistinct(description: Described, values: readonly unknown[]): void {
    const sent = Map.groupBy(values, (value) => send(description, value));
    sent.delete(undefined);
    expect(sent.size).toBeGreaterThan(0);
    for (const same of sent.values())
      expect(
        new Set(same.map((value) => unescaped(JSON.stringify(value)))).size,
        JSON.stringify(same),
      ).toBe(1);
  }

  /** `allowReserved` keeps what is escaped already, which is the same as what it stands for. */
  function unescaped(part: string): string {
    return part.replaceAll('%2C', ',');
  }

  const header: Described = { in: 'headers', style: simple };

  test.each([
    [header, ['a,b', 'c']],
    [header, ['a', '']],
    [header, [' a', 'b']],
    [header, { a: 'b,c' }],
    [{ ...header, explode: true }, { 'a=b': 'c' }],
    [{ in: 'path', style: label, explode: true }, ['a.b', 'c']],
    [{ in: 'query', style: form, encode: reserved }, ['a,b', 'c']],
    [{ in: 'query', style: deepObject }, { 'a][b': 1 }],
    [{ in: 'query', style: deepObject }, { '': 1 }],
  ] as const)('%j refuses %j', (description, value) => {
    expect(send(description as Described, value)).toBeUndefined();
  });

  test.each([
    [header, ['a', 'b'], 'a,b'],
    [header, 'a,b', 'a,b'],
    [header, [1.5, true], '1.5,true'],
    [{ ...header, explode: true }, { a: 'b=c' }, 'a=b=c'],
  ] as const)('%j writes %j as %s', (description, value, expected) => {
    expect(send(description, value)).toContain(expected);
  });
});
