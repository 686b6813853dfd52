import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import ownConfig from '../../../countersign.config.ts';
import { type Framework, frameworks } from '../../../generator/targets/printing/frameworks.ts';
import { adapters } from '../../packages/runtime/webhooks/adapters.ts';
import { applications } from '../../toolchains/frameworks/application.ts';
import { vintages } from '../../toolchains/frameworks/vintages.ts';
import { repository } from '../emit-project.ts';
import { hosts } from './hosts.ts';

const manifest = (await readJson('package.json')) as { readonly devDependencies: object };
const builds = (await readJson('tsconfig.build.json')) as {
  readonly references: readonly { readonly path: string }[];
};

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(repository, path), 'utf8'));
}

/**
 * What cannot be derived from the table of frameworks, because only people can write it, or because a tool reads it: by
 * its file, whether it has a framework.
 */
const places: Readonly<Record<string, (name: string, framework: Framework) => boolean>> = {
  'targets of countersign.config.ts': (name) =>
    ownConfig.targets.some((target) => target === `webhooks-${name}`),
  'references of tsconfig.build.json': (name) =>
    builds.references.some(({ path }) => path === `generated/webhooks-${name}`),
  'devDependencies of package.json': (_, { peers, applicationTypes }) =>
    Object.keys({ ...peers, ...applicationTypes }).every((peer) =>
      Object.hasOwn(manifest.devDependencies, peer),
    ),
  'hosts of test/targets/frameworks/hosts.ts': (name) =>
    hosts.some(({ target }) => target === `webhooks-${name}`),
  'adapters of test/packages/runtime/webhooks/adapters.ts': (name) =>
    adapters.some((adapter) => adapter.name.split(' ', 1)[0] === name),
  'vintages of test/toolchains/frameworks/vintages.ts': (_, framework) =>
    vintages.every(({ packages }) =>
      installed(framework).every((peer) => Object.hasOwn(packages, peer)),
    ),
  'applications of test/toolchains/frameworks/application.ts': (_, framework) =>
    installed(framework).length === 0 || Object.hasOwn(applications, framework.title),
};

/** The framework as applications install it. */
function installed({ peers, optionalPeers }: Framework): readonly string[] {
  return Object.keys({ ...peers, ...optionalPeers }).filter((name) => name !== '@types/node');
}

/** Pages with a row, a link or an example for each framework. */
const pages: Readonly<Record<string, (name: string, framework: Framework) => string | undefined>> =
  {
    'README.md': (name) => `generated/webhooks-${name}/README.md`,
    'generator/README.md': (name) => `\`webhooks-${name}\``,
    'packages/runtime/adapters/README.md': (name, { adapter = false }) =>
      adapter ? `\`@countersign/runtime/adapters/${name}\`` : undefined,
  };

test.each(Object.entries(frameworks))('%s is everywhere', async (name, framework) => {
  const missing = Object.entries(places).flatMap(([place, has]) =>
    has(name, framework) ? [] : [place],
  );
  for (const [page, textOf] of Object.entries(pages)) {
    const text = textOf(name, framework);
    const content = await readFile(join(repository, page), 'utf8');
    if (text !== undefined && !content.includes(text)) missing.push(`${text} in ${page}`);
  }
  expect(missing).toEqual([]);
});
