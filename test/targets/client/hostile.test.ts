import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { describe, expect, test } from 'vitest';
import type { Contract, Parameter } from '../../../generator/contract/contract.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { compileStrictly } from '../strict-compile.ts';
import { compile } from '../compile.ts';
import { generateClient } from './emit-client.ts';

const texts = hostileTexts.filter((text) => text.isWellFormed());

/** A contract with a text at every place of a call that takes one. */
function hostileContract(text: string): Contract {
  const node = { pointer: 'openapi#', source: [text] } as const;
  const parameter = (place: Parameter['in'], style: string): Parameter => ({
    kind: 'parameter',
    ...node,
    name: text,
    propertyName: 'parameter',
    in: place,
    required: place === 'path',
    deprecated: false,
    description: text,
    schema: { type: 'string', description: text, enum: [text], default: text },
    style,
    explode: false,
    allowReserved: true,
    examples: [text],
  });
  const content = { mediaType: `application/json; x=${text}`, schema: 'Thing', examples: [] };
  const scheme = { kind: 'security-scheme', ...node, description: text } as const;
  return buildContract(
    [['Thing', { type: 'object', properties: { [text]: { type: 'string', description: text } } }]],
    {
      info: { title: text, description: text, summary: text, sourceDocument: text },
      operations: [
        {
          kind: 'operation',
          ...node,
          id: text,
          name: 'operation',
          method: 'POST',
          path: `/{${text}}/${text}`,
          summary: text,
          description: text,
          deprecated: true,
          tags: [text],
          parameters: [
            parameter('path', 'matrix'),
            parameter('query', 'deepObject'),
            parameter('header', 'simple'),
            parameter('cookie', 'form'),
          ],
          requestBody: {
            required: true,
            description: text,
            content: [
              content,
              {
                mediaType: 'multipart/form-data',
                schema: 'Thing',
                encoding: { [text]: { contentType: text } },
                examples: [],
              },
              {
                mediaType: 'application/x-www-form-urlencoded',
                schema: 'Thing',
                encoding: { [text]: { style: 'form', explode: false } },
                examples: [],
              },
            ],
          },
          responses: [
            {
              kind: 'response',
              ...node,
              status: '200',
              description: text,
              headers: [],
              content: [content],
            },
          ],
          security: [[{ scheme: text, scopes: [text] }], [{ scheme: 'signature', scopes: [] }]],
          servers: [{ kind: 'server', ...node, url: text, variables: [] }],
        },
      ],
      security: [
        { ...scheme, id: text, name: 'key', type: 'apiKey', in: 'query', parameterName: text },
        {
          ...scheme,
          id: 'signature',
          name: 'signature',
          type: 'apiKey',
          in: 'header',
          parameterName: 'x-signature',
          signature: {
            algorithm: 'hmac-sha256',
            key: { credential: text, encoding: 'utf-8', prefix: text },
            over: ['$request.body', { unstated: text }],
            encoding: 'hex',
            value: `{signature}`,
          },
        },
      ],
      unstated: [
        {
          kind: 'unstated',
          ...node,
          id: text,
          optionName: 'option',
          question: text,
          remark: text,
          choices: [{ name: text, value: '$url.path', meaning: text }],
          assumed: text,
          usedBy: ['openapi#'],
          answers: [],
        },
      ],
    },
  );
}

function mentions(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // Credentials and types are called after the contract; their names are identifiers and run nothing.
    const isName =
      ts.isIdentifier(node) &&
      !ts.isPropertySignature(node.parent) &&
      !ts.isPropertyAccessExpression(node.parent);
    if (isName && /pwned/iu.test(node.text)) found.push(node.text);
    if (ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node))
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('text of a contract', () => {
  test.each(texts)('reaches the client as comment or literal alone: %j', async (text) => {
    await using generated = await generateClient(hostileContract(text));
    const files = await readdir(join(generated.client, 'src'), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const written = await readFile(join(generated.client, 'src', file), 'utf8');
      expect(mentions(file, written), file).toEqual([]);
    }
    expect(
      JSON.parse(await readFile(join(generated.client, 'package.json'), 'utf8')),
    ).toHaveProperty('name', '@trade/client');
  });

  test('compiles, all of it', async () => {
    for (const text of [hostileTexts[0] ?? '', '`${pwned()}`', 'a\npwned();', '__proto__']) {
      await using generated = await generateClient(hostileContract(text), { built: true });
      await compile('ts7', generated.contract, ['-b']);
      await compileStrictly(generated.client, ['src'], {
        compiler: 'ts7',
        resolution: 'nodenext',
        from: 'source',
      });
    }
  });
});
