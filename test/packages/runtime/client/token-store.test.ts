import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyv } from 'keyv';
import { KeyvFile } from 'keyv-file';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TokenStore } from '../../../../packages/runtime/client/client.ts';
import { importClient, type Entries } from './generated-client.ts';
import { issued, startService, type Service } from './service-from-document.ts';

let entries: Entries;
let service: Service;
let folder: string;

beforeAll(async () => {
  entries = await importClient();
  service = await startService(Date.now);
  folder = await mkdtemp(join(tmpdir(), 'countersign-tokens-'));
});
afterAll(async () => {
  await entries[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A store as another process would open it. */
const stores: readonly (readonly [string, () => () => TokenStore])[] = [
  [
    'a Map',
    () => {
      const map = new Map<string, unknown>();
      return () => map;
    },
  ],
  [
    'Keyv in memory',
    () => {
      const keyv = new Keyv();
      return () => keyv;
    },
  ],
  [
    'Keyv over a file',
    () => () =>
      new Keyv({ store: new KeyvFile({ filename: join(folder, 'tokens.json'), writeDelay: 0 }) }),
  ],
];

test.each(stores)(
  '%s shares a token among clients, and a refused one is replaced in it',
  async (_, create) => {
    const open = create();
    const call = async (): Promise<number> => {
      const client = entries.checked.createClient({
        baseUrl: service.baseUrl,
        credentials: issued,
        tokenStore: open(),
      });
      return (await client.request('GET', '/things')).status;
    };
    const before = service.tokenRequests;
    expect([await call(), await call()]).toEqual([200, 200]);
    expect(service.tokenRequests - before).toBe(1);
    service.revoke();
    expect([await call(), await call()]).toEqual([200, 200]);
    expect(service.tokenRequests - before).toBe(2);
  },
);

test.each(stores)('%s keeps the tokens of two services apart', async (_, create) => {
  const open = create();
  await using other = await startService(Date.now);
  const services = [service, other];
  const before = services.map(({ tokenRequests }) => tokenRequests);
  const call = async ({ baseUrl }: Service): Promise<number> => {
    const tokenStore = open();
    const options = { baseUrl, credentials: issued, tokenStore };
    return (await entries.checked.createClient(options).request('GET', '/things')).status;
  };
  for (const called of [service, other, service, other]) expect(await call(called)).toBe(200);
  const requests = services.map(({ tokenRequests }, index) => tokenRequests - (before[index] ?? 0));
  // The file has a token of the first service from the tests before.
  expect(requests[0]).toBeLessThanOrEqual(1);
  expect(requests[1]).toBe(1);
  const tokensAt = services.map(
    ({ arrived }) => new Set(arrived.map(({ headers }) => headers.authorization)),
  );
  tokensAt[0]?.delete(undefined);
  for (const token of tokensAt[0] ?? []) expect(tokensAt[1]).not.toContain(token);
});

test('the file holds the token, and no credential', async () => {
  const text = await readFile(join(folder, 'tokens.json'), 'utf8');
  expect(text).toContain('token');
  for (const secret of Object.values(issued)) expect(text).not.toContain(secret);
});
