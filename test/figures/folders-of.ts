/**
 * Returns the folders of the modules in a bundle: of an installed package its name, of this repository the path in it,
 * of generated packages the path in their project. A module can be renamed or divided without a change of them.
 *
 * @param paths The inputs that have bytes in a bundle, as esbuild names them.
 * @param project The folder of the generated packages.
 */
export function foldersOf(paths: readonly string[], project: string): readonly string[] {
  const name = project.replace(/^.*[\\/]/u, '');
  const folders = paths.map((path) => {
    const modulePath = path.replaceAll('\\', '/');
    const [, installed] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(modulePath) ?? [];
    const [, generated = modulePath] = modulePath.split(`/${name}/`);
    return installed ?? generated.replace(/\/?[^/]*$/u, '');
  });
  return [...new Set(folders)].toSorted();
}
