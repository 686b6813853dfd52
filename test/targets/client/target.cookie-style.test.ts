import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const list = { type: 'array', items: { type: 'string' } };
const parameter = (name: string, schema: object, explode: boolean): object => ({
  name,
  in: 'cookie',
  style: 'cookie',
  schema,
  explode,
});

let generated: GeneratedClient;
let module: ClientModule;

beforeAll(async () => {
  const contract = await readOpenapi({
    openapi: '3.2.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: {
      '/pets': {
        get: {
          operationId: 'listPets',
          parameters: [
            parameter('session', { type: 'string' }, true),
            parameter('tags', list, false),
            parameter('ids', list, true),
          ],
          responses: { '200': {} },
        },
      },
    },
  });
  generated = await generateClient(contract);
  module = (await import(
    pathToFileURL(join(generated.client, 'src/index.ts')).href
  )) as ClientModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

/** Returns the `Cookie` header of a call. */
async function cookieOf(cookies: Readonly<Record<string, unknown>>): Promise<string | null> {
  let sent: string | null = null;
  const client = module.createClient({
    baseUrl: 'http://127.0.0.1:1',
    fetch: async (_: string, { headers }: RequestInit) => {
      sent = new Headers(headers).get('cookie');
      return new Response();
    },
  });
  await client['listPets']?.({ cookies });
  return sent;
}

test.each([
  [{ session: 'a/b=%2F+c' }, 'session=a/b=%2F+c'],
  [{ tags: ['a', 'b:c'] }, 'tags=a,b:c'],
  [{ ids: ['1', '2'], session: 's' }, 'session=s; ids=1; ids=2'],
])('the style `cookie` sends %j as it is', async (cookies, sent) => {
  expect(await cookieOf(cookies)).toBe(sent);
});

test.each([' ', '"', ',', ';', '\\', '\n', '\u007f', 'é'])(
  'the style `cookie` refuses %j, which could change another cookie',
  async (character) => {
    for (const cookies of [{ session: `a${character}` }, { tags: ['a', `${character}b`] }])
      await expect(cookieOf(cookies)).rejects.toMatchObject({ code: 'invalid-input' });
  },
);
