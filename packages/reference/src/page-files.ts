import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The bundled scripts of the page. `theme` runs before the first paint, `main` after the content of the page. */
export interface PageScripts {
  readonly theme: string;
  readonly main: string;
}

const root = join(import.meta.dirname, '..');
const runsFromSource = import.meta.filename.endsWith('.ts');

/** The folder of the templates of the page. */
export const templates: string = join(root, 'templates');

/** The folder of what the page shares with the consoles: its theme and the base of its style. */
export const sharedFolder: string = packageFolder(
  import.meta.resolve('@countersign/console/package.json'),
  'page',
);

/**
 * Returns the bundled scripts of the page. Built code reads what the build has bundled. From source, they are bundled
 * now, because an earlier bundle can be older than its sources.
 */
export async function pageScripts(): Promise<PageScripts> {
  if (runsFromSource) {
    const { bundleScripts } = (await import(
      new URL('../bundle-scripts.ts', import.meta.url).href
    )) as {
      readonly bundleScripts: () => Promise<PageScripts>;
    };
    return await bundleScripts();
  }
  const read = async (name: string): Promise<string> =>
    await readFile(join(import.meta.dirname, 'page', name), 'utf8');
  return { theme: await read('theme.js'), main: await read('main.js') };
}

/**
 * Returns the absolute paths of the files that decide the page besides its templates: the modules of this package, and the
 * scripts. From source, these are the modules of the page, the shared theme, and the signing runtime.
 */
export function pageSources(): readonly string[] {
  if (!runsFromSource)
    return [...modulesIn(import.meta.dirname), ...modulesIn(join(import.meta.dirname, 'page'))];
  const runtime = import.meta.resolve('@countersign/runtime/package.json');
  return [
    import.meta.dirname,
    join(root, 'page'),
    sharedFolder,
    packageFolder(runtime, 'signing'),
    packageFolder(runtime, 'base'),
  ].flatMap(modulesIn);
}

function packageFolder(manifest: string, folder: string): string {
  return join(dirname(fileURLToPath(manifest)), folder);
}

function modulesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(extname(import.meta.filename)) && !name.endsWith('.d.ts'))
    .toSorted()
    .map((name) => join(folder, name));
}
