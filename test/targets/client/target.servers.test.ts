import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../../../packages/simulator/src/index.ts';
import type { ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { describeAddressOptions } from '../../../generator/targets/printing/server-code.ts';
import { describeConnection } from '../../../generator/targets/printing/connection-code.ts';
import { serveWithSamples } from '../../packages/simulator/target/serve-with-samples.ts';
import { generateClient, readContract, readOpenapi, type GeneratedClient } from './emit-client.ts';

const responses = { 204: { description: 'Done.' } };
const operation = (operationId: string, more: object = {}): object => ({
  operationId,
  responses,
  ...more,
});
const region = { default: 'eu', enum: ['eu', 'us'], description: 'Where files are kept.' };
const api = 'https://{stage}.api.example/v1';
const uploads = 'https://{region}.upload.example/v2';

const box = {
  openapi: '3.1.1',
  info: { title: 'Box', version: '1.0.0' },
  servers: [
    { url: api, variables: { stage: { default: 'live' } } },
    { url: 'https://other.example' },
  ],
  paths: {
    '/read': { get: operation('read') },
    '/same': {
      servers: [{ url: api, variables: { stage: { default: 'live' } } }],
      get: operation('same'),
    },
    '/upload': {
      servers: [{ url: uploads, variables: { region } }, { url: 'https://second.example' }],
      post: operation('upload'),
      put: operation('replace', { servers: [{ url: '/v9' }] }),
      patch: operation('change', { servers: [] }),
    },
    '/session': {
      post: operation('session', { servers: [{ url: 'https://{upload-server}/api/2.0' }] }),
    },
    '/other': { get: operation('other', { servers: [{ url: 'https://other.example' }] }) },
    '/odd': {
      get: operation('odd', { servers: [{ url: 'https://odd.example/__proto__`${1}*/' }] }),
    },
  },
  webhooks: {
    done: {
      post: operation('done', { servers: [{ url: 'https://receiver.example' }] }),
    },
  },
};

describe('a client of a contract with several servers', () => {
  let generated: GeneratedClient;
  let module: ClientModule;
  let urls: string[];

  beforeAll(async () => {
    generated = await generateClient(await readOpenapi(box));
    const path = join(generated.client, 'src/index.ts');
    module = (await import(pathToFileURL(path).href)) as ClientModule;
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  const send = async (name: string, options: object): Promise<string> => {
    urls = [];
    const client = module.createClient({
      fetch: async (url: string) => {
        urls.push(url);
        return new Response(undefined, { status: 204 });
      },
      ...options,
    });
    try {
      await client[name]?.({});
    } catch (error) {
      expect(urls).toEqual([]);
      return String((error as { readonly code?: string }).code);
    }
    return urls.join(' ');
  };
  const sandbox = 'http://127.0.0.1:9/sandbox';

  test.each([
    ['read', {}, 'https://live.api.example/v1/read'],
    ['same', {}, 'https://live.api.example/v1/same'],
    ['upload', {}, 'https://eu.upload.example/v2/upload'],
    ['change', {}, 'https://eu.upload.example/v2/upload'],
    ['replace', {}, 'https://live.api.example/v9/upload'],
    ['session', {}, 'invalid-option'],
    ['other', {}, 'https://other.example/other'],
    ['upload', { serverVariables: { region: 'us' } }, 'https://us.upload.example/v2/upload'],
    [
      'session',
      { serverVariables: { 'upload-server': 'u.example' } },
      'https://u.example/api/2.0/session',
    ],
    ['read', { serverVariables: { stage: 'test' } }, 'https://test.api.example/v1/read'],
    ['upload', { serverVariables: { stage: 'test' } }, 'invalid-option'],
    ['replace', { serverVariables: { stage: 'test' } }, 'https://test.api.example/v9/upload'],
    ['read', { baseUrl: sandbox }, `${sandbox}/read`],
    ['same', { baseUrl: sandbox }, `${sandbox}/same`],
    ...['upload', 'change', 'replace', 'session', 'other', 'odd'].map(
      (name) => [name, { baseUrl: sandbox }, 'invalid-option'] as const,
    ),
    [
      'upload',
      { baseUrl: sandbox, baseUrls: { [uploads]: 'http://127.0.0.1:9/u' } },
      'http://127.0.0.1:9/u/upload',
    ],
    [
      'replace',
      { baseUrl: sandbox, baseUrls: { '/v9': 'http://127.0.0.1:9/v9' } },
      'http://127.0.0.1:9/v9/upload',
    ],
  ] as const)('%s with %j: %s', async (name, options, expected) => {
    expect(await send(name, options)).toBe(expected);
  });

  test('is refused an unknown server, and a value that is not listed', () => {
    for (const options of [
      { baseUrls: { 'https://receiver.example': sandbox } },
      { serverVariables: { region: 'mars' } },
      { serverVariables: { unknown: 'mars' } },
    ])
      expect(() => module.createClient(options)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
  });

  test('types and documents the addresses', async () => {
    const options = await readFile(join(generated.client, 'src/options.ts'), 'utf8');
    expect(options).toContain('Default: `https://live.api.example/v1`');
    expect(options).toContain('readonly baseUrl?: string;');
    expect(options).toContain(`readonly '${uploads}'?: string;`);
    expect(options).toContain('Default, without `baseUrl`: `https://eu.upload.example/v2`.');
    expect(options).toContain("readonly region?: 'eu' | 'us';");
    expect(options).toContain("readonly 'upload-server'?: string;");
    expect(options).not.toContain('receiver.example');
    const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
    expect(readme).toMatch(/\| `https:\/\/\{region\}\.upload\.example\/v2` +\| `https:\/\/eu\./);
    expect(readme).toContain('`serverVariables` sets them');
  });

  test('calls a simulator with the addresses that it states', async () => {
    const contract = await readOpenapi(box);
    const simulator = await createSimulator(serveWithSamples(contract, []));
    try {
      const { url, baseUrls } = simulator;
      const client = module.createClient({ baseUrl: url, baseUrls });
      for (const name of ['read', 'same', 'upload', 'replace', 'session', 'other'])
        await expect(client[name]?.({}), name).resolves.toMatchObject({ status: 204 });
    } finally {
      await simulator.close();
    }
  });
});

describe('the base URL', () => {
  const document = (servers: unknown, more: object = {}, ownServers?: unknown): object => ({
    openapi: '3.1.1',
    info: { title: 'Trade', version: '1.0.0', ...more },
    ...(servers === undefined ? {} : { servers }),
    paths: {
      '/a': { get: operation('a', ownServers === undefined ? {} : { servers: ownServers }) },
      '/b': { get: operation('b', ownServers === undefined ? {} : { servers: ownServers }) },
    },
  });
  const question = { address: { source: '1', question: 'At which address?' } };

  test.each([
    ['no server', undefined, {}, undefined, undefined, 'readonly baseUrl: string'],
    ['a path', [{ url: '/api/v3' }], {}, undefined, undefined, '`/api/v3`'],
    [
      'a path, with an operation elsewhere',
      [{ url: '/api/v3' }],
      {},
      [{ url: 'https://x.example' }],
      undefined,
      'readonly baseUrl?: string',
    ],
    [
      'a whole URL as variable',
      [{ url: '{base}', variables: { base: { default: 'https://y.example' } } }],
      {},
      undefined,
      'https://y.example',
      'readonly baseUrl?: string',
    ],
    [
      'the own server of all',
      undefined,
      {},
      [{ url: 'https://x.example' }],
      'https://x.example',
      'readonly baseUrl?: string',
    ],
    [
      'an open question',
      [{ url: 'https://x.example', 'x-unstated': question }],
      { 'x-countersign': 1 },
      undefined,
      undefined,
      'readonly baseUrl: string',
    ],
    [
      'another protocol',
      [{ url: 'ws://x.example' }],
      {},
      undefined,
      undefined,
      'readonly baseUrl: string',
    ],
  ] as const)(
    'of a contract with %s',
    async (_, servers, more, operationServers, address, text) => {
      const contract = await readOpenapi(document(servers, more, operationServers));
      expect(describeConnection(contract).address).toBe(address);
      const { members } = describeAddressOptions(contract);
      expect(members.join('\n')).toContain(text);
      expect(members.join('\n')).not.toContain('serverVariables');
    },
  );

  test('of two servers with one URL and other defaults has two keys', async () => {
    const contract = await readOpenapi({
      ...document([{ url: 'https://x.example' }]),
      paths: Object.fromEntries(
        ['eu', 'us'].map((value) => [
          `/${value}`,
          {
            get: operation(value, {
              servers: [{ url: 'https://{r}.example', variables: { r: { default: value } } }],
            }),
          },
        ]),
      ),
    });
    expect(contract.servers.overrides.map(({ key }) => key)).toEqual([
      'https://{r}.example',
      'https://{r}.example (2)',
    ]);
  });
});

test('the server of this contract stays an open question', async () => {
  const contract = await readContract({ openapi: 'spec/openapi.yaml' });
  expect(describeConnection(contract)).toMatchObject({ needsBaseUrl: true });
});
