import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { Contract, JsonSchema } from '../../../generator/contract/contract.ts';
import type { JsonObject } from '../../../generator/json.ts';
import { hostileTexts } from '../hostile-texts.ts';
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

const node = { pointer: 'openapi#', source: ['pwned'] } as const;

function hostileContract(text: string): Contract {
  return buildContract(
    [
      ['Plain', hostileSchema(text)],
      [`${text} name`, { $ref: '#/$defs/Plain', description: text }],
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
        },
      ],
    },
  );
}

/** Identifiers and calls of a file that hold the name; names of types and files are made from it and excepted. */
function executableMentions(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && /pwned/i.test(node.text) && !isMadeName(node.text)) {
      found.push(node.text);
    }
    if (ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node)) {
      if (/pwned/i.test(node.getText())) found.push(node.getText());
    }
    if (ts.isImportDeclaration(node) && !isRelative(node.moduleSpecifier))
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isMadeName(name: string): boolean {
  return /^(?:is|assert|validate|Known|isKnown)?[\p{Lu}_$][\p{L}\p{N}_$]*$/u.test(name);
}

function isRelative(specifier: ts.Expression): boolean {
  return (
    ts.isStringLiteral(specifier) && /^\.\.?\/[\p{L}\p{N}$./-]+\.(?:ts|js)$/u.test(specifier.text)
  );
}

/** Ajv compiles no name that is not well-formed; the others stand for it. */
const texts = hostileTexts.filter((text) => text.isWellFormed());

describe('text of a contract', () => {
  test.each(texts.map((text) => [text]))('stays text in every file: %j', async (text) => {
    const files = await emitPackage(hostileContract(text));
    for (const [path, content] of files) {
      if (path.endsWith('.json')) {
        expect(() => JSON.parse(content) as unknown, path).not.toThrow();
      }
      if (!/\.(?:ts|js)$/.test(path)) continue;
      expect(executableMentions(path, content), path).toEqual([]);
      const { parseDiagnostics } = ts.createSourceFile(
        path,
        content,
        ts.ScriptTarget.Latest,
      ) as unknown as {
        readonly parseDiagnostics: readonly unknown[];
      };
      expect(parseDiagnostics, path).toEqual([]);
    }
  });

  test('is found where it would be code, so that this test can fail', () => {
    expect(executableMentions('a.ts', 'pwned();')).toEqual(['pwned']);
    expect(executableMentions('a.ts', 'const a = `${pwned}`;')).toEqual(['`${pwned}`', 'pwned']);
    expect(executableMentions('a.ts', 'import "pwned";')).toEqual(['import "pwned";']);
    expect(executableMentions('a.ts', '/* pwned() */ const a = "pwned()";')).toEqual([]);
  });

  test('that no code can be made for is refused with the name of the schema', async () => {
    const contract = buildContract([
      ['Broken', { type: 'object', properties: { '\ud800': { type: 'string' } } }],
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
