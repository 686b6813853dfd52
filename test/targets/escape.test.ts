import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../generator/json/json.ts';
import { code, Code, joinCode } from '../../generator/targets/code.ts';
import {
  identifier,
  literal,
  markdown,
  markdownCode,
  memberName,
  plain,
} from '../../generator/targets/escape.ts';
import { jsdoc } from '../../generator/targets/jsdoc.ts';
import { hostileTexts } from '../hostile/hostile-texts.ts';

describe('literal', () => {
  const values: readonly Json[] = [
    ...hostileTexts,
    null,
    true,
    -0,
    1e21,
    [1, [], {}],
    { a: 1, 'b c': [null] },
    Object.fromEntries(hostileTexts.map((text) => [text, text])),
    JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Json,
  ];

  test.each(values.map((value) => [value]))('evaluates to the value: %j', (value) => {
    const evaluated: unknown = runInNewContext(`JSON.stringify((${literal(value).text}))`);
    expect(evaluated).toBe(JSON.stringify(value));
  });

  test.each(values.map((value) => [value]))('is one expression on one line: %j', (value) => {
    const { text } = literal(value);
    expect(text).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u);
    expect(text).not.toMatch(/<[/!]/);
    const file = ts.createSourceFile('a.ts', `x = ${text};`, ts.ScriptTarget.Latest, true);
    expect(file.statements).toHaveLength(1);
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, 1n])(
    'refuses what is not JSON: %s',
    (value) => {
      expect(() => literal(value as unknown as Json)).toThrow(TypeError);
    },
  );
});

describe('identifier', () => {
  test.each(['a', '$', '_1', 'Ünïcode', 'constructor'])('keeps %s', (name) => {
    expect(identifier(name).text).toBe(name);
  });

  test.each(['', '1a', 'a-b', 'a b', 'a;b', 'a\u2028b', ...hostileTexts])('refuses %j', (name) => {
    expect(() => identifier(name)).toThrow(TypeError);
  });

  test('as the name of a member is quoted where it is none, and never sets a prototype', () => {
    expect(memberName('name').text).toBe('name');
    expect(memberName('a-b').text).toBe('"a-b"');
    expect(memberName('__proto__').text).toBe('["__proto__"]');
  });
});

describe('jsdoc', () => {
  test.each(hostileTexts.map((text) => [text]))('is a comment and nothing else: %j', (text) => {
    const comment = jsdoc({
      summary: text,
      description: `${text}\n${text}`,
      source: [text],
      sourceDocument: text,
      examples: [{ value: text, summary: text }, { value: { [text]: [text] } }],
    });
    const source = `${comment.text}\nexport type X = 1;`;
    const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
    expect(file.statements).toHaveLength(1);
    const [statement] = file.statements;
    const tags = statement === undefined ? [] : ts.getJSDocTags(statement);
    expect(tags.map(({ tagName }) => tagName.text)).toEqual(['see', 'example', 'example']);
    expect(comment.text).toMatch(/^(?:[^\p{Cc}\p{Cf}\u2028\u2029]|\n|\t)*$/u);
  });

  test('carries what the contract says, in the order of reading', () => {
    const comment = jsdoc({
      summary: 'A charge.',
      description: 'Paid once.\r\nNever twice.',
      source: ['2.4', '3.1'],
      sourceDocument: 'The Book',
      deprecated: true,
      examples: [{ value: { a: 1 }, summary: 'Made up.' }],
    });
    expect(comment.text.split('\n')).toEqual([
      '/**',
      ' * A charge.',
      ' *',
      ' * Paid once.',
      ' * Never twice.',
      ' *',
      ' * @deprecated',
      ' * @see The Book, 2.4, 3.1',
      ' * @example',
      ' * Made up.',
      ' * ```json',
      ' * {',
      ' *   "a": 1',
      ' * }',
      ' * ```',
      ' */',
    ]);
  });

  test('shows examples as JSON that can be copied', () => {
    const example = { text: '*/ @tag ``` \u202e', list: ['@first'] };
    const comment = jsdoc({ examples: [{ value: example }] }).text;
    expect(comment).toMatch(/^\/\*\* @example .* \*\/$/u);
    expect(JSON.parse(comment.slice('/** @example '.length, -' */'.length))).toEqual(example);
    const long = { ...example, more: 'x'.repeat(80) };
    const lines = jsdoc({ examples: [{ value: long }] })
      .text.split('\n')
      .slice(3, -2);
    expect(JSON.parse(lines.map((line) => line.slice(3)).join('\n'))).toEqual(long);
  });

  test('leaves out an example that no editor would show', () => {
    const comment = jsdoc({ summary: 'A text.', examples: [{ value: 'x'.repeat(2000) }] });
    expect(comment.text).toBe('/** A text. */');
  });

  test('is nothing where nothing is said, and one line where one is', () => {
    expect(jsdoc({ description: ' \n ' }).text).toBe('');
    expect(jsdoc({ description: 'Short.' }).text).toBe('/** Short. */');
  });
});

describe('markdown', () => {
  test.each([
    ['a | b', String.raw`a \| b`],
    ['<script>x</script>', String.raw`\<script\>x\</script\>`],
    ['*bold* _it_ [a](javascript:b)', String.raw`\*bold\* \_it\_ \[a\](javascript:b)`],
    ['line\nline', 'line line'],
    ['# title', String.raw`\# title`],
    ['- item', String.raw`\- item`],
    ['1. item', String.raw`1\. item`],
    ['2.4, 3.1', '2.4, 3.1'],
    ['the `a|b` code', String.raw`the ${'`'}a\|b${'`'} code`],
    ['a ` lone one', 'a \\` lone one'],
    ['turn \u202e round', String.raw`turn \\u202e round`],
  ])('makes text of %j', (text, expected) => {
    expect(markdown(text).text).toBe(expected);
  });

  test.each([
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['`a', '`` `a ``'],
    ['', '`  `'],
    ['a\nb|c', '`a b\\|c`'],
  ])('makes a code span of %j', (text, expected) => {
    expect(markdownCode(text).text).toBe(expected);
  });

  test('is not needed in a text file, but one line is', () => {
    expect(plain(' a\r\n*b* ').text).toBe('a *b*');
  });
});

describe('code', () => {
  test('is composed of code and numbers', () => {
    const list = [literal('a'), literal(1)];
    expect(code`f(${joinCode(list, ', ')}, ${2}, ${list})`.text).toBe('f("a", 1, 2, "a", 1)');
    expect(String(new Code('x'))).toBe('x');
  });

  test('is not composed of text', () => {
    // @ts-expect-error a text is not code
    expect(() => code`f(${'evil()'})`).toThrow(TypeError);
  });
});
