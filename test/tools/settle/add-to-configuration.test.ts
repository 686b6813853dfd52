import { expect, it } from 'vitest';
import { addOverlays } from '../../../generator/tools/settle/add-to-configuration.ts';

const contract = { openapi: 'a/openapi.yaml', asyncapi: 'a/asyncapi.yaml' };

/** Adds one overlay. */
function add(name: string, text: string): string | undefined {
  return addOverlays(name, text, contract, ['a/answers.yaml']);
}

it.each<[what: string, name: string, before: string, after: string]>([
  [
    'an empty list',
    'countersign.config.ts',
    "export default { contract: { openapi: 'a/openapi.yaml', asyncapi: 'a/asyncapi.yaml', overlays: [] } } satisfies Config;\n",
    "export default { contract: { openapi: 'a/openapi.yaml', asyncapi: 'a/asyncapi.yaml', overlays: ['a/answers.yaml'] } } satisfies Config;\n",
  ],
  [
    'a list with items and comments',
    'countersign.config.mjs',
    'const contract = {\n  openapi: "a/openapi.yaml",\n  asyncapi: "a/asyncapi.yaml", // both\n  overlays: [\n    "a/x.yaml", // first\n  ],\n};\nexport default { contract };\n',
    'const contract = {\n  openapi: "a/openapi.yaml",\n  asyncapi: "a/asyncapi.yaml", // both\n  overlays: [\n    "a/x.yaml", // first\n    "a/answers.yaml",\n  ],\n};\nexport default { contract };\n',
  ],
  [
    'a contract without a list',
    'countersign.config.mts',
    "export default defineConfig({\r\n  contract: {\r\n    openapi: 'a/openapi.yaml',\r\n    asyncapi: 'a/asyncapi.yaml'\r\n  },\r\n});\r\n",
    "export default defineConfig({\r\n  contract: {\r\n    openapi: 'a/openapi.yaml',\r\n    asyncapi: 'a/asyncapi.yaml',\r\n    overlays: ['a/answers.yaml']\r\n  },\r\n});\r\n",
  ],
  [
    'JSON',
    'countersign.config.json',
    '{\n  "contract": { "openapi": "a/openapi.yaml", "asyncapi": "a/asyncapi.yaml" }\n}\n',
    '{\n  "contract": { "openapi": "a/openapi.yaml", "asyncapi": "a/asyncapi.yaml", "overlays": ["a/answers.yaml"] }\n}\n',
  ],
  [
    'the right one of several contracts',
    'countersign.config.js',
    "export default [\n  { contract: { openapi: 'a/openapi.yaml' } },\n  { contract: { openapi: 'a/openapi.yaml', asyncapi: `a/asyncapi.yaml` } },\n];\n",
    "export default [\n  { contract: { openapi: 'a/openapi.yaml' } },\n  { contract: { openapi: 'a/openapi.yaml', asyncapi: `a/asyncapi.yaml`, overlays: ['a/answers.yaml'] } },\n];\n",
  ],
])('adds an overlay to %s', (_, name, before, after) => {
  expect(add(name, before)).toBe(after);
  expect(add(name, `\ufeff${before}`)).toBe(`\ufeff${after}`);
});

const literal = "{ openapi: 'a/openapi.yaml', asyncapi: 'a/asyncapi.yaml' }";
it.each<[what: string, text: string]>([
  ['no such contract', "export default { contract: { openapi: 'b.yaml' } };"],
  ['the contract twice', `export default [{ contract: ${literal} }, { contract: ${literal} }];`],
  [
    'a list that is not a literal',
    `export default { contract: ${literal.replace('}', ', overlays: all }')} };`,
  ],
  [
    'a list by its name alone',
    `const overlays = []; export default { contract: ${literal.replace('}', ', overlays }')} };`,
  ],
  ['a path that is computed', 'export default { contract: { openapi: base + "openapi.yaml" } };'],
  ['a syntax error', `export default { contract: ${literal} };;;} (`],
])('does not change a configuration with %s', (_, text) => {
  expect(add('countersign.config.ts', text)).toBeUndefined();
});

it('does not write a trailing comma into JSON', () => {
  const text = `{ "contract": { "openapi": "a/openapi.yaml", "asyncapi": "a/asyncapi.yaml", "overlays": [\n] } }`;
  expect(add('countersign.config.json', text)).toBeUndefined();
  expect(add('countersign.config.ts', `export default ${text};`)).toContain('[\n');
});
