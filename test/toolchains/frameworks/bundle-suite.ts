import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repository } from '../../packaging/project.ts';
import { readContract } from '../../targets/client/emit-client.ts';

const runtime = join(repository, 'packages/runtime');

/** Returns the entry of an installed package that has a module of the runtime, by its path there. */
function entryOf(path: string): string | undefined {
  const { part, name } =
    /^(?<part>adapters|webhooks)\/(?<name>[\w-]+)\.ts$/u.exec(path)?.groups ?? {};
  if (part === 'adapters') return `@instant-payment/webhooks-${name}/adapter`;
  if (part === 'webhooks')
    return `@instant-payment/runtime/webhooks${name === 'receiver' ? '' : `/${name}`}`;
  return undefined;
}

/** Sources of the runtime that the suite imports are those of the installed packages. */
const installed: Plugin = {
  name: 'installed',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const entry = entryOf(relative(runtime, join(resolveDir, path)));
      return entry === undefined ? undefined : { path: entry, external: true };
    });
  },
};

/** Returns the code of the conformance suite as one module that imports frameworks and packages by their names. */
export async function bundleSuite(): Promise<string> {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  const code = `import { runSuite } from './suite.ts';
await runSuite(${JSON.stringify(contract)}, process.argv[2]);
`;
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
    plugins: [installed],
    alias: { vitest: join(repository, 'test/hosts/hosted/expect.ts') },
  });
  return outputFiles[0]?.text ?? '';
}
