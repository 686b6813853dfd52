import { registerHooks } from 'node:module';

/**
 * Imports a package of this workspace. Imports its source if the toolkit itself runs from source, because the package
 * may not have been built yet.
 */
export async function fromSource<Module>(load: () => Promise<Module>): Promise<Module> {
  if (!import.meta.filename.endsWith('.ts')) return await load();
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['countersign-source', ...context.conditions] }),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
