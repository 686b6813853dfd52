import { describe, expect, test } from 'vitest';
import type { Contract, Parameter } from '../../../generator/contract/contract.ts';
import { clientTarget } from '../../../generator/targets/client/target.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { isPayload, sharpestTexts } from '../../hostile/hostile-texts.ts';
import { injectionsIn } from '../../hostile/injections.ts';
import { compileStrictly } from '../strict-compile.ts';
import { compile } from '../compile.ts';
import { emitFiles } from '../emit-project.ts';
import { generateClient } from './emit-client.ts';

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
            header: 'x-signature',
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
          affects: [],
        },
      ],
    },
  );
}

describe('text of a contract', () => {
  test.each(sharpestTexts)('acts in no file of the client: %j', async (text) => {
    for (const [path, content] of await emitFiles(clientTarget, hostileContract(text)))
      expect(injectionsIn(path, content, isPayload), path).toEqual([]);
  });

  test('compiles, all of it', async () => {
    for (const text of ['*/ pwned_0(); /*\n`${pwned_0()}`', '__proto__']) {
      await using generated = await generateClient(hostileContract(text), { built: true });
      await compile('ts7', generated.contract, ['-b']);
      await expect(
        compileStrictly(generated.client, ['src'], {
          compiler: 'ts7',
          resolution: 'nodenext',
          from: 'source',
        }),
      ).resolves.toBeUndefined();
    }
  });
});
