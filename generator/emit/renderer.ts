import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { templateFiles } from '../targets/template-files.ts';
import type { Target, TargetContext } from '../targets/target.ts';

/** Renderers by the text of their templates. Compiling templates takes longer than rendering all their output. */
const renderers = new Map<string, TargetContext['render']>();

/**
 * Returns the function that renders a target's templates. For a target without templates, that function throws.
 * @throws TypeError if two of the target's folders have a template with the same name
 */
export async function rendererOf(
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
