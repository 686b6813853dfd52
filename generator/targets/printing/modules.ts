import { posix } from 'node:path';

/**
 * Returns the path of a module of generated code, without its ending: that of the only module, or that of one of several,
 * such as `src/types` or `src/types/orders`.
 */
export function modulePath(path: string, module: string | undefined): string {
  return module === undefined ? path : `${path}/${module}`;
}

/** Returns the specifier by which one module imports another. Both paths are from the folder of the package. */
export function specifierOf(from: string, imported: string): string {
  const path = posix.relative(posix.dirname(from), imported);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Groups what modules contain by its module, in order of appearance. */
export function byModule<Part extends { readonly module?: string | undefined }>(
  parts: Iterable<Part>,
): ReadonlyMap<string | undefined, readonly Part[]> {
  return Map.groupBy(parts, ({ module }) => module);
}
