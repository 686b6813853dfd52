import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { templateFiles } from '../targets/template-files.ts';
import type { Target, TargetContext } from '../targets/target.ts';
import { runtimeNames } from '../targets/package/runtime-names.ts';

/** Renderers by the text of their templates. Compiling templates takes longer than rendering all their output. */
const renderers = new Map<string, TargetContext['render']>();

/**
 * Returns the function that renders a target's templates. Every template can name the parts of the runtime: `runtime` has
 * their specifiers. For a target without templates, the function throws.
 * @param context what the packages of the run are called
 * @throws TypeError if two of the target's folders have a template with the same name
 */
export async function rendererOf(
  target: Pick<Target, 'name' | 'templates'>,
  context?: Pick<TargetContext, 'scope' | 'packageNames'>,
): Promise<TargetContext['render']> {
  const render = await ownRendererOf(target);
  if (context === undefined) return render;
  const runtime = runtimeNames(context);
  return (template, data) => render(template, { runtime, ...data });
}

async function ownRendererOf(
  target: Pick<Target, 'name' | 'templates'>,
): Promise<TargetContext['render']> {
  if (target.templates === undefined) {
    return () => {
      throw new TypeError(`the target "${target.name}" has no folder of templates`);
    };
  }
  const texts = new Map<string, string>();
  for (const path of templateFiles(target)) {
    const name = basename(path, '.hbs');
    if (texts.has(name)) throw new TypeError(`it has two templates named "${name}"`);
    texts.set(name, readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
  }
  const key = JSON.stringify([...texts]);
  const cachedRenderer = renderers.get(key);
  if (cachedRenderer !== undefined) return cachedRenderer;
  const { createRenderer } = await import('../targets/render.ts');
  const render = createRenderer(texts);
  renderers.set(key, render);
  return render;
}
