import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someOf } from '../../../some.ts';
import { adapters } from './adapters.ts';
import { rules } from './conformance.ts';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';
import { Workbench } from './workbench.ts';

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

describe.each(someOf(2, adapters))('a receiver behind $name', (adapter) => {
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
