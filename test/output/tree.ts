import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OutputFile } from '../../generator/targets/target.ts';

/** Text by path. */
export type Tree = Readonly<Record<string, string>>;

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Every file below a folder, sorted by path; a symbolic link reads as where it leads. */
export async function readTree(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree: [string, string][] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isSymbolicLink()) tree.push([name, `-> ${await readlink(path)}`]);
    else if (entry.isFile()) tree.push([name, await readFile(path, 'utf8')]);
  }
  return Object.fromEntries(tree.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Output files that speak of the root of a document. */
export function toFiles(tree: Tree): readonly OutputFile[] {
  return Object.entries(tree).map(([path, text]) => ({ path, text, from: ['openapi#'] }));
}

/** Returns a tree without what a killed run leaves beside the files of the user. */
export function withoutLeftovers(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !/^\.(?:countersign|lock)-/u.test(path)),
  );
}
