import { describe, expect, test } from 'vitest';
import { Code } from '../../generator/targets/code.ts';
import { createRenderer } from '../../generator/targets/render.ts';

function render(template: string, data: object): string {
  return createRenderer(new Map([['page', template]]))('page', data);
}

describe('a template', () => {
  test.each([
    ['{{x}}', { x: new Code('a < b && c') }, 'a < b && c'],
    ['{{{x}}}', { x: new Code('"') }, '"'],
    ['{{literal x}}', { x: 'a"b' }, '"a\\"b"'],
    ['{{literal x.y}}', { x: { y: [1] } }, '[1]'],
    ['{{identifier x}}', { x: 'name' }, 'name'],
    ['{{memberName x}}', { x: 'a b' }, '"a b"'],
    ['{{jsdoc x}}', { x: { description: 'A.' } }, '/** A. */'],
    ['{{markdown x}}', { x: '*' }, '\\*'],
    ['{{markdownCode x}}', { x: '*' }, '`*`'],
    ['{{plain x}}', { x: '*' }, '*'],
    ['{{#each x}}{{literal this}},{{/each}}', { x: ['a', 'b'] }, '"a","b",'],
    ['{{#each x}}{{y}}{{/each}}', { x: [{ y: new Code('1') }] }, '1'],
    ['{{#if x}}yes{{else}}no{{/if}}', { x: undefined }, 'no'],
    ['{{literal (lookup x "y")}}', { x: { y: 'z' } }, '"z"'],
  ])('%s of %j is rendered', (template, data, expected) => {
    expect(render(template, data)).toBe(expected);
  });

  test.each([
    ['a text', '{{x}}', { x: 'evil()' }],
    ['a text, unescaped', '{{{x}}}', { x: 'evil()' }],
    ['a text, unescaped otherwise', '{{&x}}', { x: 'evil()' }],
    ['a text in a block', '{{#each x}}{{this}}{{/each}}', { x: ['evil()'] }],
    ['a text that looks like code', '{{x}}', { x: { text: 'evil()', toHTML: () => 'evil()' } }],
    ['a number', '{{x}}', { x: 1 }],
    ['a text by a helper that escapes nothing', '{{lookup x "y"}}', { x: { y: 'evil()' } }],
    ['a name that the data do not have', '{{x}}', {}],
    ['a name that an escaping helper cannot find', '{{literal x}}', {}],
    ['a name that a block cannot find', '{{#if x}}{{/if}}', {}],
    ['a member that is inherited', '{{literal x.constructor}}', { x: {} }],
    ['a helper that does not exist', '{{shout x}}', { x: 'a' }],
    ['what is no identifier', '{{identifier x}}', { x: 'a; evil()' }],
  ])('refuses %s', (_, template, data) => {
    expect(() => render(template, data)).toThrow(/^The template "page" cannot be rendered: /);
  });

  const shared = new Map([
    ['page', 'of {{> part}} and {{> (lookup . "which") x=y}}'],
    ['part', '{{literal y}}'],
    ['other.md', '{{literal x}}'],
    ['wrong', '{{y}}'],
  ]);

  test('can hold others, by name or by what the data name', () => {
    const render = createRenderer(shared);
    expect(render('page', { which: 'other.md', y: '"' })).toBe('of "\\"" and "\\""');
    expect(() => render('page', { which: 'none', y: '"' })).toThrow(/none could not be found/);
  });

  test('that another holds is guarded like any', () => {
    expect(() => createRenderer(shared)('page', { which: 'wrong', y: 'evil()' })).toThrow(
      /yields string, not code/,
    );
  });

  test('is named when it does not exist or does not parse', () => {
    expect(() => createRenderer(new Map())('none', {})).toThrow(/"none" cannot be rendered/);
    expect(() => render('{{#if x}}', { x: 1 })).toThrow(/"page" cannot be rendered/);
  });

  test('knows nothing of another renderer', () => {
    const first = createRenderer(new Map([['a', 'first']]));
    const second = createRenderer(new Map([['a', 'second']]));
    expect([first('a', {}), second('a', {}), first('a', {})]).toEqual(['first', 'second', 'first']);
  });
});
