import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readContract } from '../../../generator/generate.ts';
import { hashOf } from '../../../packages/pull/src/pull-documents.ts';
import { lockName, type PullLock } from '../../../packages/pull/src/pull-lock.ts';
import { serveDocuments, type DocumentServer } from './document-server.ts';
import type { Run } from '../../cli/project.ts';
import { runInProcess } from '../../cli/run-in-process.ts';

let folder: string;
let server: DocumentServer;
let other: DocumentServer;

const openapi = (reference: string): string => `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 } # as its author writes it
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200':
          description: The orders.
          content:
            application/json:
              schema: { $ref: ${reference} }
`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-pull-'));
  other = await serveDocuments({
    '/common/money.json': '{"type":"object","properties":{"cents":{"type":"integer"}}}',
  });
  server = await serveDocuments({
    '/api/openapi.yaml': openapi('schemas/Order.yaml#/Order'),
    '/api/schemas/Order.yaml': `Order:
  type: object
  properties:
    total: { $ref: '${other.origin}/common/money.json' }
    next: { $ref: '#/Order' }
    shop: { $ref: ../../shared/Shop }
`,
    '/shared/Shop': 'type: string\n',
  });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const pull = (...parameters: readonly string[]): Promise<Run> =>
  runInProcess(folder, ['pull', ...parameters, '--allow-private']);
const pullApi = (...parameters: readonly string[]): Promise<Run> =>
  pull(`${server.origin}/api/openapi.yaml`, ...parameters);
const read = (file: string): Promise<string> => readFile(join(folder, 'contract', file), 'utf8');
const readLock = async (): Promise<PullLock> => JSON.parse(await read(lockName)) as PullLock;

/** Every file below the folder with its text. */
async function tree(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const;
      }),
    ),
  );
}

describe('pull', () => {
  test('writes a contract, what it refers to, and a lock file', async () => {
    const { code, out } = await pullApi();
    expect(code).toBe(0);
    const names = (await readdir(join(folder, 'contract'), { recursive: true })).toSorted();
    const away = `127.0.0.1_${other.port}.pulled`;
    const near = `127.0.0.1_${server.port}.pulled`;
    expect(names).toEqual(
      [
        away,
        `${away}/common.pulled`,
        `${away}/common.pulled/money.pulled.json`,
        near,
        `${near}/shared.pulled`,
        `${near}/shared.pulled/Shop.pulled.yaml`,
        lockName,
        'openapi.pulled.yaml',
        'schemas.pulled',
        'schemas.pulled/Order.pulled.yaml',
      ].toSorted(),
    );
    expect(out).toContain('created  contract/openapi.pulled.yaml  from http://127.0.0.1:');
    expect(out).toContain('pulled: 4 documents, 4 changed');
    expect(await read('openapi.pulled.yaml')).toBe(
      openapi('"./schemas.pulled/Order.pulled.yaml#/Order"'),
    );
    expect(await read('schemas.pulled/Order.pulled.yaml')).toBe(`Order:
  type: object
  properties:
    total: { $ref: "../${away}/common.pulled/money.pulled.json" }
    next: { $ref: '#/Order' }
    shop: { $ref: "../${near}/shared.pulled/Shop.pulled.yaml" }
`);
    const lock = await readLock();
    expect(lock.entries).toEqual([`${server.origin}/api/openapi.yaml`]);
    expect(lock.documents.map(({ file }) => file)).toEqual(
      names.filter((name) => /\.(?:yaml|json)$/u.test(name) && name !== lockName),
    );
    for (const { file, url, sha256, fileSha256, date } of lock.documents) {
      const answers = url.startsWith(other.origin) ? other.answers : server.answers;
      expect(sha256).toBe(hashOf(Buffer.from(String(answers[new URL(url).pathname]))));
      expect(fileSha256 ?? sha256).toBe(hashOf(Buffer.from(await read(file))));
      expect(new Date(date).toISOString()).toBe(date);
    }
  });

  test('leaves a contract that is read without the network', async () => {
    await pullApi();
    await server[Symbol.asyncDispose]();
    const config = {
      output: 'generated',
      targets: [],
      contract: { openapi: 'contract/openapi.pulled.yaml' },
    };
    const { contract, diagnostics } = await readContract(config, folder);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(contract?.operations.map(({ name }) => name)).toEqual(['listOrders']);
    expect(contract?.schemas.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Order', 'Shop']),
    );
  });

  test('fetches each document once, and changes nothing where nothing is newer', async () => {
    await pullApi();
    expect(server.requests.map(({ path }) => path).toSorted()).toEqual(
      Object.keys(server.answers).toSorted(),
    );
    const before = await tree();
    const { code, out } = await pull();
    expect({ code, out }).toEqual({ code: 0, out: 'pulled: up to date (4 documents)\n' });
    expect(await tree()).toEqual(before);
  });

  test('replaces what is newer, and removes what nothing refers to any more', async () => {
    await pullApi();
    const before = await readLock();
    server.answers['/api/openapi.yaml'] = openapi('../shared/Shop');
    const { code, out } = await pull();
    expect(code).toBe(0);
    expect(out).toContain('updated  contract/openapi.pulled.yaml');
    expect(out).toContain('removed  contract/schemas.pulled/Order.pulled.yaml');
    const after = await readLock();
    expect(after.documents).toHaveLength(2);
    const shop = after.documents.find(({ url }) => url.endsWith('/Shop'));
    expect(before.documents).toContainEqual(shop);
    expect(Object.keys(await tree())).toHaveLength(3);
  });

  describe('reports what a newer version changes, as diff does', () => {
    const changed = openapi('schemas/Order.yaml#/Order').replace(
      'operationId: listOrders',
      'operationId: listOrders\n      deprecated: true\n      parameters: [{ name: shop, in: query, required: true, schema: { type: string } }]',
    );

    test('as text', async () => {
      await pullApi();
      server.answers['/api/openapi.yaml'] = changed;
      const { code, out, error } = await pull();
      expect({ code, error }).toEqual({ code: 0, error: '' });
      expect(out).toMatch(/^updated {2}contract\/openapi\.pulled\.yaml {2}from /u);
      expect(out).toContain('pulled: 4 documents, 1 changed\n');
      expect(out).toMatch(/breaking .* listOrders/u);
      expect(out).toContain('breaking for deployed callers: 1');
      expect((await pull()).out).toBe('pulled: up to date (4 documents)\n');
    });

    test('in a document that it refers to', async () => {
      await pullApi();
      server.answers['/shared/Shop'] = 'type: integer\n';
      const { out } = await pull();
      expect(out).toContain('schema Shop');
    });

    test('as Markdown, and nothing else', async () => {
      await pullApi();
      server.answers['/api/openapi.yaml'] = changed;
      const { out, error } = await pull('--markdown');
      expect(out).toMatch(/^### Contract: 1 breaking change\n/u);
      expect(error).toContain('pulled: 4 documents, 1 changed');
      expect(await pull('--markdown')).toMatchObject({ out: '' });
    });

    test('as JSON', async () => {
      await pullApi();
      server.answers['/api/openapi.yaml'] = changed;
      const { out } = await pull('--json');
      expect(JSON.parse(out)).toMatchObject({ ok: true, differences: [{ breaking: 1 }] });
    });

    test('with the overlays and severities of the configuration', async () => {
      const optional = changed
        .replace('required: true', 'required: false')
        .replace('deprecated: true', 'deprecated: false');
      server.answers['/api/openapi.yaml'] = optional;
      await pullApi();
      const overlay = {
        overlay: '1.0.0',
        info: { title: 'Ours', version: '1' },
        actions: [
          { target: "$..parameters[?@.name == 'shop']", update: { required: false } },
          { target: '$.paths', update: { '/own': { get: { responses: {} } } } },
        ],
      };
      await writeFile(join(folder, 'overlay.yaml'), JSON.stringify(overlay));
      const reason = 'Ours are replaced at once';
      const configuration = {
        contract: { openapi: 'contract/openapi.pulled.yaml', overlays: ['overlay.yaml'] },
        scope: '@acme',
        output: 'generated',
        targets: ['contract'],
        diff: { severities: [{ code: 'deprecated', severity: 'breaking', reason }] },
      };
      await writeFile(join(folder, 'countersign.config.json'), JSON.stringify(configuration));
      server.answers['/api/openapi.yaml'] = changed;
      const { out } = await pull();
      // The overlay keeps the parameter optional; the severity makes breaking what is deprecated.
      expect(out).toContain('breaking for deployed callers: 0');
      expect(out).toContain(`breaking by the configuration: ${reason}`);
      expect(out).not.toContain('/own');
    });

    test('and says why a configuration is not used', async () => {
      await pullApi();
      await writeFile(join(folder, 'countersign.config.json'), '{ "contract":');
      server.answers['/api/openapi.yaml'] = changed;
      const { code, out, error } = await pull();
      expect(code).toBe(0);
      expect(out).toContain('breaking');
      expect(error).toMatch(
        /^The documents are compared without the configuration countersign\.config\.json\. /u,
      );
    });

    test('and has no word about a configuration that is not there', async () => {
      await pullApi();
      server.answers['/api/openapi.yaml'] = changed;
      expect((await pull()).error).toBe('');
    });

    test('and does not fail for what cannot be compared', async () => {
      server.answers['/only.yaml'] = openapi('shared/Shop');
      await pull(`${server.origin}/only.yaml`);
      for (const [text, message] of [
        ['type: integer', 'The head has errors and cannot be compared.'],
        ['overlay: 1.0.0', 'only.pulled.yaml is not compared: '],
      ] as const) {
        server.answers['/only.yaml'] = text;
        const after = await pull();
        expect(after.code).toBe(0);
        expect(after.out).toContain(message);
      }
    });
  });

  test('adds a second contract to the lock file', async () => {
    server.answers['/events.json'] = '{"asyncapi":"3.0.0","x":{"$ref":"shared/Shop"}}';
    await pullApi();
    await pull(`${server.origin}/events.json`);
    expect((await readLock()).entries).toHaveLength(2);
    // Documents that are in the lock file keep their files.
    expect(await read('events.pulled.json')).toContain(
      `./127.0.0.1_${server.port}.pulled/shared.pulled/Shop.pulled.yaml`,
    );
  });

  test('writes what a document names under names that no tool acts on', async () => {
    const names = [
      'package.json',
      'tsconfig.json',
      'countersign.config.json',
      'countersign.pull.json',
      '.npmrc',
      '.github/workflows/a.yml',
      'node_modules/a/package.json',
      'Makefile',
      'pnpm-workspace.yaml',
    ];
    const schemas = names.map((name, index) => `    S${index}: { $ref: './${name}#/x' }\n`);
    server.answers['/api/openapi.yaml'] = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths: {}
components:
  schemas:
${schemas.join('')}`;
    for (const name of names)
      server.answers[`/api/${name}`] = '{"scripts":{"postinstall":"exit 1"},"x":{"type":"string"}}';
    const { code, error } = await pullApi('--to', '.');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const written = Object.keys(await tree()).filter((name) => name !== lockName);
    expect(written).toHaveLength(names.length + 1);
    for (const path of written)
      expect(path).toMatch(/^(?:[\w.-]+\.pulled\/)*[\w.-]+\.pulled\.(?:ya?ml|json)$/u);
    const { contract, diagnostics } = await readContract(
      { output: 'generated', targets: [], contract: { openapi: 'openapi.pulled.yaml' } },
      folder,
    );
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(contract?.schemas).not.toHaveLength(0);
  });

  test('names schemas after their documents, without the mark of pulled documents', async () => {
    const ref = (name: string): string => `{ $ref: './${name}.json' }`;
    server.answers['/api/openapi.yaml'] = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Cat: ${ref('Cat')}
    Pet:
      oneOf: [${ref('Cat')}, ${ref('Dog')}]
      discriminator: { propertyName: kind, mapping: { cat: Cat.json, dog: ./Dog.json } }
`;
    const pet = '{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}}}';
    server.answers['/api/Cat.json'] = pet;
    server.answers['/api/Dog.json'] = pet.replace(
      '"kind":{',
      '"barks":{"type":"boolean"},"kind":{',
    );
    await pullApi();
    const { contract, diagnostics } = await readContract(
      { output: 'generated', targets: [], contract: { openapi: 'contract/openapi.pulled.yaml' } },
      folder,
    );
    expect(diagnostics).toEqual([]);
    expect(contract?.schemas.map(({ name }) => name).toSorted()).toEqual(['Cat', 'Dog', 'Pet']);
    expect(await read('openapi.pulled.yaml')).toContain(
      'mapping: { cat: "./Cat.pulled.json", dog: "./Dog.pulled.json" }',
    );
  });

  test('gives documents of a lock file with other names new ones, and says so', async () => {
    await pullApi();
    const lock = await readLock();
    const old = 'package.json';
    const entry = lock.documents.find(({ file }) => file === 'openapi.pulled.yaml');
    const documents = lock.documents.map((document) =>
      document === entry ? { ...document, file: old } : document,
    );
    await rename(join(folder, 'contract/openapi.pulled.yaml'), join(folder, 'contract', old));
    await writeFile(
      join(folder, 'contract', lockName),
      JSON.stringify({ version: 1, entries: lock.entries, documents }),
    );
    const { code, out } = await pull();
    expect(code).toBe(0);
    expect(out).toContain('created  contract/openapi.pulled.yaml');
    expect(out).toContain(`removed  contract/${old}`);
    expect(out).toContain('names that end in .pulled');
    expect((await readLock()).documents).toEqual(lock.documents);
    expect((await pull()).out).toBe('pulled: up to date (4 documents)\n');
  });

  test('follows redirects, from which relative references are resolved', async () => {
    server.answers['/latest'] = (response) => {
      response.writeHead(302, { location: '/api/openapi.yaml?signature=hidden' }).end();
    };
    server.answers['/api/openapi.yaml?signature=hidden'] = openapi('schemas/Order.yaml#/Order');
    const { code, out, error } = await pull(`${server.origin}/latest`);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(await read('latest.pulled.yaml')).toContain(
      '$ref: "./api.pulled/schemas.pulled/Order.pulled.yaml#/Order"',
    );
    expect(out + (await read(lockName))).not.toContain('hidden');
  });
});

describe('pull --check', () => {
  test('lists what is newer, exits with 1, and writes nothing', async () => {
    await pullApi();
    expect(await pull('--check')).toMatchObject({
      code: 0,
      out: 'pulled: up to date (4 documents)\n',
    });
    const before = await tree();
    server.answers['/shared/Shop'] = 'type: [string, "null"]\n';
    const { code, out } = await pull('--check');
    expect(code).toBe(1);
    expect(out)
      .toBe(`updated  contract/127.0.0.1_${server.port}.pulled/shared.pulled/Shop.pulled.yaml  from ${server.origin}/shared/Shop
newer: 1 of 4 documents; run \`countersign pull\`
`);
    expect(await tree()).toEqual(before);
    const json = await pull('--check', '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      changes: [{ change: 'updated', url: `${server.origin}/shared/Shop` }],
    });
  });

  test('requires what was pulled before', async () => {
    expect(await pull('--check')).toMatchObject({ code: 2 });
    await pullApi();
    expect(await pull(`${server.origin}/other.yaml`, '--check')).toMatchObject({ code: 2 });
  });
});

describe('credentials', () => {
  const credential = 'Bearer very-secret';
  const withHeader = (...parameters: readonly string[]): Promise<Run> =>
    runInProcess(
      folder,
      ['pull', ...parameters, '--allow-private', '--header-env', 'Authorization=TOKEN'],
      { TOKEN: credential },
    );

  test('are sent to the host of the URL alone, and written nowhere', async () => {
    server.answers['/api/away.yaml'] = (response) => {
      response.writeHead(302, { location: `${other.origin}/common/money.json` }).end();
    };
    const run = await withHeader(`${server.origin}/api/openapi.yaml`);
    expect(run.code).toBe(0);
    await rm(join(folder, 'contract'), { recursive: true });
    await withHeader(`${server.origin}/api/away.yaml`);
    expect(server.requests.length).toBeGreaterThan(3);
    for (const { headers } of server.requests) expect(headers.authorization).toBe(credential);
    expect(other.requests).toHaveLength(2);
    for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
    expect(JSON.stringify([await tree(), run])).not.toContain('very-secret');
  });

  test('are sent to nobody whom the lock file names alone', async () => {
    await pullApi();
    const lock = await readLock();
    const added = {
      ...lock,
      version: 1,
      entries: [...lock.entries, `${other.origin}/common/money.json`],
    };
    await writeFile(join(folder, 'contract', lockName), JSON.stringify(added));
    const [before, beforeOther] = [server.requests.length, other.requests.length];
    const { code, error } = await withHeader();
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringContaining('--header-env requires the URL'),
    });
    expect([server.requests.length, other.requests.length]).toEqual([before, beforeOther]);
    expect(await withHeader(`${server.origin}/api/openapi.yaml`)).toMatchObject({ code: 0 });
    expect(await withHeader(`${server.origin}/api/openapi.yaml`, '--check')).toMatchObject({
      code: 0,
    });
    expect(
      server.requests.slice(before).every(({ headers }) => headers.authorization === credential),
    ).toBe(true);
    expect(other.requests.length).toBeGreaterThan(beforeOther);
    for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
  });

  test('in a URL are used, and neither shown nor written', async () => {
    const address = server.origin.replace('//', '//reader:pass%20word@');
    const run = await pull(`${address}/api/openapi.yaml`);
    const failing = await pull(`${address}/missing.yaml`);
    expect(run.code).toBe(0);
    expect(server.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('reader:pass word').toString('base64')}`,
    );
    expect(failing.error).toContain(`${server.origin}/missing.yaml answers 404`);
    expect(JSON.stringify([await tree(), run, failing])).not.toMatch(/reader|pass/u);
  });

  test.each([
    'token',
    'access_token',
    'X-Amz-Signature',
    'api-key',
    'sig',
    'accesstoken',
    'sessionId',
    'code',
    'X-Amz-Credential',
    'auth.code',
    'pwd',
    'user.pass',
    'Authorization',
    'subscriptionKey',
    'otp',
    'passphrase',
  ])('in the query are refused: %s', async (name) => {
    const { code, error } = await pull(`${server.origin}/api/openapi.yaml?${name}=hidden`);
    expect(code).toBe(2);
    expect(error).toContain(name);
    expect(error).not.toContain('hidden');
    expect(server.requests).toEqual([]);
  });

  test('that are not in the environment are an error', async () => {
    const { code, error } = await pullApi('--header-env', 'authorization=MISSING');
    expect({ code, error }).toMatchObject({ code: 1, error: expect.stringContaining('MISSING') });
  });
});

describe('a pull that fails changes nothing', () => {
  const huge = 40_000_000;
  type Change = () => unknown;
  test.each<[title: string, change: Change, message: string]>([
    ['a missing document', () => delete server.answers['/shared/Shop'], 'answers 404'],
    [
      'a page in HTML',
      () => (server.answers['/shared/Shop'] = '<!DOCTYPE html><p>Sign in</p>'),
      'Use the address of the file itself',
    ],
    ['a text', () => (server.answers['/shared/Shop'] = 'just words'), 'is not a document'],
    ['a syntax error', () => (server.answers['/shared/Shop'] = 'a: [1'), '(line 1)'],
    [
      'bytes other than text',
      () => (server.answers['/shared/Shop'] = (response) => void response.end(Buffer.from([0xff]))),
      'is not UTF-8 text',
    ],
    [
      'too many bytes',
      () => (server.answers['/shared/Shop'] = `# ${'x'.repeat(huge)}\na: 1`),
      'has more than',
    ],
    [
      'compressed bytes',
      () =>
        (server.answers['/shared/Shop'] = (response) => {
          response.setHeader('content-encoding', 'gzip').end(gzipSync('type: string'));
        }),
      'content encoding `gzip`',
    ],
    [
      'a connection that ends',
      () => (server.answers['/shared/Shop'] = (response) => void response.socket?.destroy()),
      'cannot be fetched',
    ],
    [
      'an incomplete document',
      () =>
        (server.answers['/shared/Shop'] = (response) => {
          response.writeHead(200, { 'content-length': '100' }).write('type: ');
          setTimeout(() => response.socket?.destroy(), 20);
        }),
      'cannot be fetched',
    ],
    [
      'a circle of redirects',
      () =>
        (server.answers['/shared/Shop'] = (response) =>
          void response.writeHead(302, { location: '/shared/Shop' }).end()),
      'redirects more than 5 times',
    ],
    [
      'a redirect to another scheme',
      () =>
        (server.answers['/shared/Shop'] = (response) =>
          void response.writeHead(302, { location: 'file:///etc/passwd' }).end()),
      'has the scheme `file:`',
    ],
    [
      'an edited file',
      async () => {
        await writeFile(join(folder, 'contract/openapi.pulled.yaml'), 'edited: true\n');
        server.answers['/api/openapi.yaml'] = openapi('schemas/Order.yaml#/Order').toUpperCase();
      },
      'was edited after it was pulled',
    ],
    [
      'a lock file that leaves the folder',
      async () => {
        const lock = await read(lockName);
        await writeFile(
          join(folder, 'contract', lockName),
          lock.replace('"schemas.pulled/Order.pulled.yaml"', '"../../Order.yaml"'),
        );
      },
      'is not a path below its folder',
    ],
    [
      'a link out of the folder',
      async () => {
        await rm(join(folder, 'contract/schemas.pulled'), { recursive: true });
        await mkdir(join(folder, 'elsewhere'));
        await symlink(join(folder, 'elsewhere'), join(folder, 'contract/schemas.pulled'));
      },
      'schemas.pulled is not a folder',
    ],
  ])('%s', async (_, change, message) => {
    await pullApi();
    server.answers['/api/openapi.yaml'] = `${openapi('schemas/Order.yaml#/Order')}# newer\n`;
    await change();
    const before = await tree();
    const { code, error, out } = await pull();
    expect(error).toContain(message);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(await tree()).toEqual(before);
  });

  test('a file that is not of pull', async () => {
    await mkdir(join(folder, 'contract/schemas.pulled'), { recursive: true });
    await writeFile(join(folder, 'contract/schemas.pulled/Order.pulled.yaml'), 'mine: true\n');
    const before = await tree();
    const { code, error } = await pullApi();
    expect({ code, error }).toMatchObject({
      code: 1,
      error: expect.stringContaining('did not write'),
    });
    expect(await tree()).toEqual(before);
  });

  test('a document that does not end', async () => {
    server.answers['/shared/Shop'] = (response) => void response.write('type: ');
    const { code, error } = await pullApi('--timeout-ms', '300');
    expect({ code, error }).toMatchObject({
      code: 1,
      error: expect.stringContaining('was not received in time'),
    });
    expect(await tree()).toEqual({});
  });

  test('a document that refers to ever more documents', async () => {
    const answers = server.answers;
    const chain = (index: number) => (response: { end: (text: string) => unknown }) => {
      answers[`/chain/${index + 1}`] = chain(index + 1);
      response.end(`$ref: ./${index + 1}\n`);
    };
    answers['/chain/0'] = chain(0);
    const { code, error } = await pull(`${server.origin}/chain/0`);
    expect({ code, error }).toMatchObject({
      code: 1,
      error: expect.stringContaining('is behind more than 30 references'),
    });
    expect(await tree()).toEqual({});
  });
});

describe('private addresses', () => {
  const refuse = async (url: string): Promise<string> => {
    const { code, error } = await runInProcess(folder, ['pull', url]);
    expect(code).toBe(1);
    expect(await tree()).toEqual({});
    return error;
  };

  test.each([
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0177.0.0.1/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/x',
  ])('are refused: %s', async (url) => {
    expect(await refuse(url)).toMatch(/leads to \S+, which is not an address of the internet/u);
  });

  test('and HTTP without TLS are refused, unless they are asked for', async () => {
    expect(await refuse(`${server.origin}/api/openapi.yaml`)).toContain('without TLS');
    expect(server.requests).toEqual([]);
  });

  test('are not reached through a proxy', async () => {
    const environment = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: server.origin };
    const parameters = ['pull', 'https://api.example.com/openapi.yaml'];
    const { code, error } = await runInProcess(folder, parameters, environment);
    expect({ code, error }).toMatchObject({
      code: 1,
      error: expect.stringContaining('through the proxy of HTTPS_PROXY'),
    });
    expect(server.requests).toEqual([]);
  });
});

test.each([
  ['warning', 'version: 1.0.0 }'],
  ['error', 'version: 1.0.0, x-countersign: 1 }'],
])('generate fetches nothing, and its %s names pull', async (severity, info) => {
  await mkdir(join(folder, 'contract'));
  const text = openapi(`${other.origin}/common/money.json`).replace('version: 1.0.0 }', info);
  await writeFile(join(folder, 'contract/openapi.yaml'), text);
  const config = {
    output: 'generated',
    targets: [],
    contract: { openapi: 'contract/openapi.yaml' },
  };
  const { diagnostics } = await readContract(config, folder);
  expect(diagnostics.find(({ code }) => code === 'remote-reference')).toMatchObject({
    severity,
    help: expect.stringContaining('countersign pull'),
  });
  expect(other.requests).toEqual([]);
});

test('a URL of another scheme, or none, is misuse', async () => {
  for (const source of ['file:///etc/passwd', 'ftp://example.com/x', 'contract/openapi.yaml'])
    expect(await pull(source)).toMatchObject({ code: 2 });
  expect(await pull()).toMatchObject({ code: 2 });
});

test('a user name that is not percent-encoded is refused, and not shown', async () => {
  const { code, out, error } = await runInProcess(folder, [
    'pull',
    'https://user:hush%zz@api.example.com/openapi.yaml',
  ]);
  expect(code).toBe(2);
  expect(error).toContain('The user name or password of the URL has a `%`');
  expect(out + error).not.toContain('hush');
});
