import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './hosts.ts';
import { recipeSections } from './recipes.ts';
import { suites, type Finding } from './run-suite.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace?.[Symbol.asyncDispose]());

describe.each(hosts)('a receiver on $name', (host) => {
  let compilation: string;
  let findings: ReadonlyMap<string, Finding>;

  beforeAll(async () => {
    ({ compilation, findings } = await workspace.tryOn(host));
  });

  test('the recipe compiles', () => {
    expect(compilation).toBe('');
  });

  for (const { name } of host.suites.flatMap((suite) => suites[suite].rules)) {
    const exception = host.exceptions?.[name];
    if (exception === undefined)
      test(name, () => {
        expect(findings.get(name)).toEqual({ name });
      });
    else {
      const [error, why] = exception;
      test(`${name} (not here: ${why})`, () => {
        expect(findings.get(name)?.error).toContain(error);
      });
    }
  }

  test('it answers nothing by itself that is not known of it', () => {
    const excepted = Object.keys(host.exceptions ?? {});
    expect(excepted.filter((name) => !findings.has(name))).toEqual([]);
  });
});

test.each(hosts.filter(({ isLoadedByBuild }) => isLoadedByBuild === true))(
  'the build of $name needs no secret where a function creates the options of the receiver',
  async (host) => {
    await expect(workspace.buildWithoutSecret(host)).resolves.toBeUndefined();
  },
  300_000,
);

test('every recipe of the document is tried', async () => {
  const tried = new Set(hosts.map(({ section }) => section));
  expect(await recipeSections()).toEqual([...tried]);
});
