// Node 18 has no `registerHooks`: with a named import it would refuse this file before it says which Node is needed.
import module from 'node:module';
import type { Service } from '../service.ts';

/** The scope of the packages that are emitted. It never reaches a disk. */
export const simulatedScope = '@simulated';

/** The texts of emitted modules, by path. */
export type EmittedTexts = Readonly<Record<string, string>>;

/** An import of the package `contract`; the entry is a module of its sources, or a file of its folder `runtime`. */
const contractEntry = new RegExp(
  `^${simulatedScope}/contract(?:/(?:([\\w-]+)|(runtime/[\\w-]+\\.js)))?$`,
  'u',
);

/**
 * Imports the service that emitted modules describe. They are not on the disk: their addresses begin with a scheme that
 * only these hooks know, so that they import each other and nothing else.
 * @param hash of the texts; a process imports the same texts once
 */
export async function importService(texts: EmittedTexts, hash: string): Promise<Service> {
  const base = `emitted://${hash}/`;
  const start = `${base}simulator/src/service.ts`;
  const hooks = module.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (specifier !== start && parentURL?.startsWith(base) !== true)
        return next(specifier, context);
      const found = contractEntry.exec(specifier);
      const url =
        found === null
          ? new URL(specifier, parentURL).href
          : `${base}contract/${found[2] ?? `src/${found[1] ?? 'index'}.ts`}`;
      return { url, shortCircuit: true };
    },
    load(url, context, next) {
      const source = url.startsWith(base) ? texts[url.slice(base.length)] : undefined;
      if (source === undefined) return next(url, context);
      const format = url.endsWith('.ts') ? 'module-typescript' : 'module';
      return { format, source, shortCircuit: true };
    },
  });
  try {
    const { service } = (await import(start)) as { readonly service: Service };
    return service;
  } finally {
    hooks.deregister();
  }
}
