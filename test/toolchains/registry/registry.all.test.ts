import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type PackageManager,
  packageManagers,
} from '../../../generator/output/package-managers.ts';
import { buildAll, repository } from '../../packaging/project.ts';
import { expectTable } from '../compatibility-page.ts';
import {
  environmentOf,
  installTools,
  linkManagers,
  type Registry,
  runLine,
  startRegistry,
} from '../tools.ts';

/** How each manager runs a command of a package that is not installed. */
const starts = {
  npm: 'npx --yes countersign',
  yarn: 'yarn dlx countersign',
} as const satisfies Partial<Record<PackageManager, string>>;

const managers = ['npm', 'yarn'] as const;

const steps = ['init', 'install', 'build', 'test', 'receive', 'check'] as const;
const passed = new Map<string, string>();
let root: string;
let registry: Registry;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  await installTools();
  await buildAll();
  root = await mkdtemp(join(tmpdir(), 'countersign-registry-'));
  registry = await startRegistry(join(root, 'registry'));
  environment = environmentOf(registry, root);
  await linkManagers(root);
  // As the workflow of a release does.
  const release = join(root, 'release');
  const shop = { folder: repository, environment };
  await runLine(`npx changeset pack --out-dir '${release}'`, shop);
  await runLine(`npm run release -- --from-pack-dir '${release}'`, shop);
}, 600_000);

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

it('has the packages of the toolkit, and none that are generated from this contract', async () => {
  const statusOf = async (name: string): Promise<number> =>
    (await fetch(`${registry.url}${name.replace('/', '%2f')}`)).status;
  for (const name of ['client', 'inbox', 'signing', 'simulator', 'templates', 'webhooks'])
    expect(await statusOf(`@countersign/${name}`), name).toBe(200);
  expect(await statusOf('countersign')).toBe(200);
  expect(await statusOf('@instant-payment/contract')).toBe(404);
});

it.each(managers)(
  'leads from an empty folder to a received notification: %s',
  async (manager) => {
    const { install, run } = packageManagers[manager];
    const folder = await mkdtemp(join(root, `${manager}-`));
    const lines: Readonly<Record<(typeof steps)[number], string>> = {
      init: `${starts[manager]} init . --yes --manager ${manager}`,
      install,
      build: run('build'),
      // Sends each example of the contract to the receiver, among others.
      test: run('test'),
      receive: 'cd apps/receiver && node --test "test/**/*.test.ts"',
      check: run('check'),
    };
    for (const step of steps) {
      const start = performance.now();
      const printed = await runLine(lines[step], { folder, environment });
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.info(`$ ${lines[step]}  (${seconds} s)\n${printed.split('\n').slice(-6).join('\n')}`);
      if (step === 'receive') expect(printed).toMatch(/pass [1-9]/u);
    }
    passed.set(manager, lines.init.replace(' . --yes', ''));
  },
  600_000,
);

it('is what the page states', async () => {
  await expectTable('registry', [
    ['Package manager', 'Start', ...steps.slice(1)],
    ...managers.map((manager) => [
      `${manager}${packageManagers[manager].version === undefined ? '' : ` ${packageManagers[manager].version}`}`,
      `\`${starts[manager]} init\``,
      ...steps.slice(1).map(() => (passed.has(manager) ? 'ok' : 'fails')),
    ]),
  ]);
});
