import { expect, test } from 'vitest';
import {
  compilePairs,
  compileParameters,
} from '../../../../packages/simulator/src/calls/decode-parameters.ts';
import type { ValueShape, Json } from 'countersign/kit';
import type { ServedParameter } from '../../../../packages/simulator/src/service.ts';

const text: ValueShape = { types: ['string'] };
const integer: ValueShape = { types: ['integer'] };
const list: ValueShape = { types: ['array'], items: integer };
const object: ValueShape = { types: ['object'], properties: { r: integer, g: text } };
const nested: ValueShape = { types: ['object'], properties: { a: object, b: list } };

interface Case {
  readonly place: ServedParameter['in'];
  readonly style: string;
  readonly explode?: boolean;
  readonly shape: ValueShape;
  readonly sent: string;
  readonly value: Json | undefined;
  readonly mediaType?: string;
}

const cases: readonly Case[] = [
  { place: 'cookie', style: 'cookie', explode: true, shape: text, sent: 'p=a%2Fb', value: 'a%2Fb' },
  { place: 'path', style: 'simple', shape: text, sent: 'a%2Fb,c', value: 'a/b,c' },
  { place: 'path', style: 'simple', shape: integer, sent: '12', value: 12 },
  { place: 'path', style: 'simple', shape: integer, sent: '1x', value: '1x' },
  { place: 'path', style: 'simple', shape: text, sent: '%zz', value: '%zz' },
  { place: 'path', style: 'simple', shape: list, sent: '1,2', value: [1, 2] },
  { place: 'path', style: 'simple', shape: object, sent: 'r,1,g,x%2Cy', value: { r: 1, g: 'x,y' } },
  {
    place: 'path',
    style: 'simple',
    explode: true,
    shape: object,
    sent: 'r=1,g=2',
    value: { r: 1, g: '2' },
  },
  { place: 'path', style: 'label', shape: text, sent: '.a.b', value: 'a.b' },
  { place: 'path', style: 'label', shape: list, sent: '.1,2', value: [1, 2] },
  { place: 'path', style: 'label', explode: true, shape: list, sent: '.1.2', value: [1, 2] },
  {
    place: 'path',
    style: 'label',
    explode: true,
    shape: object,
    sent: '.r=1.g=2',
    value: { r: 1, g: '2' },
  },
  { place: 'path', style: 'matrix', shape: integer, sent: ';p=5', value: 5 },
  { place: 'path', style: 'matrix', shape: list, sent: ';p=1,2', value: [1, 2] },
  { place: 'path', style: 'matrix', explode: true, shape: list, sent: ';p=1;p=2', value: [1, 2] },
  { place: 'path', style: 'matrix', shape: object, sent: ';p=r,1,g,2', value: { r: 1, g: '2' } },
  {
    place: 'path',
    style: 'matrix',
    explode: true,
    shape: object,
    sent: ';r=1;g=2',
    value: { r: 1, g: '2' },
  },
  { place: 'query', style: 'form', explode: true, shape: text, sent: 'p=a+b%2B', value: 'a b+' },
  { place: 'query', style: 'form', explode: true, shape: text, sent: 'other=1', value: undefined },
  { place: 'query', style: 'form', explode: true, shape: integer, sent: 'p=1&p=2', value: [1, 2] },
  { place: 'query', style: 'form', explode: true, shape: list, sent: 'p=1&p=2', value: [1, 2] },
  { place: 'query', style: 'form', explode: true, shape: list, sent: 'p=1', value: [1] },
  { place: 'query', style: 'form', shape: list, sent: 'p=1,2', value: [1, 2] },
  { place: 'query', style: 'form', shape: object, sent: 'p=r,1,g,2', value: { r: 1, g: '2' } },
  {
    place: 'query',
    style: 'form',
    explode: true,
    shape: object,
    sent: 'r=1&g=2',
    value: { r: 1, g: '2' },
  },
  { place: 'query', style: 'spaceDelimited', shape: list, sent: 'p=1%202', value: [1, 2] },
  { place: 'query', style: 'pipeDelimited', shape: list, sent: 'p=1%7C2|3', value: [1, 2, 3] },
  {
    place: 'query',
    style: 'pipeDelimited',
    explode: true,
    shape: list,
    sent: 'p=1&p=2',
    value: [1, 2],
  },
  {
    place: 'query',
    style: 'deepObject',
    explode: true,
    shape: object,
    sent: 'p%5Br%5D=1&p[g]=2',
    value: { r: 1, g: '2' },
  },
  {
    place: 'query',
    style: 'deepObject',
    explode: true,
    shape: nested,
    sent: 'p[a][r]=1&p[b][]=2&p[b][]=3',
    value: { a: { r: 1 }, b: [2, 3] },
  },
  {
    place: 'query',
    style: 'form',
    explode: true,
    shape: object,
    sent: 'p=%7B%22r%22%3A1%7D',
    mediaType: 'application/json',
    value: { r: 1 },
  },
  {
    place: 'query',
    style: 'form',
    explode: true,
    shape: { types: ['boolean', 'null'] },
    sent: 'p=',
    value: null,
  },
  { place: 'header', style: 'simple', shape: text, sent: 'a, b', value: 'a, b' },
  { place: 'header', style: 'simple', shape: list, sent: '1, 2', value: [1, 2] },
  {
    place: 'header',
    style: 'simple',
    explode: true,
    shape: object,
    sent: 'r=1, g=2',
    value: { r: 1, g: '2' },
  },
  { place: 'cookie', style: 'form', explode: true, shape: integer, sent: 'o=1; p=2', value: 2 },
  { place: 'cookie', style: 'form', shape: list, sent: 'p=1,2', value: [1, 2] },
];

test.each(cases)(
  'decodes $place $style $sent',
  ({ place, sent, value, shape, explode = false, ...rest }) => {
    const decode = compileParameters([
      { name: 'p', in: place, required: false, explode, shape, ...rest },
    ]);
    const values = decode(
      {
        method: 'GET',
        url: '',
        path: '',
        query: place === 'query' ? sent : '',
        headers: (name) => (name === (place === 'header' ? 'p' : place) ? [sent] : []),
        rawHeaders: [],
        body: new Uint8Array(),
        secrets: new Set(),
      },
      place === 'path' ? [['p', sent]] : [],
    );
    expect(values[place]).toEqual(value === undefined ? {} : { p: value });
  },
);

test('reads each pair a few times, however many parameters are declared', () => {
  const parameter = (name: string, style: string): ServedParameter => ({
    name,
    in: 'query',
    required: false,
    style,
    explode: true,
    shape: style === 'form' ? list : nested,
  });
  const declared = Array.from({ length: 200 }, (_, index) => [
    parameter(`p${index}`, 'form'),
    parameter(`d${index}`, 'deepObject'),
  ]).flat();
  let read = 0;
  const pair = (name: string): readonly [string, string] => {
    const entry: [string, string] = [name, '1'];
    const get = (): string => {
      read += 1;
      return name;
    };
    return Object.defineProperty(entry, 0, { get });
  };
  const pairs = Array.from({ length: 1000 }, (_, index) =>
    pair(index % 2 === 0 ? `p${index % 200}` : `d${index % 200}[b][]`),
  );
  const decoded = compilePairs(declared, (value) => value)(pairs);
  expect(Object.keys(decoded)).toHaveLength(200);
  expect(read).toBeLessThanOrEqual(3 * pairs.length);
});
