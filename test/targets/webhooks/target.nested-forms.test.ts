import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { createSimulator, type Service } from '../../../packages/simulator/src/index.ts';
import { encodeForm } from '../../../packages/simulator/src/sending/compose-request.ts';
import { target as simulatorTarget } from '../../../packages/simulator/src/target/target.ts';
import { toNodeHandler } from '../../../packages/runtime/webhooks/node.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import type {
  TestingModule,
  WebhooksModule,
} from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { listenForTest } from '../../packages/simulator/send/listen.ts';
import { generateProject, type GeneratedProject } from '../emit-project.ts';
import { compileStrictly } from '../strict-compile.ts';
import { nestedFormOpenapi } from './nested-form.ts';

const example = {
  type: 'subscribe',
  tags: ['x', 'y'],
  data: {
    id: '1',
    merges: { EMAIL: 'a@b.c', AGE: 3 },
    groups: ['g', 'h'],
    lines: [{ count: 1 }, { count: 2 }],
  },
};
const written =
  'type=subscribe&tags=x%7Cy&data%5Bid%5D=1&data%5Bmerges%5D%5BEMAIL%5D=a%40b.c&data%5Bmerges%5D%5BAGE%5D=3&data%5Bgroups%5D%5B0%5D=g&data%5Bgroups%5D%5B1%5D=h&data%5Blines%5D%5B0%5D%5Bcount%5D=1&data%5Blines%5D%5B1%5D%5Bcount%5D=2';

let generated: GeneratedProject;
let webhooks: WebhooksModule;
let testing: TestingModule;

beforeAll(async () => {
  const { contract } = await lowerFiles({ 'openapi.yaml': nestedFormOpenapi });
  generated = await generateProject(contract, [contractTarget, webhooksTarget, simulatorTarget]);
  const load = async (name: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.project, `webhooks/src/${name}.ts`)).href);
  webhooks = (await load('index')) as WebhooksModule;
  testing = (await load('testing')) as TestingModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

function receiver(): { readonly seen: unknown[] } & ReturnType<WebhooksModule['createWebhooks']> {
  const seen: unknown[] = [];
  const { fetch, receive } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: { subscribed: ({ data }: { readonly data: unknown }) => void seen.push(data) },
    otherwise: () => undefined,
    onInvalid: ({ reason, violations: [first] }: { reason: string; violations: object[] }) =>
      void seen.push([reason, (first as { readonly keyword: string }).keyword]),
  });
  return { seen, fetch, receive };
}

async function read(body: string): Promise<unknown> {
  const { seen, fetch } = receiver();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await fetch(new Request('http://127.0.0.1/', { method: 'POST', headers, body }));
  return seen[0];
}

test('the generated code compiles under every flag', async () => {
  const options = {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  } as const;
  const compiling = compileStrictly(generated.project, ['contract/src', 'webhooks/src'], options);
  await expect(compiling).resolves.toBeUndefined();
});

describe('a receiver reads nested names', () => {
  test.each([
    ['indices', written],
    ['no index', written.replaceAll(/groups%5D%5B\d/gu, 'groups%5D%5B')],
    ['no brackets', written.replaceAll(/groups%5D%5B\d%5D/gu, 'groups%5D')],
    ['other order', written.split('&').toReversed().join('&')],
    ['not escaped', decodeURIComponent(written)],
  ])('with %s', async (_, body) => {
    expect(await read(body)).toEqual(
      body.startsWith('data')
        ? { ...example, data: { ...example.data, groups: ['g', 'h'] } }
        : example,
    );
  });

  test('and keeps what the contract does not declare', async () => {
    expect(await read('type=subscribe&data[id]=1&data[x][y][]=1&data[x][y][]=2')).toEqual({
      type: 'subscribe',
      data: { id: '1', x: { y: ['1', '2'] } },
    });
  });

  test.each([
    ['data[id]=1&data[id][a]=2', 'duplicate-key'],
    ['data[id]=1&data[id]=2', 'duplicate-key'],
    ['data[id]=1&data[__proto__][a]=2', 'prototype-key'],
    ['data[id]=1&data[constructor][prototype]=2', 'prototype-key'],
    [`data[id]=1&data${'[a]'.repeat(70)}=2`, 'too-deep'],
  ])('and refuses %s', async (body, keyword) => {
    expect(await read(`type=subscribe&${body}`)).toEqual(['body', keyword]);
  });
});

test('test deliveries are written in the same notation', async () => {
  const { seen, fetch } = receiver();
  await fetch(await testing.deliver('subscribed'));
  expect(seen).toEqual([example]);
});

test('the simulator writes what the receiver reads', async () => {
  const { seen, receive } = receiver();
  const bodies: string[] = [];
  const url = await listenForTest(
    toNodeHandler((request) =>
      receive({
        ...request,
        read: async (...parameters) => {
          const bytes = await request.read(...parameters);
          bodies.push(new TextDecoder().decode(bytes));
          return bytes;
        },
      }),
    ),
  );
  const file = pathToFileURL(join(generated.project, 'simulator/src/service.ts')).href;
  const { service } = (await import(file)) as { readonly service: Service };
  const simulator = await createSimulator(service, { to: url });
  onTestFinished(() => simulator.close());
  await simulator.trigger('subscribed');
  expect(bodies).toEqual([written]);
  expect(seen).toEqual([example]);
});

test.each([
  [{ a: ['x|y', 'z'] }, { a: { style: 'pipeDelimited', explode: false } }],
  [{ a: ['x y', 'z'] }, { a: { style: 'spaceDelimited', explode: false } }],
  [{ a: { b: { c: 1 } } }, { a: { style: 'form', explode: true } }],
])('a value that its style cannot write is refused before it is sent: %j', (value, styles) => {
  expect(() => encodeForm(value, styles)).toThrow(
    expect.objectContaining({ code: 'invalid-payload' }),
  );
});

test.each([
  [{ a: [1, 2] }, { a: { style: 'form', explode: false } }, 'a=1,2'],
  [{ a: { b: 1, c: 'x y' } }, { a: { style: 'form', explode: true } }, 'b=1&c=x%20y'],
  [{ a: [1, 2], b: null, c: { d: 1 }, e: 'x y' }, {}, 'a=1&a=2&b=&c=%7B%22d%22%3A1%7D&e=x+y'],
])('%j is written as %j states', (value, styles, text) => {
  expect(encodeForm(value, styles)).toBe(text);
});
