import { describe, expect, test } from 'vitest';
import { Code } from '../../generator/targets/code.ts';
import { prepareTemplates } from '../../generator/targets/prepare.ts';
import { preparedKey } from '../../generator/targets/prepared.ts';
import { createRenderer, type Render } from '../../generator/targets/render.ts';
import { importModule } from './import-module.ts';

/** Makes a renderer, and so does each of the two ways that a template can be compiled. */
type Create = (templates: ReadonlyMap<string, string>) => Promise<Render>;

const whenRun: Create = async (templates) => Promise.resolve(createRenderer(templates));

const whenBuilt: Create = async (templates) => {
  const table = await importModule<Record<string, object>>(prepareTemplates(templates.values()));
  return createRenderer(templates, (text) => table[preparedKey(text)]);
};

describe.each([
  ['when it is rendered', whenRun],
  ['when the toolkit is built', whenBuilt],
])('a template, compiled %s,', (_, create) => {
  const render = async (template: string, data: object): Promise<string> =>
    (await create(new Map([['page', template]])))('page', data);

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
  ])('%s of %j is rendered', async (template, data, expected) => {
    expect(await render(template, data)).toBe(expected);
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
    ['what is not an identifier', '{{identifier x}}', { x: 'a; evil()' }],
  ])('refuses %s', async (_, template, data) => {
    await expect(render(template, data)).rejects.toThrow(
      /^The template "page" cannot be rendered: /,
    );
  });

  const shared = new Map([
    ['page', 'of {{> part}} and {{> (lookup . "which") x=y}}'],
    ['part', '{{literal y}}'],
    ['other.md', '{{literal x}}'],
    ['wrong', '{{y}}'],
  ]);

  test('can hold others, by name or by what the data name', async () => {
    const render = await create(shared);
    expect(render('page', { which: 'other.md', y: '"' })).toBe('of "\\"" and "\\""');
    expect(() => render('page', { which: 'none', y: '"' })).toThrow(/none could not be found/);
  });

  test('that another holds is guarded like any', async () => {
    const render = await create(shared);
    expect(() => render('page', { which: 'wrong', y: 'evil()' })).toThrow(
      /The expression in line 1 yields string, not code/,
    );
  });

  test('is named when it does not exist', async () => {
    const render = await create(new Map());
    expect(() => render('none', {})).toThrow(/"none" cannot be rendered/);
  });

  test('knows nothing of another renderer', async () => {
    const first = await create(new Map([['a', 'first']]));
    const second = await create(new Map([['a', 'second']]));
    expect([first('a', {}), second('a', {}), first('a', {})]).toEqual(['first', 'second', 'first']);
  });
});

test('a template is named when it does not parse', () => {
  const render = createRenderer(new Map([['page', '{{#if x}}']]));
  expect(() => render('page', { x: 1 })).toThrow(/"page" cannot be rendered/);
});

test('templates of which some were compiled before are partials of one another', async () => {
  const texts = { page: '{{> part}}{{literal x}}', part: '{{literal x}}' };
  const table = await importModule<Record<string, object>>(prepareTemplates([texts.part]));
  const prepared = (text: string): object | undefined => table[preparedKey(text)];
  const render = createRenderer(new Map(Object.entries(texts)), prepared);
  expect(render('page', { x: 1 })).toBe('11');
});
