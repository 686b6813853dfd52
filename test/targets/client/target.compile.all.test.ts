import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { compile } from '../compile.ts';
import { compilers, compileStrictly, resolutionNames } from '../strict-compile.ts';
import { generateClient, readContract, readOpenapi, type GeneratedClient } from './emit-client.ts';
import { trade } from './trade.ts';

/** A contract with an open question and a settled one. */
const unsettled = {
  openapi: '3.1.1',
  info: { title: 'Open questions', version: '1.0.0', 'x-countersign': 1 },
  servers: [{ url: '{address}', variables: { address: { default: 'https://service.example' } } }],
  security: [{ signature: [] }],
  paths: {
    '/a': {
      get: {
        operationId: 'a',
        parameters: [
          {
            name: 'x-time',
            in: 'header',
            required: true,
            schema: { type: 'string' },
            'x-every-request': 'timestamp',
          },
        ],
        responses: { 200: { description: 'Done.' } },
      },
      post: {
        operationId: 'order',
        servers: [
          {
            url: 'https://{region}.orders.example',
            variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
          },
        ],
        parameters: [
          {
            name: 'x-id',
            in: 'header',
            required: true,
            schema: { type: 'string' },
            'x-every-request': { value: 'uuid', retry: { unstated: 'id-on-retry' } },
          },
        ],
        responses: { 200: { description: 'Done.' } },
        'x-repeatable': { unstated: 'repeated-order' },
        'x-unstated': {
          'id-on-retry': {
            source: '1',
            question: 'Does a repetition carry the same id?',
            choices: { keep: 'It does.', renew: 'It does not.' },
            assumed: 'keep',
          },
          'repeated-order': {
            source: '1',
            question: 'Is an order that arrives twice executed twice?',
            choices: {
              ignored: { value: { keeps: '$request.header.x-id' }, meaning: 'No.' },
              executed: { value: false, meaning: 'Yes.' },
            },
            assumed: 'executed',
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      signature: {
        type: 'apiKey',
        in: 'header',
        name: 'x-signature',
        'x-signature': {
          algorithm: 'hmac-sha256',
          key: { credential: 'signature', encoding: 'utf-8' },
          over: ['$request.header.x-time', '$url.path'],
          encoding: { unstated: 'encoding' },
          timestamp: { header: 'x-time', format: { unstated: 'timestamp-format' }, tolerance: 60 },
        },
        'x-unstated': {
          'timestamp-format': {
            source: '1',
            question: 'How is it written?',
            choices: { 'unix-seconds': 'Seconds.', 'iso-8601': 'A date-time.' },
          },
          encoding: {
            source: '1',
            question: 'How is it encoded?',
            choices: { hex: 'Hexadecimal.', base64: 'Base64.' },
            settled: 'hex',
          },
        },
      },
    },
  },
};

const cases: readonly (readonly [string, () => Promise<Contract>])[] = [
  ['own', () => readContract({ openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' })],
  ['trade', () => readOpenapi(trade)],
  ['unsettled', () => readOpenapi(unsettled)],
];

describe.each(cases)('the generated client of the contract "%s"', (name, read) => {
  let generated: GeneratedClient;

  beforeAll(async () => {
    generated = await generateClient(await read(), { built: true });
    const fixture = new URL(`${name}.types.ts.fixture`, import.meta.url);
    await writeFile(join(generated.project, 'use.ts'), await readFile(fixture, 'utf8'));
    await compile('ts7', generated.contract, ['-b']);
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  test.each(
    compilers.flatMap((compiler) =>
      resolutionNames.map((resolution) => [compiler, resolution] as const),
    ),
  )('compiles under every flag and has the types it says: %s, %s', async (compiler, resolution) => {
    await compileStrictly(generated.client, ['src'], { compiler, resolution, from: 'source' });
    await compile(compiler, generated.client, ['-b', '--force']);
    await expect(
      compileStrictly(generated.project, ['use.ts'], { compiler, resolution, from: 'built' }),
    ).resolves.toBeUndefined();
  });

  test('says in every file that it is generated, and never says any', async () => {
    const files = await readdir(join(generated.client, 'src'), { recursive: true });
    const sources = files.filter((file) => file.endsWith('.ts'));
    expect(sources).toContain('operations.ts');
    for (const file of sources) {
      const text = await readFile(join(generated.client, 'src', file), 'utf8');
      expect(text.split('\n')[0]).toBe('// @generated by countersign — do not edit');
      expect(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, ''), file).not.toMatch(
        /\bany\b|\bas unknown\b|@ts-/,
      );
    }
  });
});

test('an overlay that settles a question takes the option away, and its answer takes effect', async () => {
  const settled = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
    overlays: ['spec/overlays/example.yaml', 'spec/overlays/example-signing.yaml'],
  });
  await using generated = await generateClient(settled);
  const options = await readFile(join(generated.client, 'src/options.ts'), 'utf8');
  expect(options).not.toMatch(/timestampFormat|authorizationForm/);
  expect(options).toMatch(/signedPath\?/);
  const connection = await readFile(join(generated.client, 'src/connection.ts'), 'utf8');
  expect(connection).toContain("format: 'unix-milliseconds'");
  expect(connection).toContain("value: 'Bearer {token}'");
});
