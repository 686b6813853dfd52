import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadConfig } from '../../generator/config/load-config.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { manifestPath } from '../../generator/emit/output-path.ts';
import { readContract } from '../../generator/generate.ts';
import { manifestOf } from '../../generator/output/plan.ts';
import { type Tree, writeTree } from '../output/tree.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** An edit of a file of `spec/`: its name without the folder, and the function that changes its text. */
export type Edit = readonly [file: string, edit: (text: string) => string];

/**
 * Generates this repository's contract as its configuration says, with edited files, and returns every file of the
 * output.
 * @throws Error if an edit changes nothing, or the edited contract is invalid
 */
export async function generateEdited(edits: readonly Edit[]): Promise<Tree> {
  const { configs, file } = await loadConfig(repository);
  const [config] = configs;
  if (config === undefined) throw new Error('The configuration has no contract.');
  const texts = new Map<string, string>();
  for (const [name, edit] of edits) {
    const path = join(repository, 'spec', name);
    const text = texts.get(path) ?? (await readFile(path, 'utf8'));
    const edited = edit(text);
    if (edited === text) throw new Error(`An edit does not change ${name}.`);
    texts.set(path, edited);
  }
  const { contract, documents, diagnostics } = await readContract(config, repository, { texts });
  if (contract === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const files = await emitFiles(contract, config, file, undefined, documents.cite);
  return {
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
    [manifestPath]: manifestOf(files),
  };
}

/** The number of lines of a file that a change adds and removes. */
export interface FileChange {
  readonly path: string;
  readonly lines: number;
}

/** Returns the files of the output that a change adds, removes or changes, as `git diff --numstat` counts them. */
export async function changedFiles(before: Tree, after: Tree): Promise<readonly FileChange[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'countersign-edited-'));
  const folder = temporary.path;
  const differing = (tree: Tree, other: Tree): Tree =>
    Object.fromEntries(Object.entries(tree).filter(([path, text]) => other[path] !== text));
  await writeTree(join(folder, 'a'), { ...differing(before, after), '.kept': '' });
  await writeTree(join(folder, 'b'), { ...differing(after, before), '.kept': '' });
  const parameters = ['diff', '--no-index', '--no-renames', '--numstat', 'a', 'b'];
  const { stdout } = await promisify(execFile)('git', parameters, { cwd: folder }).catch(
    (error: { readonly code?: number; readonly stdout: string }) => {
      // Git exits with 1 if there are differences.
      if (error.code === 1) return error;
      throw error;
    },
  );
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [added, removed, path = ''] = line.split('\t');
      return { path, lines: Number(added) + Number(removed) };
    });
}
