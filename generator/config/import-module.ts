import { readFileSync } from 'node:fs';
// Node 18 has no `registerHooks`: with a named import it would refuse this file before it says which Node is needed.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Imports a file of the user's project. It, and the files of the project that it imports, are ES modules if their text
 * has an `import` or `export`, whichever module type the package.json of the project has.
 *
 * Without this, Node prints a warning at every command in a project whose package.json has no `type`, and reads the file
 * as CommonJS in a project of `"type": "commonjs"`.
 */
export async function importModule(url: URL): Promise<{ readonly default?: unknown }> {
  // Node caches CommonJS modules by their path, without the query.
  Reflect.deleteProperty(module.createRequire(url).cache, fileURLToPath(url));
  const hooks = module.registerHooks({
    load: (loaded, context, next) => {
      const format = isModule(loaded) ? formats[extensionOf(loaded) ?? ''] : undefined;
      return next(loaded, format === undefined ? context : { ...context, format });
    },
  });
  try {
    return (await import(url.href)) as { readonly default?: unknown };
  } finally {
    hooks.deregister();
  }
}

/** The formats of files whose extension leaves the module type open. */
const formats: Readonly<Record<string, string>> = { js: 'module', ts: 'module-typescript' };

function isModule(url: string): boolean {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return false;
  if (formats[extensionOf(url) ?? ''] === undefined) return false;
  try {
    return /^(?:import|export)\b/mu.test(readFileSync(fileURLToPath(url), 'utf8'));
  } catch {
    // Node reports a file that it cannot read.
    return false;
  }
}

function extensionOf(url: string): string | undefined {
  return /\.(?<extension>\w+)(?:\?|$)/u.exec(url)?.groups?.['extension'];
}
