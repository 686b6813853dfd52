import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { CommandError } from '../../command-error.ts';
import type { Config } from '../../../config/config.ts';
import type { ContractFiles } from '../../../load/contract-files.ts';
import { commonFolder } from '../../../load/sources.ts';
import { readRevision } from './read-revision.ts';

/** Where one of the two contracts is read from; to be disposed of. */
export interface Side extends AsyncDisposable {
  readonly contract: ContractFiles;
  /** What its paths are relative to, absolute. */
  readonly folder: string;
  /** Symbolic links and submodules that were not followed, in a revision of git. */
  readonly links?: readonly string[];
}

/**
 * Finds one of the two contracts: a document, a folder that has the files of the configuration, or the files of the
 * configuration as they were at a revision of git. What exists on disk is no revision.
 * @param of the file, folder or revision; `undefined` for what the configuration has now
 * @param folder what the paths of the configuration are relative to, absolute
 * @param from what `of` is relative to, absolute
 * @throws CommandError
 */
export async function resolveSide(
  of: string | undefined,
  config: Pick<Config, 'contract'>,
  folder: string,
  from: string,
): Promise<Side> {
  const { contract } = config;
  if (of === undefined) return { contract, folder, ...kept };
  const path = resolve(from, of);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return { ...(await toDocument(path)), ...kept };
  if (found?.isDirectory() === true) {
    return { contract: await existing(contract, path, of), folder: path, ...kept };
  }
  const revision = await readRevision(folder, of, partOf(contract, folder));
  const { links } = revision;
  try {
    const isLink = (file: string): boolean =>
      links.some((link) => file === link || file.startsWith(`${link}/`));
    const { openapi, asyncapi, overlays = [] } = contract;
    const link = [openapi, asyncapi, ...overlays].find(
      (file) => file !== undefined && isLink(posix.normalize(file)),
    );
    if (link !== undefined)
      throw new CommandError(
        'link',
        `\`${of}\` does not have \`${link}\` as a file. ${linkAdvice}`,
      );
    return {
      contract: await existing(contract, revision.folder, of),
      folder: revision.folder,
      links,
      [Symbol.asyncDispose]: () => revision[Symbol.asyncDispose](),
    };
  } catch (error) {
    await revision[Symbol.asyncDispose]();
    throw error;
  }
}

/** What a message says of the links and submodules of a revision. */
export const linkAdvice =
  'In a revision, `diff` does not follow symbolic links and submodules. Check the revision out with `git worktree add`, and give `diff` its folder.';

/** The folder that holds all files of a contract, relative to that of the configuration; empty where it is the same or above. */
function partOf(
  { openapi, asyncapi, overlays = [], folder: outermost }: ContractFiles,
  folder: string,
): string {
  const files = [openapi, asyncapi, ...overlays].filter((file) => file !== undefined);
  const path = relative(
    folder,
    outermost === undefined
      ? commonFolder(files.map((file) => resolve(folder, file)))
      : resolve(folder, outermost),
  );
  return path.startsWith('..') ? '' : path.split(sep).join('/');
}

/** Whether a path is that of a file. */
export async function isDocument(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** Takes a document for a contract of its own. */
export async function toDocument(path: string): Promise<Pick<Side, 'contract' | 'folder'>> {
  const folder = dirname(path);
  const text = await readFile(path, 'utf8');
  const isAsyncapi = /^\s*\{?\s*["']?asyncapi["']?\s*:/mu.test(text);
  const name = basename(path);
  return { contract: isAsyncapi ? { asyncapi: name } : { openapi: name }, folder };
}

const kept: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

/** The files of a contract that a folder has: a document may have come later, and an overlay too. */
async function existing(
  contract: ContractFiles,
  folder: string,
  of: string,
): Promise<ContractFiles> {
  const isThere = async (path: string): Promise<boolean> => await isDocument(join(folder, path));
  const { openapi, asyncapi, overlays = [] } = contract;
  const documents = {
    ...(openapi !== undefined && (await isThere(openapi)) ? { openapi } : {}),
    ...(asyncapi !== undefined && (await isThere(asyncapi)) ? { asyncapi } : {}),
  };
  if (Object.keys(documents).length === 0) {
    const wanted = [openapi, asyncapi].filter((path) => path !== undefined).join(' and ');
    throw new CommandError('not-found', `\`${of}\` has no ${wanted}.`);
  }
  const there = await Promise.all(overlays.map(isThere));
  const { folder: outermost } = contract;
  return {
    ...documents,
    overlays: overlays.filter((_, index) => there[index]),
    ...(outermost === undefined ? {} : { folder: outermost }),
  };
}
