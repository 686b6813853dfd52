import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../generator/config/load-config.ts';
import { emit } from '../../generator/emit/emit.ts';
import { readContract } from '../../generator/generate.ts';
import { resolveTargets, targetNames } from '../../generator/targets/registry.ts';
import { caseNames, golden } from '../golden/generate-case.ts';
import { repository } from '../targets/emit-project.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Expects the packages of an output to require each other by exact version, and nothing of the toolkit. */
function expectOwn(manifests: readonly Manifest[]): void {
  const versions = new Map(manifests.map(({ name, version }) => [name, version]));
  const required = manifests.flatMap((manifest) =>
    (
      ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
    ).flatMap((table) =>
      Object.entries(manifest[table] ?? {}).map(([name, range]) => ({
        by: manifest.name.replace(/^.*\//u, ''),
        name,
        range,
      })),
    ),
  );
  const ofToolkit = required.filter(({ name }) => /^@?countersign(?:\/|$)/u.test(name));
  expect(ofToolkit.map(({ by, name }) => `${by}: ${name}`)).toEqual(['simulator: countersign']);
  const eachOther = required.filter(({ name }) => versions.has(name));
  expect(eachOther.length).toBeGreaterThan(2);
  expect(eachOther.filter(({ name, range }) => range !== versions.get(name))).toEqual([]);
  const scope = dirname(manifests[0]?.name ?? '');
  expect(required.filter(({ name }) => name.startsWith(`${scope}/`))).toEqual(eachOther);
}

test('the generated packages of this repository require nothing of the toolkit', async () => {
  const paths: string[] = [];
  for await (const path of glob('generated/*/package.json', { cwd: repository })) paths.push(path);
  const texts = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')));
  expectOwn(texts.map((text) => JSON.parse(text) as Manifest));
});

test.each(caseNames)(
  'packages for every target of %s require nothing of the toolkit',
  async (name) => {
    const folder = join(golden, name);
    const { configs } = await loadConfig(folder);
    const [config] = configs;
    if (config === undefined) throw new Error('The case has no configuration.');
    const { contract } = await readContract({ ...config, targets: [] }, folder);
    if (contract === undefined) throw new Error('The contract has errors.');
    const inboxes = ['sqlite', 'postgres'] as const;
    const isPossible = (use: string): boolean =>
      contract.notifications.length > 0 || !use.startsWith('webhooks');
    const targets = targetNames.filter(isPossible).map((use) =>
      use === 'webhooks'
        ? {
            use,
            inbox: inboxes,
            replayStores: [...inboxes, 'redis'],
            telemetry: ['open-telemetry'],
          }
        : use,
    );
    const { files } = await emit(
      contract,
      await resolveTargets(targets),
      { scope: '@acme', targets },
      { format: (_, text) => Promise.resolve(text) },
    );
    const manifests = files.filter(({ path }) => path.endsWith('/package.json'));
    expectOwn(manifests.map(({ text }) => JSON.parse(text) as Manifest));
  },
);
