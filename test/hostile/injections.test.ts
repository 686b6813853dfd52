import { describe, expect, it } from 'vitest';
import { injectionsIn } from './injections.ts';

const isPayload = (name: string): boolean => name.includes('pwned_1');

describe('what looks for text that acts', () => {
  it.each([
    ['a.ts', 'pwned_1();'],
    ['a.ts', 'const a = `${pwned_1}`;'],
    ['a.ts', 'import "pwned_1";'],
    ['a.ts', 'const a = await import("./pwned_1.ts");'],
    ['a.ts', 'type A = import("pwned_1").A;'],
    ['a.js', 'eval("1");'],
    ['a.js', 'a b'],
    ['a.ts', '/** @pwned_1 */\nconst a = 1;'],
    ['a.ts', '// @ts-ignore\nconst a = 1;'],
    ['a.ts', '// @ts-nocheck\nconst a = 1;'],
    ['a.ts', '/// <reference path="./a.ts" />\nconst a = 1;'],
    ['a/package.json', '{ "scripts": { "install": "pwned_1" } }'],
    ['a.json', '{ "a": }'],
    ['a.md', '<img src="x" />'],
    ['a.md', '[a](javascript:pwned_1)'],
    ['a.md', '```ts\npwned_1();\n```\n'],
    ['a.md', '```sh\npwned_1\n```\n'],
    ['a.html', '<p onclick="a()">a</p>'],
    ['a.html', '<pwned_1></pwned_1>'],
    ['a.html', '<script>pwned_1()</script>'],
    ['a.html', '<script type="application/json">{</script>'],
    ['a.html', '<script type="text/html"><a href="javascript:a()">a</a></script>'],
    ['a.html', '<!-- pwned_1 -->'],
  ])('finds it in %s: %s', (path, text) => {
    expect(injectionsIn(path, text, isPayload)).not.toEqual([]);
  });

  it.each([
    ['a.ts', '/* pwned_1() */ const a = "pwned_1()"; // pwned_1()'],
    ['a.json', '{ "pwned_1": "pwned_1" }'],
    ['a/package.json', '{ "description": "pwned_1" }'],
    ['a.md', 'pwned_1 `pwned_1` and \\<b\\>\n\n```json\npwned_1\n```\n'],
    ['a.html', '<p title="pwned_1">pwned_1</p><script type="application/json">"pwned_1"</script>'],
  ])('lets it stand as text in %s: %s', (path, text) => {
    expect(injectionsIn(path, text, isPayload)).toEqual([]);
  });
});
