// Not by its name: Node 18 has no `registerHooks`, and would refuse this import instead of reporting its version.
import module from 'node:module';

let resolvesSources = false;

/**
 * Imports a package of this workspace. Imports its source if the toolkit itself runs from source, because the package
 * may not have been built yet. From then on, every package of the workspace is imported from source: a companion that
 * imports the toolkit when it is called gets the modules that run.
 */
export async function fromSource<Module>(load: () => Promise<Module>): Promise<Module> {
  if (import.meta.filename.endsWith('.ts') && !resolvesSources) {
    resolvesSources = true;
    module.registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, { ...context, conditions: ['countersign-source', ...context.conditions] }),
    });
  }
  return await load();
}
