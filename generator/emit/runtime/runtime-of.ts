import type { Contract } from '../../contract/contract.ts';
import { templateFolder } from '../../targets/built-in.ts';
import { packageName } from '../../targets/package/package-files.ts';
import { runtimePackage } from '../../targets/package/runtime-package.ts';
import { openRuntimeSources } from '../../targets/package/runtime-sources.ts';
import type { OutputFile, Target, TargetContext } from '../../targets/target.ts';
import { rendererOf } from '../renderer.ts';
import { isCode } from '../guard.ts';
import { emitRuntime, importedEntries } from './emit-runtime.ts';

/**
 * Returns the files of the runtime: what the emitted files import, and what options of the targets ask for. Returns none
 * if that is nothing.
 */
export async function runtimeOf(
  targets: readonly Target[],
  contract: Contract,
  context: Omit<TargetContext, 'options' | 'render'>,
  emitted: readonly OutputFile[],
): Promise<readonly OutputFile[]> {
  const asked = targets.flatMap(
    (target) => target.runtimeEntries?.(context.targetOptions?.[target.name] ?? {}) ?? [],
  );
  const name = packageName(context, runtimePackage);
  if (
    asked.length === 0 &&
    !emitted.some(({ path, text }) => isCode(path) && text.includes(`${name}/`))
  )
    return [];
  const sources = openRuntimeSources();
  const imported = importedEntries(emitted, name, sources);
  const entries = [...sources.entries.keys()].filter(
    (entry) => asked.includes(entry) || imported.includes(entry),
  );
  if (entries.length === 0) return [];
  const templates = [templateFolder('package'), templateFolder('runtime')];
  const render = await rendererOf({ name: runtimePackage, templates }, context);
  return [...emitRuntime(contract, { ...context, options: {}, render }, entries, sources)];
}
