import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completeContract, type StatedContract } from '../../../generator/contract/complete.ts';
import type { Contract, Operation, SecurityScheme } from '../../../generator/contract/contract.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { hostileTexts } from '../../hostile/hostile-texts.ts';
import { readOpenapi } from '../../targets/client/emit-client.ts';
import { contractOf, emitPage, ownContract } from './emit-page.ts';

const repositoryContract = await ownContract();
const loans = await contractOf({ openapi: 'test/golden/library-loans/openapi.yaml' });
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The commands of a page, as a browser shows and copies them. */
async function commandsOf(contract: StatedContract): Promise<readonly string[]> {
  // Tests change the schemes of a contract.
  const changed = completeContract(contract);
  const page = await emitPage(changed, ['reference']);
  return Array.from(
    page.matchAll(/<pre tabindex="0" data-language="shell">([^<]*)</gu),
    ([, text = '']) =>
      text.replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => entities[entity] ?? ''),
  );
}

interface Run {
  readonly status: number | null;
  /** The words that cURL gets. */
  readonly words: readonly string[];
}

/** Runs a command in a shell in which cURL prints its words. */
function run(command: string, variables: Readonly<Record<string, string>>, folder: string): Run {
  const { status, stdout } = spawnSync(
    '/bin/sh',
    ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: '/a-secret', ...variables },
    },
  );
  return { status, words: stdout.split('\0').slice(0, -1) };
}

/** Every variable that a command reads. */
function variablesOf(command: string): Readonly<Record<string, string>> {
  const names = Array.from(command.matchAll(/"\$\{(\w+):\?\}"/gu), ([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, `value-of-${name}`]));
}

function operationOf(contract: Contract): Operation {
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('There is no operation.');
  return operation;
}

describe('the command of a call', () => {
  it('sends what the contract asks for', async () => {
    const [command = ''] = await commandsOf(repositoryContract);
    const { status, words } = run(command, variablesOf(command), await temporaryFolder());
    expect(status).toBe(0);
    expect(words).toEqual([
      '--request',
      'POST',
      '--globoff',
      '--url',
      'https://service.example/token',
      '--header',
      'x-timestamp: value-of-API_INSTANT_PAYMENT_SERVICE_X_TIMESTAMP',
      '--header',
      'x-request-id: value-of-API_INSTANT_PAYMENT_SERVICE_X_REQUEST_ID',
      '--header',
      'apikey: value-of-API_INSTANT_PAYMENT_SERVICE_API_KEY',
      '--header',
      'x-hmac-signature: value-of-API_INSTANT_PAYMENT_SERVICE_X_HMAC_SIGNATURE',
      '--header',
      'content-type: application/x-www-form-urlencoded',
      '--data-raw',
      'client_id=example-client&client_secret=example-client-secret',
    ]);
  });

  it('says what the signature is, and holds none', async () => {
    const page = await emitPage(repositoryContract);
    const note = page.slice(page.indexOf('API_INSTANT_PAYMENT_SERVICE_X_HMAC_SIGNATURE</code>'));
    expect(note.slice(0, 600)).toContain('href="#security-signature"');
    expect(note.slice(0, 600)).toContain('<code>signingSecret</code>');
  });

  it('sends nothing while a variable is not set', async () => {
    const [command = ''] = await commandsOf(repositoryContract);
    for (const name of Object.keys(variablesOf(command))) {
      const { [name]: _, ...otherVariables } = variablesOf(command);
      const { status, words } = run(command, otherVariables, await temporaryFolder());
      expect(status, name).not.toBe(0);
      expect(words, name).toEqual([]);
    }
  });

  it('has a path and a JSON body for every call of a contract', async () => {
    const commands = await commandsOf(loans);
    expect(commands).toHaveLength(loans.operations.length);
    const folder = await temporaryFolder();
    expect(loans.operations).not.toEqual([]);
    for (const [index, { method, path, requestBody }] of loans.operations.entries()) {
      const command = commands[index] ?? '';
      const { status, words } = run(command, variablesOf(command), folder);
      expect(status).toBe(0);
      if (method !== 'HEAD') expect(words.slice(0, 2)).toEqual(['--request', method]);
      const url = new URL(words[words.indexOf('--url') + 1] ?? '');
      expect(url.pathname.split('/').length).toBeGreaterThanOrEqual(path.split('/').length);
      expect(url.pathname).not.toMatch(/[{}]|%7B/u);
      const body = words[words.indexOf('--data-raw') + 1] ?? '';
      if (requestBody?.required === true) expect(JSON.parse(body)).toBeTypeOf('object');
    }
  });

  const schemes: readonly (readonly [string, Partial<SecurityScheme>, readonly string[]])[] = [
    [
      'a bearer token',
      { type: 'http', httpScheme: 'bearer' },
      ['--header', 'authorization: Bearer value-of-API_INSTANT_PAYMENT_SERVICE_SECRET'],
    ],
    [
      'basic',
      { type: 'http', httpScheme: 'basic' },
      ['--user', 'value-of-API_INSTANT_PAYMENT_SERVICE_SECRET'],
    ],
    [
      'a cookie',
      { type: 'apiKey', in: 'cookie', parameterName: 'a b' },
      ['--cookie', 'a%20b=value-of-API_INSTANT_PAYMENT_SERVICE_SECRET'],
    ],
    [
      'a query',
      { type: 'apiKey', in: 'query', parameterName: 'key' },
      ['--url', 'https://service.example/token?key=value-of-API_INSTANT_PAYMENT_SERVICE_SECRET'],
    ],
    [
      'OAuth',
      { type: 'oauth2' },
      ['--header', 'authorization: Bearer value-of-API_INSTANT_PAYMENT_SERVICE_SECRET'],
    ],
    [
      'a certificate',
      { type: 'mutualTLS' },
      ['--cert', 'value-of-API_INSTANT_PAYMENT_SERVICE_SECRET'],
    ],
  ];
  it.each(schemes)('carries %s', async (_, scheme, expected) => {
    const operation = operationOf(repositoryContract);
    const { pointer } = repositoryContract.info;
    const [command = ''] = await commandsOf({
      ...repositoryContract,
      security: [
        {
          kind: 'security-scheme',
          pointer,
          source: [],
          id: 'secret',
          name: 'secret',
          type: 'other',
          ...scheme,
        },
      ],
      defaultSecurity: [],
      operations: [
        { ...operation, parameters: [], security: [[{ scheme: 'secret', scopes: [] }]] },
      ],
    });
    const { words } = run(command, variablesOf(command), await temporaryFolder());
    const at = words.findIndex(
      (word, index) => word === expected[0] && words[index + 1] === expected[1],
    );
    expect(words.slice(at, at + 2)).toEqual(expected);
  });
});

describe('hostile text in a command', () => {
  const more = [
    '$(touch pwned)',
    '`touch pwned`',
    "'$(touch pwned)'",
    "'; touch pwned; '",
    '\\',
    '@/etc/passwd',
    '-o pwned',
    '"${HOME:?}"',
    '~',
    'a\n\ntouch pwned',
  ];

  it.each([...hostileTexts, ...more])('is data, and nothing is run: %j', async (text) => {
    const operation = operationOf(repositoryContract);
    const { pointer } = repositoryContract.info;
    const parameter = (name: string, place: 'path' | 'query' | 'header' | 'cookie') =>
      ({
        kind: 'parameter',
        pointer,
        source: [],
        name,
        propertyName: name,
        in: place,
        required: true,
        deprecated: false,
        schema: { type: 'string' },
        style: place === 'query' || place === 'cookie' ? 'form' : 'simple',
        explode: false,
        allowReserved: false,
        examples: [text],
      }) as const;
    const folder = await temporaryFolder();
    const [command = ''] = await commandsOf({
      ...repositoryContract,
      info: {
        ...repositoryContract.info,
        servers: [
          {
            kind: 'server',
            pointer,
            source: [],
            url: `https://service.example/${text}`,
            variables: [],
          },
        ],
      },
      security: [],
      defaultSecurity: [],
      operations: [
        {
          ...operation,
          path: `/a/{id}/${text}`,
          security: [],
          parameters: [
            parameter('id', 'path'),
            parameter('q', 'query'),
            parameter('x-given', 'header'),
            parameter('c', 'cookie'),
            parameter(text, 'header'),
          ],
          requestBody: {
            required: true,
            content: [
              {
                mediaType: 'application/json',
                examples: [
                  { kind: 'example', pointer, source: [], name: 'one', value: { [text]: text } },
                ],
              },
            ],
          },
        },
      ],
    });
    const { status, words } = run(command, {}, folder);
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
    expect(words.filter((word) => word === '--globoff')).toHaveLength(1);
    // Every other option has a value.
    const pairs = words.toSpliced(words.indexOf('--globoff'), 1);
    const options = pairs.filter((_, index) => index % 2 === 0);
    const values = pairs.filter((_, index) => index % 2 === 1);
    expect(
      options.filter((option) => !/^--(?:request|url|header|cookie|data-raw)$/u.test(option)),
    ).toEqual([]);
    const url = values[options.indexOf('--url')] ?? '';
    expect(url).toMatch(/^https:\/\/service\.example\/[!-~]*$/u);
    expect(new URL(url).host).toBe('service.example');
    const headers = values.filter((_, index) => options[index] === '--header');
    expect(headers).not.toEqual([]);
    for (const header of headers) expect(header).toMatch(/^[!#$%&'*+.^_`|~\w-]+: [\t\x20-\x7e]*$/u);
    const body = JSON.parse(values[options.indexOf('--data-raw')] ?? '') as Record<string, string>;
    const well = JSON.parse(JSON.stringify(text).replaceAll(/[\ud800-\udfff]/gu, '')) as string;
    if (text.isWellFormed()) expect(body).toEqual({ [text]: text });
    else expect(Object.keys(body)).toEqual([expect.stringContaining(well)]);
  });

  it('names no variable of the reader', async () => {
    const operation = operationOf(repositoryContract);
    const { pointer } = repositoryContract.info;
    for (const name of ['HOME', 'PATH', 'awsSecretAccessKey', '', 'é', 'a"$(touch pwned)']) {
      const [command = ''] = await commandsOf({
        ...repositoryContract,
        security: [
          {
            kind: 'security-scheme',
            pointer,
            source: [],
            id: 'secret',
            name,
            type: 'http',
            httpScheme: 'bearer',
          },
        ],
        defaultSecurity: [],
        operations: [
          { ...operation, parameters: [], security: [[{ scheme: 'secret', scopes: [] }]] },
        ],
      });
      expect(command).toMatch(/"\$\{API_\w*:\?\}"/u);
      expect(command.match(/\$/gu)).toHaveLength(1);
    }
  });
});

it('sends a call with a server of its own to that server', async () => {
  const operation = (servers: object): object => ({
    servers,
    responses: { 204: { description: 'Done.' } },
  });
  const contract = await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Files', version: '1.0.0' },
    servers: [
      { url: 'https://{stage}.files.example/v1', variables: { stage: { default: 'live' } } },
    ],
    paths: {
      '/a': { post: operation([{ url: 'https://upload.example' }]) },
      '/b': { post: operation([{ url: '/v9' }]) },
      '/c': { post: operation([]) },
    },
  });
  const page = await emitPage(contract, ['reference']);
  const commands = await commandsOf(contract);
  expect(commands.map((command) => /--url '([^']*)'/u.exec(command)?.[1])).toEqual([
    'https://upload.example/a',
    'https://live.files.example/v9/b',
    'https://live.files.example/v1/c',
  ]);
  expect(page.match(/Sent to <code>[^<]*/gu)).toEqual([
    'Sent to <code>https://upload.example',
    'Sent to <code>/v9',
  ]);
});
