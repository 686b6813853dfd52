import { stat } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import type { Config, ContractFiles } from 'countersign';
import { commonFolder, isInFolder, toFile } from 'countersign/companion/paths';
import { documentsOf, namedFiles } from 'countersign/companion/project';
import { CommandError } from 'countersign/companion/terminal';
import { readRevision } from './read-revision.ts';

/** One of the two contracts to compare. The caller must dispose of it. */
export interface Side extends AsyncDisposable {
  readonly contract: ContractFiles;
  /** The absolute folder that the contract's paths are relative to. */
  readonly folder: string;
  /** Symbolic links and submodules of a git revision, which are not followed. */
  readonly links?: readonly string[];
}

/**
 * Resolves one of the two contracts: a document, a folder with the files of the configuration, or a git revision of
 * these files. An existing path takes precedence over a revision.
 * @param of the file, folder or revision; `undefined` for the current files of the configuration
 * @param folder the absolute folder that the paths of the configuration are relative to
 * @param from the absolute folder that `of` is relative to
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
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() === true) return { ...(await toDocument(path)), ...kept };
  if (stats?.isDirectory() === true) {
    return { contract: await existing(contract, path, of), folder: path, ...kept };
  }
  const revision = await readRevision(folder, of, partOf(contract, folder));
  const { links } = revision;
  try {
    const isLink = (file: string): boolean =>
      links.some((link) => file === link || file.startsWith(`${link}/`));
    const link = namedFiles(contract).find((file) => isLink(posix.normalize(file)));
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

/** The advice in messages about links and submodules of a revision. */
export const linkAdvice =
  'In a revision, `diff` does not follow symbolic links and submodules. Check the revision out with `git worktree add`, and give `diff` its folder.';

/**
 * Returns the folder with all files of a contract, relative to that of the configuration. Returns an empty string if it
 * is the same folder or outside of it.
 */
function partOf(contract: ContractFiles, folder: string): string {
  const part =
    contract.folder === undefined
      ? commonFolder(namedFiles(contract).map((file) => resolve(folder, file)))
      : resolve(folder, contract.folder);
  return isInFolder(folder, part) ? toFile(folder, part) : '';
}

/** Returns whether a path is an existing file. */
export async function isDocument(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Returns a contract that consists of a single document, with the folder of the document. */
export async function toDocument(path: string): Promise<Pick<Side, 'contract' | 'folder'>> {
  const folder = dirname(path);
  return { contract: await documentsOf([path], folder, folder), folder };
}

const kept: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

/**
 * Returns the files of a contract that exist in a folder. A document or an overlay can be missing in an older revision.
 * Workflows are left out, because nothing of them is compared.
 * @throws CommandError `not-found` if neither document exists
 */
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
