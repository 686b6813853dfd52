import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { readContract } from '../targets/client/emit-client.ts';

const expect = join(import.meta.dirname, 'hosted/expect.ts');

/** The suite, with the contract that it knows, as a module that any runtime loads. */
export async function writeSuite(folder: string): Promise<void> {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  await writeFile(join(folder, 'contract.json'), JSON.stringify(contract));
  await writeFile(
    join(folder, 'suite.ts'),
    `import contract from './contract.json';
import { runSuites } from '../run-suite.ts';
export const run = (ports, names) => runSuites(contract, ports, names);
`,
  );
  await bundle({
    entryPoints: [join(folder, 'suite.ts')],
    outfile: join(folder, 'suite.js'),
    platform: 'node',
    alias: { vitest: expect },
  });
}

/** The Worker with the suite inside: nothing of Node, and what the rules need of it by other means. */
export async function bundleWorker(
  folder: string,
  application: string,
  recipe: string,
): Promise<void> {
  const node = join(application, 'node.ts');
  const exchange: Plugin = {
    name: 'exchange',
    setup: ({ onResolve }) => {
      onResolve({ filter: /\/exchange\.ts$/ }, () => ({ path: join(application, 'exchange.ts') }));
    },
  };
  await bundle({
    entryPoints: [join(application, 'main.ts')],
    outfile: join(application, 'worker.js'),
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    inject: [join(application, 'buffer.ts')],
    alias: {
      vitest: expect,
      'hosted-suite': join(folder, 'suite.ts'),
      'hosted-recipe': join(application, recipe),
      'node:crypto': node,
      'node:timers/promises': node,
      'node:util': node,
      'node:zlib': node,
    },
    plugins: [exchange],
  });
}

async function bundle(options: BuildOptions): Promise<void> {
  // Not before the hosts are installed: they bring one of their own.
  const { build } = await import('esbuild');
  await build({ bundle: true, format: 'esm', logLevel: 'silent', ...options });
}
