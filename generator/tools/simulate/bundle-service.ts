import { posix } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/contract.ts';
import { emit } from '../../emit/emit.ts';
import type { ReportProgress } from '../../execution/progress.ts';
import { ValidatorCompiler, type ValidatorCache } from '../../schema/validator-compiler.ts';
import { resolveTargets } from '../../targets/registry.ts';

/** The scope of the packages that are bundled. It never reaches a disk. */
const scope = '@simulated';

/**
 * Returns the description of a contract as the text of one module, which imports nothing. It is made of the packages
 * that `generate` writes, so that the command and the package `simulator` check the same.
 */
export async function bundleService(
  contract: Contract,
  config: Config,
  cache: ValidatorCache | undefined,
  report: ReportProgress,
): Promise<string> {
  const targets = await resolveTargets(['contract', 'simulator']);
  const settings = { ...config, scope, layout: 'packages', validators: true } as const;
  const compiler = new ValidatorCompiler({ cache, eager: true });
  // The module is for machines.
  const format = async (_path: string, text: string): Promise<string> => text;
  const options = { report, compiler, format };
  const emitted = emit(contract, targets, settings, options).finally(() => compiler.close());
  const { files } = await emitted;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: ['simulator/src/service.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'node22',
    treeShaking: true,
    plugins: [inMemory(texts)],
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** Resolves and loads emitted files, which are not on the disk. */
function inMemory(texts: ReadonlyMap<string, string>): Plugin {
  const namespace = 'emitted';
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer }) => {
        if (path === `${scope}/contract`) return { path: 'contract/src/index.ts', namespace };
        const place = path.startsWith('.') ? posix.join(posix.dirname(importer), path) : path;
        return { path: place, namespace };
      });
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const contents = texts.get(path);
        if (contents === undefined) return { errors: [{ text: `${path} was not emitted.` }] };
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}
