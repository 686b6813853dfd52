import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  describeSecrets,
  secretForTests,
} from '../../../generator/targets/printing/secret-code.ts';
import type {
  TestingModule,
  WebhooksModule,
} from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { emitFiles } from '../emit-project.ts';
import { compile } from '../compile.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import {
  defaultAuthentication,
  planAuthentication,
} from '../../../packages/create/src/scaffold/authentication.ts';
import type { Authentication } from '../../../packages/runtime/webhooks/receiver.ts';
import { toNodeHandler } from '../../../packages/runtime/webhooks/node.ts';
import { listen } from '../../packages/runtime/webhooks/listen.ts';
import { carrySecret } from '../../../packages/simulator/src/sending/secret-places.ts';
import { proofsOf } from '../../../generator/contract/authentication.ts';
import { completeContract } from '../../../generator/contract/complete.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { readAsyncapi, readOpenapi } from '../client/emit-client.ts';
import { generateWebhooks } from '../webhooks/emit-webhooks.ts';

const key = (name: string): object => ({ type: 'httpApiKey', in: 'header', name });

const signed = {
  ...key('X-Signed'),
  'x-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'secret', encoding: 'utf-8' },
    over: ['$request.body'],
    encoding: 'hex',
  },
};

/** A contract whose notification has the security of its operation and, where given, of its server. */
function readDoors(
  operation: readonly string[],
  server: readonly string[] = [],
): Promise<Contract> {
  const refer = (names: readonly string[]): readonly object[] =>
    names.map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));
  return readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Doors', version: '1.0.0', 'x-countersign': 1 },
    servers: {
      bell: {
        host: 'bell.example',
        protocol: 'https',
        ...(server.length === 0 ? {} : { security: refer(server) }),
      },
    },
    channels: {
      doors: {
        address: '/doors',
        messages: {
          opened: { payload: { type: 'object' }, examples: [{ name: 'one', payload: {} }] },
        },
      },
    },
    operations: {
      tell: { action: 'send', channel: { $ref: '#/channels/doors' }, security: refer(operation) },
    },
    components: {
      securitySchemes: {
        seal: key("X-Seal'*/"),
        stamp: key('X-Stamp'),
        ticket: { type: 'httpApiKey', in: 'query', name: 'ticket' },
        segment: { ...key('ignored'), 'x-in-path': true },
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
        biscuit: { type: 'httpApiKey', in: 'cookie', name: 'biscuit' },
        granted: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: 'https://a.example/token', availableScopes: {} },
          },
        },
        known: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/id' },
        ...(operation.includes('signed') ? { signed } : {}),
      },
    },
  });
}

test.each([
  [['seal'], [], ['verifySeal']],
  [['seal', 'stamp'], [], ['verifySeal', 'verifyStamp']],
  [[], ['stamp'], ['verifyStamp']],
  [['segment'], [], ['verifySegment']],
  // One alone would be weaker than the contract.
  [['seal'], ['stamp'], []],
  [['ticket', 'bearer', 'signed'], [], ['verifyTicket', 'verifyBearer']],
  [[], [], []],
])(
  'of an operation with %j and a server with %j, secrets are %j',
  async (operationSchemes, server, names) => {
    const contract = await readDoors(operationSchemes, server);
    expect(describeSecrets(contract).map(({ verify }) => verify)).toEqual(names);
    expect(contract.authentication.isNone).toBe(operationSchemes.length + server.length === 0);
  },
);

test('one notification without authentication does not make a contract without', async () => {
  const [none, seal] = [await readDoors([]), await readDoors(['seal'])];
  const notifications = [...none.notifications, ...seal.notifications];
  expect(completeContract(none).authentication.isNone).toBe(true);
  expect(completeContract({ ...none, notifications }).authentication.isNone).toBe(false);
  expect(completeContract({ ...none, notifications: [] }).authentication.isNone).toBe(false);
});

test.each([
  [{ security: [] }, true],
  [{}, false],
])(
  'of an OpenAPI webhook with %j, an empty list of its own states it: %s',
  async (operation, states) => {
    const contract = await readOpenapi({
      openapi: '3.1.0',
      info: { title: 'Doors', version: '1.0.0' },
      webhooks: {
        opened: { post: { ...operation, responses: { 200: { description: 'Taken.' } } } },
      },
    });
    expect(contract.authentication.isNone).toBe(states);
  },
);

test('a package with secrets alone compiles, and its README has the strategy', async () => {
  const contract = await readDoors(['seal', 'stamp']);
  const readme = (await emitFiles(webhooksTarget, contract)).get('webhooks/README.md') ?? '';
  expect(readme).toContain('authenticate: verifySeal(process.env["WEBHOOK_SECRET"] ?? \'\'),');
  expect(readme).toContain("`authenticate` is the contract's strategy, or a stricter one");
  await using generated = await generateWebhooks(contract, { built: true });
  await compile('ts7', generated.webhooks, ['-b']);
});

test('a package with a secret in the path compiles, compares it, and warns of access logs', async () => {
  const contract = await readDoors(['segment']);
  const files = await emitFiles(webhooksTarget, contract);
  expect(files.get('webhooks/README.md')).toContain('Access logs of servers, proxies');
  expect(files.get('webhooks/src/authentication.ts')).toContain('Access logs of servers, proxies');
  await using generated = await generateWebhooks(contract, { built: true });
  await compile('ts7', generated.webhooks, ['-b']);
  const moduleAt = (name: string): string =>
    pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href;
  const main = (await import(moduleAt('index'))) as WebhooksModule & {
    readonly verifySegment: (secrets: readonly string[]) => unknown;
  };
  const { deliver } = (await import(moduleAt('testing'))) as TestingModule;
  const { fetch } = main.createWebhooks({
    authenticate: main.verifySegment(['old', 'the secret']),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const send = async (pathSecret?: string): Promise<readonly [string, number]> => {
    const url = 'http://127.0.0.1/hook/';
    const request = await deliver('opened', { url, ...(pathSecret && { pathSecret }) });
    return [new URL(request.url).pathname, (await fetch(request)).status];
  };
  expect(await send('the secret')).toEqual(['/hook/the%20secret/doors', 200]);
  expect(await send('another')).toEqual(['/hook/another/doors', 401]);
  expect(await send()).toEqual(['/hook/doors', 401]);
});

test('moving a secret to the path is a change that breaks receivers', async () => {
  const base = await readDoors(['seal']);
  const [scheme, ...otherSchemes] = base.security;
  if (scheme?.id !== 'seal') throw new TypeError('seal is the first scheme');
  const { parameterName: _, ...rest } = scheme;
  const head = { ...base, security: [{ ...rest, in: 'path' as const }, ...otherSchemes] };
  expect(diffContracts({ base, head })).toMatchObject([
    { code: 'security-scheme-changed', message: '`in` was `header` and is `path`.' },
    { code: 'security-scheme-changed' },
  ]);
});

test('the README of a contract without authentication says what that means', async () => {
  const readme = (await emitFiles(webhooksTarget, await readDoors([]))).get('webhooks/README.md');
  expect(readme).toContain('every client that knows the URL can send one');
  expect(readme).toContain('If you switch authentication off, accept connections only from');
  expect(readme).not.toContain('so choose a strategy');
  expect(readme).not.toContain('authenticate: unauthenticated');
  expect(readme).toContain('authenticate: sharedSecret({ header: "x-webhook-secret" }');
});

test('secrets in every place are compared by a package that compiles, alone and as the contract combines them', async () => {
  const names = ['basic', 'bearer', 'ticket', 'biscuit'];
  const contract = await readDoors(names, ['seal']);
  expect(describeSecrets(contract).map(({ verify }) => verify)).toEqual([
    'verifyTicket',
    'verifyBearer',
    'verifyBasic',
    'verifyBiscuit',
  ]);
  const files = await emitFiles(webhooksTarget, contract);
  const readme = files.get('webhooks/README.md') ?? '';
  expect(readme).toContain("`authenticate` is the contract's strategy, or a stricter one");
  expect(readme).toContain('`verifyBasic(credentials)`');
  expect(readme).toContain('the contract requires other schemes beside it');
  expect(readme).toContain('contain queries');
  await using generated = await generateWebhooks(contract, { built: true });
  await compile('ts7', generated.webhooks, ['-b']);
  await using sources = await generateWebhooks(contract);
  const moduleAt = (name: string): string =>
    pathToFileURL(join(sources.webhooks, `src/${name}.ts`)).href;
  type Create = (secrets: string | readonly string[]) => Authentication;
  const main = (await import(moduleAt('index'))) as WebhooksModule & {
    readonly verifyBasic: Create;
    readonly verifyBearer: Create;
    readonly verifyTicket: Create;
    readonly verifyBiscuit: Create;
    readonly combineAsStated: (all: Readonly<Record<string, Authentication>>) => Authentication;
    readonly sharedSecret: (place: { readonly header: string }, secret: string) => Authentication;
  };
  const { fetch } = main.createWebhooks({
    authenticate: main.combineAsStated({
      basic: main.verifyBasic(['u:old', 'u:new']),
      bearer: main.verifyBearer('token'),
      ticket: main.verifyTicket('t&t'),
      biscuit: main.verifyBiscuit('crumb'),
      seal: main.sharedSecret({ header: 'x-seal' }, 'sealed'),
    }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const statusOf = async (
    headers: Readonly<Record<string, string>>,
    query = '',
  ): Promise<number> => {
    const request = { method: 'POST', headers, body: '{}' };
    return (await fetch(new Request(`http://127.0.0.1/doors${query}`, request))).status;
  };
  const seal = { 'x-seal': 'sealed' };
  const basic = { authorization: `Basic ${Buffer.from('u:new').toString('base64')}` };
  expect(await statusOf({ ...seal, ...basic })).toBe(200);
  expect(await statusOf({ ...seal, authorization: 'Bearer token' })).toBe(200);
  expect(await statusOf({ ...seal, cookie: 'biscuit=crumb' })).toBe(200);
  expect(await statusOf(seal, '?ticket=t%26t')).toBe(200);
  expect(await statusOf(seal)).toBe(401);
  expect(await statusOf(basic)).toBe(401);
});

test.each(['basic', 'bearer', 'ticket', 'biscuit'])(
  'the example with %s has the secret of the contract, which a server with it accepts',
  async (name) => {
    const contract = await readDoors([name]);
    const [secret] = describeSecrets(contract);
    if (secret === undefined) throw new TypeError('there is a secret');
    const readme = (await emitFiles(webhooksTarget, contract)).get('webhooks/README.md') ?? '';
    expect(readme).toContain(`authenticate: ${secret.verify}(process.env["WEBHOOK_SECRET"] ?? '')`);
    expect(readme).not.toMatch(/does not state how|x-webhook-secret/u);
    await using generated = await generateWebhooks(contract);
    const moduleAt = (file: string): string =>
      pathToFileURL(join(generated.webhooks, `src/${file}.ts`)).href;
    const main = (await import(moduleAt('index'))) as WebhooksModule &
      Readonly<Record<string, (secrets: readonly string[]) => Authentication>>;
    const { deliver } = (await import(moduleAt('testing'))) as TestingModule;
    const right = secretForTests(secret, 'the & secret');
    const { receive } = main.createWebhooks({
      authenticate: main[secret.verify]?.(['a:b', right]),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
    });
    const handle = toNodeHandler(receive);
    await using served = await listen((request, response) => void handle(request, response));
    const statusWith = async (value?: string): Promise<number> => {
      const url = new URL(`http://127.0.0.1:${served.port}/hook`);
      const { header, query } =
        value === undefined ? {} : carrySecret(secret.place, secret.parameterName, value);
      if (query !== undefined) url.searchParams.append(...query);
      const headers = header === undefined ? {} : Object.fromEntries([header]);
      const request = await deliver('opened', { url: url.href, headers });
      return await new Promise((resolve, reject) => {
        const { pathname, search } = new URL(request.url);
        sendRequest(
          {
            port: served.port,
            host: '127.0.0.1',
            method: 'POST',
            path: pathname + search,
            headers: Object.fromEntries(request.headers),
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        )
          .on('error', reject)
          .end('{}');
      });
    };
    expect(await statusWith(right)).toBe(200);
    expect(await statusWith(`${right}!`)).toBe(401);
    expect(await statusWith()).toBe(401);
  },
);

test.each([
  ['granted', 'an access token of OAuth 2.0'],
  ['known', 'a token of OpenID Connect'],
])(
  'of %s, the README says that the contract states it and what is left to write',
  async (name, what) => {
    const contract = await readDoors([name]);
    expect(proofsOf(contract, 'unready')).toMatchObject([{ scheme: name, what }]);
    expect(contract.authentication.isNone).toBe(false);
    const readme = (await emitFiles(webhooksTarget, contract)).get('webhooks/README.md') ?? '';
    expect(readme).not.toContain('does not state how');
    expect(readme).toContain(`${name} (${what})`);
    expect(readme).toContain('isAuthentic: (proof: string) => Promise<boolean>): Authentication');
    const { about } = planAuthentication(
      contract,
      defaultAuthentication(contract) ?? '',
      new Map(),
    );
    expect(about).toContain(`${name} (${what})`);
  },
);

test('a scheme that is written in the list of requirements is not taken for none', async () => {
  const contract = await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Doors', version: '1.0.0' },
    channels: {
      doors: { address: '/doors', messages: { opened: { payload: { type: 'object' } } } },
    },
    operations: {
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/doors' },
        security: [{ type: 'http', scheme: 'basic' }],
      },
    },
  });
  const readme = (await emitFiles(webhooksTarget, contract)).get('webhooks/README.md') ?? '';
  expect(readme).not.toContain('does not state how');
  expect(readme).toContain('a scheme that is not among');
});
