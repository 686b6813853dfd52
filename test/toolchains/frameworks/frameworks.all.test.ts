import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  frameworkNames,
  frameworkOf,
  frameworks,
} from '../../../generator/targets/printing/frameworks.ts';
import {
  buildAll,
  createProject,
  pack,
  packToolkit,
  type Project,
} from '../../packaging/project.ts';
import { expectTable } from '../compatibility-page.ts';
import { adapters } from '../../packages/runtime/webhooks/adapters.ts';
import { bundleSuite } from './bundle-suite.ts';
import { tryVintage, type Trial } from './try-vintage.ts';
import { frameworkPackages, vintages } from './vintages.ts';

const names = Object.keys(frameworkPackages);
const published = [
  'contract',
  'runtime',
  'client',
  'webhooks',
  'simulator',
  // The suite tries the adapters without a framework, too.
  ...frameworkNames.filter((name) => frameworkOf(name).adapter).map((name) => `webhooks-${name}`),
].map((name) => `@instant-payment/${name}`);

/**
 * Returns the adapters of the suite that belong to a framework: those whose name begins with its name. `suite.ts` adds the
 * server of Next.js.
 */
function adaptersOf(title: string): readonly string[] {
  const name = frameworkNames.find((candidate) => frameworkOf(candidate).title === title);
  return [...adapters.map((adapter) => adapter.name), 'Next.js'].filter((adapter) =>
    [name, title].includes(adapter.split(' ', 1)[0] ?? ''),
  );
}

let packed: Project;
let tarballs: readonly string[];
let suite: string;

beforeAll(async () => {
  await buildAll();
  packed = await createProject('packed');
  tarballs = [await packToolkit(packed.folder), ...(await pack(published, packed.folder))];
  suite = await bundleSuite();
});
afterAll(() => packed.remove());

describe.each(vintages)('with $name', (vintage) => {
  let trial: Trial;

  test('npm installs the packages with every framework', async () => {
    trial = await tryVintage(vintage, tarballs, suite);
    expect(Object.keys(trial.compilation)).not.toEqual([]);
  }, 600_000);

  describe.each(Object.entries(vintage.frameworks))('%s %s', (name) => {
    test('the application compiles with the types of the framework', () => {
      expect(trial.compilation[name]).toEqual([]);
    });

    test.each(adaptersOf(name))('%s keeps every rule of the conformance suite', (adapter) => {
      expect(trial.failures[adapter]).toEqual([]);
    });
  });
});

test('every framework of the table has an adapter that is tried', () => {
  expect(names).not.toEqual([]);
  expect(names.filter((name) => adaptersOf(name).length === 0)).toEqual([]);
});

test('the oldest version of every range is tried', () => {
  const [oldest] = vintages;
  for (const { peers = {}, optionalPeers = {} } of Object.values(frameworks)) {
    for (const [name, range] of Object.entries({ ...peers, ...optionalPeers })) {
      const first = /\d+(?:\.\d+){0,2}/u.exec(range)?.[0] ?? '';
      expect(`${name} ${oldest?.packages[name]}`).toMatch(new RegExp(`^${name} ${first}(?:\\.|$)`));
    }
  }
});

test('docs/compatibility.md has the versions that are tried', async () => {
  const rows = names.map((name) => [
    name,
    ...vintages.map(({ frameworks: versions }) => versions[name] ?? ''),
  ]);
  const types = vintages.map(({ packages }) => packages['@types/node'] ?? '');
  await expectTable('frameworks', [
    ['Framework', ...vintages.map(({ name }) => capitalize(name))],
    ...rows,
    ['`@types/node`', ...types],
  ]);
});

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
