import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract, Notification } from '../../../generator/contract/contract.ts';
import { planDecorators } from '../../../generator/targets/printing/decorators.ts';
import { eventsOf } from '../../../generator/contract/events.ts';
import type { TestingModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { readContract } from '../client/emit-client.ts';
import type { GeneratedProject } from '../emit-project.ts';
import { readTrade } from '../webhooks/trade.ts';
import { frameworkTargetNames, generateFrameworks } from './emit-frameworks.ts';
import { hosts, type Exported } from './hosts.ts';

/** A contract, the settings of its receivers, and what makes deliveries authentic. */
interface Case {
  readonly name: string;
  readonly read: () => Promise<Contract>;
  readonly settings: (main: Exported) => object;
  readonly proof: (testing: Exported) => object;
}

const cases: readonly Case[] = [
  {
    name: 'own',
    read: () => readContract({ openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' }),
    settings: (main) => {
      const create = main['sharedSecret'] as (place: object, secret: string) => unknown;
      return { authenticate: create({ header: 'x-secret' }, 'secret') };
    },
    proof: () => ({ headers: { 'x-secret': 'secret' } }),
  },
  {
    name: 'trade',
    read: readTrade,
    settings: (main) => {
      const verify = main['verifyHook'] as (options: object) => unknown;
      return { authenticate: verify({ keys: ['secret'] }), sameName: 'nothing' };
    },
    proof: (testing) => {
      const createSigner = testing['createHookSigner'] as (options: object) => unknown;
      return { signer: createSigner({ key: 'secret' }) };
    },
  },
];

interface Seen {
  readonly handler: string;
  readonly event: { readonly kind: string; readonly form: string; readonly data: unknown };
}

test('hosts.ts has a host for every framework', () => {
  expect(
    new Set(hosts.map(({ target }) => target)),
    'add a host to test/targets/frameworks/hosts.ts',
  ).toEqual(new Set(frameworkTargetNames));
});

describe.each(cases)('deliveries of the contract "$name"', ({ read, settings, proof }) => {
  let contract: Contract;
  let generated: GeneratedProject;
  let guards: Exported;

  const load = async (target: string, entry = 'index'): Promise<Exported> =>
    (await import(
      pathToFileURL(join(generated.project, target, `src/${entry}.ts`)).href
    )) as Exported;

  beforeAll(async () => {
    contract = await read();
    generated = await generateFrameworks(contract);
    guards = await load('contract');
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  /** Whether the data are a value of the type that the handler is promised. */
  function isTyped({ payload }: Notification, data: unknown): boolean {
    const typeName = contract.schemas.find(({ name }) => name === payload)?.typeName;
    return (guards[`is${typeName}`] as (value: unknown) => boolean)(data);
  }

  /** Whether a kind that it can be taken for has the same label. */
  function sharesLabel({ label, ambiguousWith }: Notification): boolean {
    return contract.notifications.some(
      (other) =>
        ambiguousWith.includes(other.name) &&
        other.label?.path === label?.path &&
        other.label?.method === label?.method,
    );
  }

  const early = hosts.filter(({ name }) => !name.endsWith('of its environment'));
  test.each(early)('are refused before any comes, by options of $name', async (host) => {
    const main = await load(host.target);
    const decorators = planDecorators(eventsOf(contract));
    const ignore = (): void => undefined;
    const serve = async (): Promise<unknown> =>
      await host.serve(main, {
        on: Object.fromEntries(decorators.map(({ handler }) => [handler, ignore])),
        otherwise: ignore,
        onInvalid: ignore,
        decorators: new Map(decorators.map(({ handler, name }) => [handler, name])),
        settings: { ...settings(main), maxBodyBytes: 0 },
      });
    await expect(serve()).rejects.toThrow(/`maxBodyBytes` must be a number above 0/);
  });

  test.each(hosts)('reach their handlers by $name', async ({ target, serve }) => {
    const main = await load(target);
    const { deliver } = (await load(target, 'testing')) as Exported & TestingModule;
    const plan = eventsOf(contract);
    const decorators = planDecorators(plan);
    const seen: Seen[] = [];
    const invalid: unknown[] = [];
    const on = Object.fromEntries(
      decorators.map(({ handler }) => [
        handler,
        (event: Seen['event']) => void seen.push({ handler, event }),
      ]),
    );
    await using served = await serve(main, {
      on,
      otherwise: (event: Seen['event']) => void seen.push({ handler: 'otherwise', event }),
      onInvalid: (delivery: unknown) => void invalid.push(delivery),
      decorators: new Map(decorators.map(({ handler, name }) => [handler, name])),
      settings: {
        ...settings(main),
        replayStore: { claim: () => 'claimed', confirm: () => undefined, release: () => undefined },
      },
    });
    const send = async (kind: string, overrides: object): Promise<number> => {
      seen.length = 0;
      const url = `http://127.0.0.1:${served.port}/hooks`;
      const authentic = proof(await load(target, 'testing'));
      const { status } = await fetch(await deliver(kind, { url, ...authentic, ...overrides }));
      return status;
    };
    const forms = new Set<string>();
    let delivered = 0;
    for (const notification of contract.notifications) {
      const { name, label, examples, invalidExamples, ambiguousWith } = notification;
      const possible = [
        name,
        ...plan.unions
          .filter(({ kinds }) => kinds.some((kind) => kind.notification === notification))
          .map((union) => union.name),
      ];
      for (const example of examples) {
        for (const labelled of [true, false]) {
          const what = `${name}, ${example.name}${labelled ? '' : ', without its label'}`;
          expect(await send(name, { example: example.name, labelled }), what).toBe(200);
          const isTold = labelled && label !== undefined && !sharesLabel(notification);
          const expected = isTold || ambiguousWith.length === 0 ? [name] : possible;
          expect(seen.length, what).toBeGreaterThan(0);
          for (const { handler, event } of seen) {
            expect(expected, what).toContain(handler);
            expect(event.kind, what).toBe(handler);
            expect(isTyped(notification, event.data), what).toBe(true);
            forms.add(event.form);
            delivered += 1;
          }
        }
      }
      for (const { value, name: example } of label === undefined ? [] : invalidExamples) {
        const rawBody = JSON.stringify(value);
        expect(await send(name, { rawBody }), `${name}, ${example}`).toBe(422);
        expect([seen, invalid.splice(0).length], `${name}, ${example}`).toEqual([[], 1]);
      }
      const [first] = examples;
      if (first === undefined) continue;
      const wrong = { headers: {}, signer: undefined };
      expect(await send(name, { example: first.name, ...wrong })).toBe(401);
      expect(seen).toEqual([]);
    }
    expect(delivered).toBeGreaterThanOrEqual(contract.notifications.length);
    expect(forms).toEqual(new Set(plan.kinds.flatMap((kind) => kind.forms)));
  });
});
