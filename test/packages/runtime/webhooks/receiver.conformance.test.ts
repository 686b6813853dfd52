import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEveryTestRun } from '../../../some.ts';
import { adapters } from './adapters.ts';
import { rules } from './conformance.ts';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';
import { Workbench } from './workbench.ts';

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

// Where not every test is run, each adapter with every other rule, and each rule with every other adapter.
describe.each(adapters)('a receiver behind $name', (adapter) => {
  const first = adapters.indexOf(adapter) % 2;
  const tried = isEveryTestRun ? rules : rules.filter((_, index) => index % 2 === first);
  for (const { name, needsPath = false, run } of tried) {
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
