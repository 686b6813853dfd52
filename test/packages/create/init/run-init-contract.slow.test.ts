import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../../../generator/cli/run.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { readTree, type Tree, writeTree } from '../../../output/tree.ts';
import { repository } from '../../../targets/emit-project.ts';
import { linkPackages } from '../../../cli/linked-project.ts';
import { writeAllHandlers } from '../scaffold/own-contract.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { isEveryTestRun } from '../../../some.ts';

const execute = promisify(execFile);

/** A contract of someone else: two webhooks whose header has only examples, and a call without credentials. */
const openapi = `openapi: 3.1.1
info: { title: Parcels, version: 2.1.0 }
servers: [{ url: https://parcels.example }]
paths:
  /parcels:
    get:
      operationId: listParcels
      responses:
        '200':
          description: The parcels.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } }
webhooks:
  parcel-sent:
    post:
      parameters: [{ name: X-Parcel-Event, in: header, required: true, schema: { type: string }, example: sent }]
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Parcel' }
            example: { id: p-1 }
      responses: { '200': { description: Received. } }
  parcel-lost:
    post:
      parameters: [{ name: X-Parcel-Event, in: header, required: true, schema: { type: string }, example: lost }]
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Parcel' }
            example: { id: p-2 }
      responses: { '200': { description: Received. } }
components:
  schemas:
    Parcel: { type: object, required: [id], properties: { id: { type: string } } }
`;

const asyncapi = `asyncapi: 3.0.0
info: { title: Parcels, version: 2.1.0 }
channels:
  depots:
    address: /depots
    messages:
      depotFull: { payload: { type: object, required: [depot], properties: { depot: { type: string } } } }
operations:
  onDepotFull: { action: send, channel: { $ref: '#/channels/depots' } }
`;

/** States the value of a header, and adds a webhook. */
const overlay = `overlay: 1.0.0
info: { title: Of the operator, version: 1.0.0 }
actions:
  - target: $.webhooks['parcel-lost'].post.parameters[0]
    update: { schema: { const: lost } }
  - target: $
    update:
      webhooks:
        parcel-found:
          post:
            parameters: [{ name: X-Parcel-Event, in: header, required: true, schema: { type: string }, example: found }]
            requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
            responses: { '200': { description: Received. } }
`;

/** Accepts every proposal. The contracts do not say how a delivery is authenticated, so nothing is proposed for that. */
const accepted = ['--yes', '--signature', 'shared-secret'];

async function init(
  tree: Tree,
  ...words: readonly string[]
): Promise<{ code: number | null; out: string; error: string; tree: Tree; folder: string }> {
  const folder = await temporaryFolder();
  await writeTree(folder, tree);
  const result = await runInProcess(folder, ['init', ...words]);
  return { ...result, tree: await readTree(folder), folder };
}

describe('init for a contract that exists', () => {
  it('writes a project whose receiver handles a delivery of each kind', async () => {
    const { code, out, error, tree, folder } = await init(
      { 'openapi.yaml': openapi, 'README.md': '# Mine\n' },
      '--contract',
      'openapi.yaml',
      ...accepted,
      '--scope',
      '@parcels',
    );
    expect(code, error).toBe(0);
    expect(out).toContain('created  overlays/openapi.yaml\n');
    expect(out).toContain('kept     README.md, which exists\n');
    expect(out).toMatch(/\nnext:\n {2}npm install\n {2}npm test\n$/u);
    expect(tree['README.md']).toBe('# Mine\n');
    expect(tree['openapi.yaml']).toBe(openapi);
    const { actions } = parse(tree['overlays/openapi.yaml'] ?? '') as { actions: object[] };
    expect(actions).toContainEqual({
      target: "$.webhooks['parcel-lost'].post",
      update: {
        'x-identified-by': [
          { '$request.header.X-Parcel-Event': { const: 'lost' } },
          { isListed: false },
        ],
      },
    });
    // Nothing unsafe is chosen: the receiver compares a secret, and no call gets credentials.
    expect(tree['apps/receiver/src/webhooks.ts']).toContain('authenticate: sharedSecret(');
    expect(tree['overlays/openapi.yaml']).not.toContain('security');

    expect(await runInProcess(folder, ['check', '--quiet'])).toMatchObject({ code: 0, out: '' });
    await linkPackages(folder, '@parcels');
    const node = ['--conditions=countersign-source', '--test', '--test-reporter=tap'];
    const application = join(folder, 'apps/receiver');
    const runTests = async (): Promise<string> =>
      (await execute(process.execPath, [...node, 'test/**/*.test.ts'], { cwd: application }))
        .stdout;
    const fresh = isEveryTestRun ? await runTests() : undefined;
    if (fresh !== undefined) {
      expect(fresh).toContain('# fail 0\n');
      expect(fresh).toMatch(/- takes parcelLost, .* # TODO not written yet: onParcelLost\n/u);
      expect(fresh).not.toMatch(/^(?:# )?2\d\d /mu);
    }
    expect(await writeAllHandlers(application)).toBe(5);
    const written = await runTests();
    expect(written).toContain('# fail 0\n');
    expect(written).toContain('# todo 0\n');
    expect(written).toMatch(/handled parcelLost/u);
  });

  it.runIf(isEveryTestRun)(
    'writes tests that skip the examples which violate their own schema',
    async () => {
      const { code, error, folder } = await init(
        { 'openapi.yaml': openapi.replace('{ id: p-2 }', '{ id: 7 }') },
        '--contract',
        'openapi.yaml',
        ...accepted,
        '--scope',
        '@parcels',
      );
      expect(code, error).toBe(0);
      expect(error).toContain('warning[invalid-example]');
      await linkPackages(folder, '@parcels');
      await writeAllHandlers(join(folder, 'apps/receiver'));
      const node = ['--conditions=countersign-source', '--test', '--test-reporter=tap'];
      const { stdout } = await execute(process.execPath, [...node, 'test/**/*.test.ts'], {
        cwd: join(folder, 'apps/receiver'),
      });
      expect(stdout).toMatch(
        /ok \d+ - takes parcelLost, .*# SKIP the example violates its own schema\n/u,
      );
      expect(stdout).toMatch(/ok \d+ - takes parcelSent, [^#\n]*\n/u);
      expect(stdout).toContain('# skipped 1\n');
      expect(stdout).toContain('# fail 0\n');
    },
  );

  it('names no next command where the application lists all that the code imports', async () => {
    const { code, out, error } = await init(
      {
        'openapi.yaml': openapi,
        'package.json': '{ "name": "shop", "dependencies": { "@types/node": "*" } }\n',
      },
      '--contract',
      'openapi.yaml',
      ...accepted,
      '--framework',
      'node',
    );
    expect(code, error).toBe(0);
    expect(out).toMatch(
      /\nMount `webhooks` of webhooks\.ts in the application: `createServer\(webhooks\)\.listen\(3000, '127\.0\.0\.1'\)`\.\n$/u,
    );
  });

  it.each<[string, Tree, string]>([
    ['npm moves them', {}, "npm install --save-prod 'express@^4.17.0 || ^5.0.0'"],
    [
      'a manager that keeps the list that has them',
      { 'yarn.lock': '__metadata:\n  version: 8\n' },
      'move from devDependencies to dependencies in package.json: express',
    ],
  ])('names packages that production would lack: %s', async (_, files, step) => {
    const { code, out, error } = await init(
      {
        'openapi.yaml': openapi,
        'package.json': JSON.stringify({
          type: 'module',
          dependencies: {},
          devDependencies: {
            '@types/node': '*',
            '@types/express': '*',
            express: '*',
          },
        }),
        ...files,
      },
      '--contract',
      'openapi.yaml',
      ...accepted,
      '--framework',
      'express',
    );
    expect(code, error).toBe(0);
    expect(out).toContain(`\nnext:\n  ${step}\n`);
  });

  it('proposes the header that the contract states for the proof', async () => {
    const stated = `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0 }
channels:
  parcels:
    address: /parcels
    messages: { shipped: { payload: { type: object, properties: { id: { type: string } } } } }
operations:
  tell:
    action: send
    channel: { $ref: '#/channels/parcels' }
    security: [{ $ref: '#/components/securitySchemes/proof' }]
components:
  securitySchemes: { proof: { type: httpApiKey, in: header, name: x-parcel-signature } }
`;
    const words = [
      '--contract',
      'a.yaml',
      '--yes',
      '--scope',
      '@parcels',
      '--signature',
      'hmac-hex',
    ];
    const { code, out, error, tree } = await init({ 'a.yaml': stated }, ...words);
    expect(code, error).toBe(0);
    expect(out).toContain('the header x-parcel-signature has the signature in hexadecimal');
    expect(tree['overlays/asyncapi.yaml']).toContain('name: x-parcel-signature\n');
  });

  it('adds to an application, and changes none of its files', async () => {
    const manifest = '{ "name": "shop", "dependencies": { "express": "^5.0.0" } }\n';
    const before = {
      'package.json': manifest,
      'api/o.yaml': openapi,
      'api/a.yaml': asyncapi,
      'src/app.ts': '',
    };
    const words = ['--contract', 'api/o.yaml', '--contract', 'api/a.yaml', '--yes'];
    const { code, out, error, tree, folder } = await init(
      before,
      ...words,
      '--signature',
      'hmac-hex-prefixed',
      '--signature-header',
      'X-Parcel-Signature',
      '--credentials',
      'api-key',
      '--credentials-header',
      'X-Parcel-Key',
    );
    expect(code, error).toBe(0);
    expect(tree).toMatchObject(before);
    expect(
      Object.keys(tree)
        .filter((path) => !path.startsWith('src/generated/'))
        .toSorted(),
    ).toEqual([
      'api/a.yaml',
      'api/o.yaml',
      'countersign.config.mts',
      'overlays/asyncapi.yaml',
      'overlays/openapi.yaml',
      'package.json',
      'src/app.ts',
      'src/webhooks.ts',
    ]);
    expect(tree['countersign.config.mts']).toContain("layout: 'folder'");
    expect(tree['countersign.config.mts']).toContain(
      "{ use: 'webhooks', inbox: ['sqlite'] } stores",
    );
    expect(tree['src/webhooks.ts']).toContain("from './generated/webhooks-express/index.js'");
    expect(tree['src/webhooks.ts']).toContain('authenticate: verifyWebhookSignature(');
    expect(tree['src/webhooks.ts']).toContain(
      'console.log(status, detail === undefined ? reason : `${reason} (${detail})`, id);',
    );
    expect(out).toContain(
      "Mount `webhooks` of src/webhooks.ts in the application: `app.use('/webhooks', webhooks)`, before body parsers.\n",
    );
    expect(out).toContain(
      'overlays/openapi.yaml and overlays/asyncapi.yaml say how a delivery is authenticated: the header X-Parcel-Signature has the signature as sha256=…. Change them if',
    );
    expect(out).not.toContain('as the contract states');
    expect(out).toContain('package.json has no `"type": "module"`');
    expect(out).toContain(
      "\nnext:\n  npm install --save-dev @types/express@5 '@types/node@>=18'\n",
    );
    const overlay = parse(tree['overlays/openapi.yaml'] ?? '') as {
      extends: string;
      actions: object[];
    };
    expect(overlay.extends).toBe('../api/o.yaml');
    expect(overlay.actions).toContainEqual({
      target: '$.webhooks.*.post',
      update: { security: [{ webhookSignature: [] }] },
    });
    expect(overlay.actions).toContainEqual({
      target: "$.paths['/parcels'].get",
      update: { security: [{ callCredentials: [] }] },
    });
    expect(tree['overlays/asyncapi.yaml']).toContain('type: httpApiKey');

    await mkdir(join(folder, 'node_modules'));
    await symlink(
      join(repository, 'node_modules/@countersign'),
      join(folder, 'node_modules/@countersign'),
    );
    expect(await runInProcess(folder, ['check', '--quiet'])).toMatchObject({ code: 0, out: '' });
  });

  it('asks what no option states, and takes the kinds from the header that is named', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'openapi.yaml': openapi });
    const asked: string[] = [];
    const answers = [
      'packages',
      '@acme',
      'none',
      'contract, webhooks',
      '',
      'header:X-Kind',
      '',
      '',
    ];
    const code = await run(['init', '--contract', 'openapi.yaml', '--quiet'], {
      folder,
      environment: {},
      outIsTerminal: false,
      errorIsTerminal: false,
      columns: 80,
      ask: async (prompt) => {
        asked.push(prompt);
        return answers[asked.length - 1];
      },
      out: () => undefined,
      error: () => undefined,
    });
    expect(code).toBe(0);
    expect(asked).toHaveLength(answers.length);
    const tree = await readTree(folder);
    expect(tree['countersign.config.ts']).toContain("scope: '@acme'");
    expect(tree['overlays/openapi.yaml']).toContain(
      '$request.header.X-Kind:\n            const: parcel-lost',
    );
    expect(Object.keys(tree).some((path) => path.startsWith('apps/'))).toBe(false);
  });
});

describe('overlays that exist', () => {
  it('are applied before what is asked and proposed, and before the overlay that is written', async () => {
    const words = [
      '--contract',
      'openapi.yaml',
      ...accepted,
      '--scope',
      '@parcels',
      '--framework',
      'none',
    ];
    const before = { 'openapi.yaml': openapi, 'overlays/openapi.yaml': overlay };
    const { code, out, error, tree, folder } = await init(
      before,
      ...words,
      '--overlay',
      'overlays/openapi.yaml',
    );
    expect(code, error).toBe(0);
    expect(tree).toMatchObject(before);
    expect(out).toContain('created  overlays/openapi-2.yaml\n');
    expect(out).toContain('\noverlays/openapi-2.yaml states what distinguishes');
    expect(tree['countersign.config.ts']).toMatch(
      /overlays: \['overlays\/openapi\.yaml', 'overlays\/openapi-2\.yaml'\]/u,
    );
    // The webhook that only the overlay has is one of those to distinguish.
    expect(tree['overlays/openapi-2.yaml']).toContain("$.webhooks['parcel-found'].post");
    expect(tree['generated/webhooks/src/events.ts']).toContain('parcelFound');
    expect(await runInProcess(folder, ['check', '--quiet'])).toMatchObject({ code: 0, out: '' });
  });

  it('state the proof of a delivery, so that none is asked for', async () => {
    const signed = `overlay: 1.0.0
info: { title: Signed, version: 1.0.0 }
extends: ../api/o.yaml
actions:
  - target: $
    update: { components: { securitySchemes: { hook: { type: apiKey, in: header, name: x-hook } } } }
  - target: $.webhooks.*.post
    update: { security: [{ hook: [] }] }
`;
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'api/o.yaml': openapi,
      'api/a.yaml': asyncapi,
      'given/s.yaml': signed,
    });
    const { code, out, error } = await runInProcess(folder, [
      'init',
      'shop',
      '--contract',
      'api/o.yaml',
      '--contract',
      'api/a.yaml',
      '--overlay',
      'given/s.yaml',
      '--contract-folder',
      '.',
      '--yes',
      '--scope',
      '@parcels',
      '--json',
    ]);
    expect(code, error).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ results: [{ signature: 'stated' }] });
    const tree = await readTree(join(folder, 'shop'));
    expect(tree['countersign.config.ts']).toContain("overlays: ['../given/s.yaml']");
    expect(tree['apps/receiver/src/webhooks.ts']).toMatch(/verify\w*Hook|sharedSecret/u);
  });
});

it('a contract of certificates needs no form of a signature, and says so', async () => {
  const what = 'the client certificate partnerCertificate';
  const verify = 'verifyPartnerCertificate';
  const secured = openapi
    .replaceAll('    post:\n', '    post:\n      security: [{ partnerCertificate: [] }]\n')
    .replace(
      'components:\n',
      'components:\n  securitySchemes: { partnerCertificate: { type: mutualTLS } }\n',
    );
  const words = ['--contract', 'o.yaml', '--framework', 'none', '--yes', '--scope', '@parcels'];
  const refused = await init({ 'o.yaml': secured }, ...words, '--signature', 'mutual-tls');
  expect(refused.code).toBe(2);
  const { out: help } = await runInProcess(refused.folder, ['init', '--help']);
  const [, listed = ''] = /prove\s+their\s+sender: ([^<]*?)\n\s+--/u.exec(help) ?? [];
  const forms = listed.split(/,\s+|\s+or\s+/u);
  expect(forms).toHaveLength(9);
  const [, named = ''] = /There are: ([^.]*)\./u.exec(refused.error) ?? [];
  expect(named.split(', ').toSorted()).toEqual(forms.toSorted());
  expect(refused.error).toContain(
    `This contract needs none: it states ${what}, which \`${verify}\` of the generated package verifies.`,
  );
  const { code, error, tree } = await init(
    { 'o.yaml': secured },
    ...words,
    '--signature',
    'stated',
  );
  expect(code, error).toBe(0);
  expect(tree['overlays/openapi.yaml']).not.toContain('security');
  expect(Object.values(tree).join('\n')).toContain(`function ${verify}(`);
});

describe('what init prints', () => {
  const stated = [
    '--contract',
    'openapi.yaml',
    '--yes',
    '--layout',
    'folder',
    '--framework',
    'koa',
  ];
  const words = [...stated, '--signature', 'shared-secret'];

  it('about kinds that the user leaves open is a line, and the warning with --verbose', async () => {
    const documents = { 'openapi.yaml': openapi };
    const { code, out, error } = await init(documents, ...words, '--kinds-by', 'none');
    expect({ code, error }).toEqual({
      code: 0,
      error:
        'contract: 2 notes (ambiguous-notifications, unstated-authentication; --verbose shows them)\n',
    });
    expect(out).toContain('\nNothing distinguishes 2 of 2 notifications, so their deliveries');
    expect(out).toContain('`countersign explain indistinct-notifications`');
    const verbose = await init(documents, ...words, '--kinds-by', 'none', '--verbose');
    expect(verbose.error).toContain('warning[indistinct-notifications]');
    for (const step of ['reading the contract', 'lowering the contract'])
      expect(verbose.error.split(`${step}\n`)).toHaveLength(2);
    const stated = await init(documents, ...words);
    expect(stated.out).not.toContain('Nothing distinguishes');
  });

  it.each<[string, Tree, string]>([
    [
      'imports for a build',
      { 'package.json': '{}' },
      "imports end in .js, which requires a build. For Node alone, run `npm pkg set type=module`, add `importExtension: '.ts'` to countersign.config.mts, run `countersign generate`, and let the import in webhooks.ts end in .ts.\n",
    ],
    [
      'the name of the configuration',
      {
        'package.json': '{ "type": "commonjs" }',
        'tsconfig.json': '{ "compilerOptions": { "allowImportingTsExtensions": true } }',
      },
      'so the configuration is countersign.config.mts. For Node alone, run `npm pkg set type=module`.\n',
    ],
    ['nothing with a build', { 'package.json': '{}', 'tsconfig.json': '{}' }, ''],
    ['nothing for ES modules', { 'package.json': '{ "type": "module" }' }, ''],
    ['nothing for a new package.json', {}, ''],
  ])('about a package.json without modules is %s', async (_, files, text) => {
    const { code, out, error } = await init({ 'openapi.yaml': openapi, ...files }, ...words);
    expect(code, error).toBe(0);
    const line = /^package\.json has no .*\n/mu.exec(out)?.[0] ?? '';
    expect(line.endsWith(text)).toBe(true);
    expect(line === '').toBe(text === '');
  });

  it('about a secret that is described as a signature names how to state the form', async () => {
    const secured = (description: string): Tree => ({
      'openapi.yaml': openapi
        .replaceAll('    post:\n', '    post:\n      security: [{ proof: [] }]\n')
        .replace(
          'components:\n',
          `components:\n  securitySchemes: { proof: { type: apiKey, in: header, name: x-proof, description: ${description} } }\n`,
        ),
    });
    const described = await init(secured('HMAC-SHA256 of the body'), ...stated);
    expect(described.code, described.error).toBe(0);
    expect(described.out).toContain(
      'The contract states that x-proof is a secret, and describes a signature. Deliveries that are signed would get 401: state the form with `x-signature` in an overlay, or remove what `init` wrote, and run it with `--signature <form> --signature-header x-proof`.\n',
    );
    const secret = await init(secured('Agreed with the sender'), ...stated);
    expect(secret.code, secret.error).toBe(0);
    expect(secret.out).not.toContain('describes a signature');
  });

  it('about a receiver that was kept says what it has to have', async () => {
    const { code, out, error, tree } = await init(
      { 'openapi.yaml': openapi, 'webhooks.ts': '// mine' },
      ...words,
    );
    expect(code, error).toBe(0);
    expect(tree['webhooks.ts']).toBe('// mine');
    expect(out).toMatch(
      /\nwebhooks\.ts was kept\. Its `authenticate` must be the result of `\w+` of/u,
    );
  });

  it('accepts an answer that adds nothing to a contract without the question', async () => {
    const answers = ['--kinds-by', 'contract', '--credentials', 'none'];
    const { code, error } = await init(
      { 'openapi.yaml': asyncapi },
      ...words,
      ...answers,
      '--perspective',
      'service',
    );
    expect(code, error).toBe(0);
  });

  it('about repetitions is a line, unless the contract states what makes two deliveries the same', async () => {
    const stating = (times: number): string => {
      let count = 0;
      return openapi.replaceAll('    post:\n', (line) => {
        count += 1;
        return count > times ? line : `${line}      x-dedupe-by: [$request.body#/id]\n`;
      });
    };
    const lines: string[] = [];
    for (const times of [0, 1, 2]) {
      const { code, out, error } = await init({ 'openapi.yaml': stating(times) }, ...words);
      expect(code, error).toBe(0);
      lines.push(/^The contract does not say which (.*), so/mu.exec(out)?.[1] ?? '');
    }
    expect(lines).toEqual([
      'deliveries are the same',
      'deliveries of 1 of 2 kinds are the same',
      '',
    ]);
  });
});

describe('nothing is written', () => {
  it.each<[string, Tree, readonly string[], number, RegExp]>([
    [
      'for a contract with errors',
      { 'o.yaml': openapi.replace("'200'", 'bad') + '  x: {\n' },
      ['--contract', 'o.yaml'],
      1,
      /error\[[^]*The contract has errors\. Correct them, then run `init` again\.\n$/u,
    ],
    [
      'where a configuration exists',
      { 'o.yaml': openapi, 'countersign.config.json': '{}' },
      ['--contract', 'o.yaml'],
      1,
      /countersign\.config\.json already\. Nothing was written\. Run `countersign generate`/u,
    ],
    [
      'where an overlay of that name exists',
      { 'o.yaml': openapi, 'overlays/openapi.yaml': 'mine' },
      ['--contract', 'o.yaml', '--scope', '@parcels', '--signature', 'shared-secret'],
      1,
      /overlays\/openapi\.yaml exists already\. Nothing was written/u,
    ],
    [
      'where package.json is invalid',
      { 'o.yaml': openapi, 'package.json': '{' },
      ['--contract', 'o.yaml'],
      1,
      /package\.json is not a JSON object/u,
    ],
    [
      'without a scope, which the title of the contract does not give',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml'],
      2,
      /Give --scope, --signature: nothing can be proposed for them\. Use a scope that your team owns, such as --scope @acme\. The contract does not say how a delivery is authenticated/u,
    ],
    [
      'with the scope of a package that the project needs',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--scope', '@types'],
      2,
      /@types has packages that the project needs/u,
    ],
    ['without the file', {}, ['--contract', 'o.yaml'], 1, /There is no file "o\.yaml"/u],
    [
      'for an address',
      {},
      ['--contract', 'https://example.com/o.yaml'],
      2,
      /is an address.*`countersign pull`/u,
    ],
    [
      'for two OpenAPI documents',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--contract', 'o.yaml'],
      2,
      /second OpenAPI document/u,
    ],
    [
      'for an unknown form',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--signature', 'hmac-hx'],
      2,
      /Did you mean "hmac-hex"\?/u,
    ],
    [
      'for an overlay among the documents',
      { 'o.yaml': openapi, 'x.yaml': overlay },
      ['--contract', 'o.yaml', '--contract', 'x.yaml'],
      2,
      /"x\.yaml" is an overlay, which changes a document\. Give it with --overlay\./u,
    ],
    [
      'for a document among the overlays',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--overlay', 'o.yaml'],
      2,
      /"o\.yaml" is not an overlay/u,
    ],
    [
      'for an overlay that selects nothing',
      { 'o.yaml': openapi, 'x.yaml': overlay.replace('parcel-lost', 'parcel-gone') },
      ['--contract', 'o.yaml', '--overlay', 'x.yaml'],
      1,
      /error\[overlay-target-not-found\]/u,
    ],
    [
      'for a proof that the contract does not state',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--signature', 'stated'],
      2,
      /does not say how a delivery is authenticated\. There are: shared-secret, hmac-hex, /u,
    ],
    [
      'an overlay without --contract',
      {},
      ['--overlay', 'x.yaml'],
      2,
      /--overlay requires --contract/u,
    ],
    [
      'for an option without use',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--signature-header', 'x'],
      2,
      /--signature-header has no use with the other answers\. Add `--signature <hmac-hex\|.*\|secret>`\.\n$/u,
    ],
    [
      'for a scope without packages',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--layout', 'folder', '--scope', '@a'],
      2,
      /--scope has no use with the other answers\. Add `--layout packages`\.\n$/u,
    ],
    [
      'for a header of credentials that have none',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--credentials-header', 'x'],
      2,
      /--credentials-header has no use .* Add `--credentials api-key`\.\n$/u,
    ],
    [
      'for the start of the name of a framework',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--framework', 'next'],
      2,
      /Did you mean "nextjs"\?/u,
    ],
    [
      'for kinds that the contract states',
      { 'o.yaml': openapi.replace('  parcel-lost:', '  x-other:') },
      ['--contract', 'o.yaml', '--kinds-by', 'header:x-parcel-event'],
      2,
      /--kinds-by has no use with this contract: it distinguishes its notifications\.\n$/u,
    ],
    [
      'for the signature of notifications that the contract does not have',
      { 'o.yaml': openapi.replace(/^webhooks:[^]*?(?=^components:)/mu, '') },
      ['--contract', 'o.yaml', '--signature', 'hmac-hex'],
      2,
      /--signature has no use with this contract: it has no notifications\.\n$/u,
    ],
    [
      'for credentials of calls that the contract does not have',
      { 'a.yaml': asyncapi },
      ['--contract', 'a.yaml', '--credentials', 'bearer'],
      2,
      /--credentials has no use with this contract: it has no calls, or declares their credentials\.\n$/u,
    ],
    [
      'for a header without a name',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--kinds-by', 'header'],
      2,
      /"header" has no name: write header:<name>, such as header:x-event\.\n$/u,
    ],
    [
      'for a member without a name',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--kinds-by', 'member:'],
      2,
      /"member" has no name: write member:<name>, such as member:type\.\n$/u,
    ],
    [
      'for an unknown target',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--target', 'clint'],
      2,
      /Did you mean "client"\?/u,
    ],
    [
      'for an output that leaves the folder',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--output', '../x'],
      2,
      /must be a folder of the project/u,
    ],
    [
      'with a title',
      { 'o.yaml': openapi },
      ['--contract', 'o.yaml', '--title', 'x'],
      2,
      /'--title <text>' cannot be used with option '--contract <file>'/u,
    ],
    ['without --contract', {}, ['--kinds-by', 'path'], 2, /--kinds-by requires --contract/u],
  ])('%s', async (_, before, words, code, text) => {
    const result = await init(before, ...words, '--yes');
    expect({ code: result.code, out: result.out }).toEqual({ code, out: '' });
    expect(result.error).toMatch(text);
    expect(result.tree).toEqual(before);
  });

  it('without a terminal to ask at: the options are named', async () => {
    const { code, error, tree } = await init(
      { 'o.yaml': openapi },
      '--contract',
      'o.yaml',
      '--layout',
      'folder',
    );
    expect(code).toBe(2);
    expect(error).toMatch(
      /Give --signature, and also --framework, --target, --output, --kinds-by, --credentials, or --yes/u,
    );
    expect(tree).toEqual({ 'o.yaml': openapi });
  });
});

it('names the option for a contract whose references leave the folder of its document', async () => {
  const files = {
    'api/openapi.yaml': openapi.replace(
      "'#/components/schemas/Parcel' } } } }",
      '../common/parcel.yaml } } } }',
    ),
    'common/parcel.yaml': 'type: object\nrequired: [id]\nproperties: { id: { type: string } }\n',
  };
  const words = ['--contract', 'api/openapi.yaml', ...accepted, '--layout', 'folder'];
  const refused = await init(files, ...words);
  expect([refused.code, refused.tree]).toEqual([1, files]);
  expect(refused.error).toContain('--contract-folder');
  const { code, tree } = await init(files, ...words, '--contract-folder', '.');
  expect(code).toBe(0);
  expect(JSON.stringify(tree)).toContain("folder: '.'");
  expect(tree['countersign.config.ts']).toMatch(
    /For Node 20, compile.*\n {2}importExtension: '\.ts'/u,
  );
  expect((await init({}, '--contract-folder', '.')).error).toContain(
    '--contract-folder requires --contract.',
  );
});

it('generate names the one next command in a folder with documents', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.yaml': openapi,
    'events.yml': asyncapi,
    'notes.yaml': 'a: 1\n',
  });
  const { code, error } = await runInProcess(folder, ['generate']);
  expect(code).toBe(2);
  expect(error).toContain(
    'Run `countersign init --contract openapi.yaml --contract events.yml` to write one',
  );
});

it('keeps what is written where the receiver cannot be, and says the next command', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'o.yaml': openapi, 'apps/receiver/package.json': '{}\n' });
  const { code, out, error } = await runInProcess(folder, [
    'init',
    '--contract',
    'o.yaml',
    ...accepted,
    '--scope',
    '@parcels',
  ]);
  expect(code).toBe(1);
  expect(error).toContain('package.json');
  expect(out).toMatch(
    /next:\n {2}npm install\n {2}countersign scaffold node apps\/receiver --authenticate shared-secret\n$/u,
  );
  expect(await readFile(join(folder, 'apps/receiver/package.json'), 'utf8')).toBe('{}\n');
  expect(await runInProcess(folder, ['check', '--quiet'])).toMatchObject({ code: 0 });
});
