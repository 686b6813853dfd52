import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from './adapters.ts';
import { rules } from './conformance.ts';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';
import { Workbench } from './workbench.ts';

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

describe.each(adapters)('a receiver behind $name', (adapter) => {
  for (const { name, needsPath = false, run } of rules) {
    const exception = adapter.exceptions?.[name];
    const title = exception === undefined ? name : `${name} (${exception})`;
    test.skipIf((needsPath && !adapter.keepsPath) || exception !== undefined)(title, async () => {
      await run(new Workbench(imported, adapter));
      expect(Object.prototype).not.toHaveProperty('polluted');
    });
  }
});

test('the exceptions of adapters are from rules that there are', () => {
  const names = new Set(rules.map(({ name }) => name));
  const excepted = adapters.flatMap(({ exceptions = {} }) => Object.keys(exceptions));
  expect(excepted.filter((name) => !names.has(name))).toEqual([]);
});

/** Checks switched off, and rules that have to notice. */
const weakenings: readonly (readonly [
  string,
  (options: Record<string, unknown>) => object,
  readonly RegExp[],
])[] = [
  [
    'authentication',
    () => ({ authenticate: () => true }),
    [/^a delivery: .* 401/, /^a secret: .* 401/],
  ],
  [
    'the strict scan',
    () => ({ strict: false, numbers: 'refuse' }),
    [/key twice/, /__proto__/, /30,000/, /9007199254740993/, /1e400/],
  ],
  ['the limit of the size', () => ({ limit: 100_000_000 }), [/^the size: 20 MB/]],
  [
    'the list of methods',
    () => ({ methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }),
    [/^the method/],
  ],
  [
    'the recognition of duplicates',
    () => ({ deliveryIdentity: 'every-delivery', timeLimit: 300 }),
    [/^the same delivery again/, /^of two equal deliveries/],
  ],
];

describe('the suite notices a receiver without', () => {
  test.each(weakenings)('%s', async (_name, weaken, expected) => {
    const [adapter] = adapters;
    if (adapter === undefined) throw new Error('There is no adapter');
    const bench = new Workbench(imported, adapter, weaken);
    for (const pattern of expected) {
      const watching = rules.filter(({ name }) => pattern.test(name));
      expect(watching.length).toBeGreaterThan(0);
      for (const { name, run } of watching) await expect(run(bench), name).rejects.toThrow();
    }
  });
});
