import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  describeSecrets,
  statesNoAuthentication,
} from '../../../generator/targets/webhooks/stated-authentication.ts';
import type { TestingModule, WebhooksModule } from '../../packages/webhooks/generated-webhooks.ts';
import { emitFiles } from '../emit-project.ts';
import { compile } from '../compile.ts';
import { diffContracts } from '../../../generator/tools/diff/diff.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { readAsyncapi, readOpenapi } from '../client/emit-client.ts';
import { generateWebhooks } from './emit-webhooks.ts';

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
])('of an operation with %j and a server with %j, secrets are %j', async (own, server, names) => {
  const contract = await readDoors(own, server);
  expect(describeSecrets(contract).map(({ verify }) => verify)).toEqual(names);
  expect(statesNoAuthentication(contract)).toBe(own.length + server.length === 0);
});

test('one notification without authentication does not make a contract without', async () => {
  const [none, seal] = [await readDoors([]), await readDoors(['seal'])];
  const notifications = [...none.notifications, ...seal.notifications];
  expect(statesNoAuthentication({ ...none, notifications })).toBe(false);
  expect(statesNoAuthentication({ ...none, notifications: [] })).toBe(false);
});

test.each([
  [{ security: [] }, true],
  [{}, false],
])('of an OpenAPI webhook with %j, an empty list of its own states it: %s', async (own, states) => {
  const contract = await readOpenapi({
    openapi: '3.1.0',
    info: { title: 'Doors', version: '1.0.0' },
    webhooks: { opened: { post: { ...own, responses: { 200: { description: 'Taken.' } } } } },
  });
  expect(statesNoAuthentication(contract)).toBe(states);
});

test('a package with secrets alone compiles, and its README has the strategy', async () => {
  const contract = await readDoors(['seal', 'stamp']);
  const readme = (await emitFiles(webhooksTarget, contract)).get('webhooks/README.md') ?? '';
  expect(readme).toContain('authenticate: verifySeal(process.env["WEBHOOK_SECRET"] ?? \'\'),');
  expect(readme).toContain('`authenticate` is what the contract states, or anything stricter');
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
  const [scheme, ...others] = base.security;
  if (scheme?.id !== 'seal') throw new TypeError('seal is the first scheme');
  const { parameterName: _, ...rest } = scheme;
  const head = { ...base, security: [{ ...rest, in: 'path' as const }, ...others] };
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
