import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Contract } from '../../../generator/contract/contract.ts';
import { formatFile } from '../../../generator/output/format.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { createRenderer } from '../../../generator/targets/render.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { repository } from '../client/emit-client.ts';
import { compile } from '../contract/emit-package.ts';

/** The generated packages `contract` and `webhooks`, and the runtimes they import, in a project of their own. */
export interface GeneratedWebhooks extends AsyncDisposable {
  readonly project: string;
  /** The folder of the receiver. */
  readonly webhooks: string;
}

/** The name of the scope in tests. */
export const scope = '@trade';

/**
 * Emits the packages `contract` and `webhooks` into a temporary project, as they would come to lie on the disk.
 * `built`: the runtimes beside them are what is published, compiled; they are source otherwise.
 */
export async function generateWebhooks(
  contract: Contract,
  options: { readonly built?: boolean } = {},
): Promise<GeneratedWebhooks> {
  const project = await mkdtemp(join(tmpdir(), 'countersign-webhooks-'));
  const runtimes =
    options.built === true ? join(project, 'runtimes') : join(repository, 'packages');
  if (options.built === true) await buildRuntimes(runtimes);
  const packageNames = { contract: `${scope}/contract`, webhooks: `${scope}/webhooks` };
  for (const target of [contractTarget, webhooksTarget]) {
    const templates = new Map<string, string>();
    const folder = target.templates ?? '';
    for (const file of await readdir(folder))
      templates.set(file.replace(/\.hbs$/, ''), await readFile(join(folder, file), 'utf8'));
    const render = createRenderer(templates);
    const context = { scope, version: '4.5.6', packageNames, render };
    const paths = new Set<string>();
    for await (const { path, text } of target.emit(contract, context)) {
      if (paths.has(path)) throw new Error(`${path} was emitted twice`);
      paths.add(path);
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), await formatFile(path, text));
    }
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }\n');
  for (const [name, folder] of [
    [`${scope}/contract`, join(project, 'contract')],
    [`${scope}/webhooks`, join(project, 'webhooks')],
    ['@countersign/webhooks', join(runtimes, 'webhooks')],
    ['@countersign/signing', join(runtimes, 'signing')],
    ['@types/node', join(repository, 'node_modules/@types/node')],
    ['undici-types', join(repository, 'node_modules/undici-types')],
  ] as const) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(folder, link, 'junction');
  }
  return {
    project,
    webhooks: join(project, 'webhooks'),
    [Symbol.asyncDispose]: () => rm(project, { recursive: true }),
  };
}

/** Compiles the runtimes as they are published, without touching the repository. */
async function buildRuntimes(folder: string): Promise<void> {
  for (const name of ['signing', 'webhooks']) {
    const from = join(repository, 'packages', name);
    const to = join(folder, name);
    await mkdir(to, { recursive: true });
    await cp(join(from, 'package.json'), join(to, 'package.json'));
    const flags = ['--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'];
    await compile('ts7', from, ['-p', '.', ...flags, '--outDir', join(to, 'dist')]);
  }
}
