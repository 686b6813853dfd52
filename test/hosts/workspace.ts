import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { install, pack, repository } from '../packaging/project.ts';
import { buildApplication, tryOn, writeApplication, type Trial } from './application.ts';
import { writeSuite } from './bundle.ts';
import type { Host } from './hosts.ts';

const run = promisify(execFile);
const here = import.meta.dirname;

/** A folder beside the installed hosts that has the packages as they are published, and the suite in one file. */
export interface Workspace extends AsyncDisposable {
  /** Builds an application and runs its suites on it; rejects with what was printed where that fails. */
  tryOn(host: Host): Promise<Trial>;
  /** Builds the application, whose receiver needs a secret, without one; rejects with what was printed. */
  buildWithoutSecret(host: Host): Promise<void>;
}

/** Installs the hosts, and packs what is tried on them. */
export async function createWorkspace(): Promise<Workspace> {
  await install(here);
  const folder = await mkdtemp(join(here, '.work-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  try {
    await installPackages(folder);
    await writeSuite(folder);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    tryOn: (host) => tryOn(folder, host),
    buildWithoutSecret: async (host) => {
      const application = await writeApplication(folder, host, 'with-secret.ts');
      await buildApplication(application, { ...host, env: { WEBHOOK_SECRET: '' } });
    },
    [Symbol.asyncDispose]: remove,
  };
}

const packages: ReadonlyMap<string, string> = new Map([
  ['@instant-payment/runtime', 'generated/runtime'],
  ['@instant-payment/contract', 'generated/contract'],
  ['@instant-payment/webhooks', 'generated/webhooks'],
  ['@instant-payment/webhooks-cloudflare', 'generated/webhooks-cloudflare'],
  ['@instant-payment/webhooks-nextjs', 'generated/webhooks-nextjs'],
]);

async function installPackages(folder: string): Promise<void> {
  const tsc = join(repository, 'node_modules/ts7/bin/tsc');
  await run(process.execPath, [tsc, '-b', ...packages.values()], { cwd: repository });
  const names = [...packages.keys()];
  const archives = await pack(names, folder);
  for (const [index, name] of names.entries()) {
    const target = join(folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', archives[index] ?? '', '-C', target, '--strip-components=1']);
  }
}
