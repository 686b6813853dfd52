import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { JsonSchema } from '../../../generator/schema/model.ts';
import type { JsonObject } from '../../../generator/json/json.ts';
import { isPayload, sharpestTexts } from '../../hostile/hostile-texts.ts';
import { injectionsIn } from '../../hostile/injections.ts';
import { buildContract } from './contract-builder.ts';
import { emitPackage } from './emit-package.ts';

/** A schema with a text at every place that takes one, as a name, a keyword's value or an annotation. */
function hostileSchema(text: string): JsonSchema {
  const data = JSON.parse(`{"__proto__":${JSON.stringify(text)}}`) as JsonObject;
  return {
    title: text,
    description: text,
    $comment: text,
    'x-source': text,
    type: 'object',
    examples: [text, { [text]: text }, data],
    default: text,
    tsType: text,
    tsEnumNames: [text],
    extends: text,
    id: text,
    properties: {
      [text]: { type: 'string', description: text, default: text, examples: [text], tsType: text },
      constant: { const: text },
      object: { const: { [text]: [text], ...data } },
      choice: { enum: [text, 1, { [text]: text }] },
      pattern: {
        type: 'string',
        pattern: text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`),
      },
      list: {
        type: 'array',
        description: text,
        items: { type: 'string', title: text, description: text },
      },
      inner: {
        type: 'object',
        title: text,
        properties: { [text]: { type: 'integer', tsType: text } },
        required: [text],
      },
      format: { type: 'string', format: text },
    },
    required: [text],
    patternProperties: { '^x': { type: 'string', description: text } },
    dependentRequired: { [text]: [text] },
    additionalProperties: { type: ['string', 'object'], description: text, title: text },
  };
}

const node = { pointer: 'openapi#', source: ['pwned_0'] } as const;

function hostileContract(text: string): Contract {
  return buildContract(
    [
      ['Plain', hostileSchema(text)],
      [`${text} name`, { $ref: '#/$defs/Plain', description: text, 'x-unstated': { [text]: {} } }],
      ['Choice', { enum: [text, 'b'], 'x-enum-descriptions': [text, text], description: text }],
      [
        'Open',
        { type: 'string', 'x-extensible-enum': [text], 'x-enum-varnames': [text], title: text },
      ],
    ],
    {
      info: {
        title: text,
        summary: text,
        description: text,
        version: text,
        sourceDocument: text,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      documents: { openapi: { info: { title: text } } },
      unstated: [
        {
          kind: 'unstated',
          ...node,
          source: [text],
          id: text,
          optionName: 'option',
          question: text,
          remark: text,
          choices: [{ name: text, value: text, meaning: text }],
          assumed: text,
          usedBy: [],
          answers: [],
          affects: [],
        },
      ],
    },
  );
}

/** Ajv compiles no name that is not well-formed; the others stand for it. */
const texts = sharpestTexts.filter((text) => text.isWellFormed());

describe('text of a contract', () => {
  test.each(texts)('acts in no file: %j', async (text) => {
    for (const [path, content] of await emitPackage(hostileContract(text)))
      expect(injectionsIn(path, content, isPayload), path).toEqual([]);
  });

  test('that no code can be made for is refused with the name of the schema', async () => {
    const contract = buildContract([
      ['Broken', { type: 'object', properties: { '\ud800': { minLength: 1 } } }],
    ]);
    await expect(emitPackage(contract)).rejects.toThrow('The schema "Broken" cannot be compiled');
  });

  test('reaches the reader of a README as text', async () => {
    for (const text of texts) {
      const readme = (await emitPackage(hostileContract(text))).get('README.md') ?? '';
      const outside = readme
        .replaceAll(/```ts\n[\s\S]*?\n```\n/g, '')
        .replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
      expect(outside.replace(/^<!--.*?-->/, ''), text).not.toMatch(
        /(?<!\\)<|(?<!\\)\[pwned|javascript:/,
      );
      expect(
        readme
          .split('\n')
          .filter((line) => line.startsWith('| '))
          .every((line) => line.endsWith(' |')),
      ).toBe(true);
    }
  });
});
