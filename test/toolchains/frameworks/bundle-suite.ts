import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repository } from '../../packaging/project.ts';
import { readContract } from '../../targets/client/emit-client.ts';

const sources = join(repository, 'packages/runtime/webhooks');

/** Sources of the runtime that the suite imports are the installed package. */
const installed: Plugin = {
  name: 'installed',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(sources, join(resolveDir, path));
      const name = /^(?<name>[\w-]+)\.ts$/u.exec(file)?.groups?.['name'];
      if (name === undefined) return undefined;
      const entry = name === 'index' ? '' : `/${name}`;
      return { path: `@instant-payment/runtime/webhooks${entry}`, external: true };
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
