import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { PackageManager, PackageWorkspace } from '../execution/package-managers.ts';
import { readIfPresent, readJson } from './read-json.ts';

/** The workspace of a package manager. */
export interface Workspace extends PackageWorkspace {
  /** Returns whether a folder, absolute, is the folder of one of its packages. */
  has(folder: string): boolean;
  /** Returns whether a folder, absolute, is below the root of the workspace. */
  contains(folder: string): boolean;
  /** Returns the folders of all of its packages, and its root. */
  members(): Promise<readonly string[]>;
}

/**
 * Finds the nearest workspace that has the packages of an output folder. Returns `undefined` if there is none.
 *
 * The manager is the one that `packageManager` or `devEngines.packageManager` in the package.json of the workspace
 * names. Otherwise, it is the one whose files are there: `pnpm-workspace.yaml`, a lockfile, or `.yarnrc.yml`.
 * @param member the folder of one of the packages, absolute; it does not have to exist
 */
export async function findWorkspace(member: string): Promise<Workspace | undefined> {
  for (let root = dirname(member); ; root = dirname(root)) {
    const manifest = (await readJson(join(root, 'package.json'))) ?? {};
    const list = (await readPnpmPatterns(root)) ?? listedPatterns(manifest);
    const matches = workspaceMatcher(list);
    const has = (folder: string): boolean => matches(relative(root, folder).split(sep).join('/'));
    if (has(member)) {
      const contains = (folder: string): boolean => folder.startsWith(root + sep);
      const evident = await findEvidentManager(root, manifest);
      const members = (): Promise<readonly string[]> => findMembers(root, list, has);
      return { ...(evident ?? { manager: 'npm', hasProtocol: false }), has, contains, members };
    }
    if (dirname(root) === root) return undefined;
  }
}

/**
 * Returns the package manager of an application: the one that the nearest folder names or has files of, from a folder
 * upwards, as for a workspace. Returns npm if there is none.
 * @param folder absolute
 */
export async function findApplicationManager(folder: string): Promise<PackageManager> {
  for (let at = folder; ; at = dirname(at)) {
    // What cannot be read counts as absent: the manager is only a hint here.
    const manifest = (await readJson(join(at, 'package.json')).catch(() => undefined)) ?? {};
    const evident = await findEvidentManager(at, manifest).catch(() => undefined);
    if (evident !== undefined) return evident.manager;
    // Outside of a workspace, pnpm has no file of settings.
    const lockfile = readIfPresent(join(at, 'pnpm-lock.yaml')).catch(() => undefined);
    if ((await lockfile) !== undefined) return 'pnpm';
    if (dirname(at) === at) return 'npm';
  }
}

async function findMembers(
  root: string,
  patterns: readonly string[],
  has: (folder: string) => boolean,
): Promise<readonly string[]> {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const manifests = wanted.map((pattern) => posix.join(pattern, 'package.json'));
  const members: string[] = [];
  const exclude = (path: string): boolean => basename(path) === 'node_modules';
  // Node 18, which the toolkit refuses in one sentence, has no such export.
  const { glob } = await import('node:fs/promises');
  for await (const path of glob(manifests, { cwd: root, exclude })) {
    const folder = join(root, dirname(path));
    if (has(folder)) members.push(folder);
  }
  return [root, ...members.toSorted()];
}

/** Returns whether a path, relative and with `/`, matches the npm workspaces of a package.json. */
export function npmWorkspaceMatcher(manifest: JsonObject): (path: string) => boolean {
  return workspaceMatcher(listedPatterns(manifest));
}

/** Returns the package manager that the files of a folder show; `undefined` if none of them does. */
async function findEvidentManager(
  root: string,
  manifest: JsonObject,
): Promise<PackageWorkspace | undefined> {
  const named = statedManager(manifest);
  const lockedBy = async (...names: readonly string[]): Promise<string | undefined> => {
    const texts = await Promise.all(names.map((name) => readIfPresent(join(root, name))));
    return texts.find((text) => text !== undefined);
  };
  if (named?.manager === 'yarn' && named.major !== undefined)
    return { manager: 'yarn', hasProtocol: named.major > 1 };
  if (named !== undefined && named.manager !== 'yarn')
    return { manager: named.manager, hasProtocol: named.manager !== 'npm' };
  const yarn = await lockedBy('yarn.lock');
  // Only the lockfiles of Yarn 2 and later have this member, and only these versions read `.yarnrc.yml`.
  const isModernYarn =
    yarn === undefined
      ? (await lockedBy('.yarnrc.yml')) !== undefined
      : /^__metadata:/mu.test(yarn);
  if (named !== undefined) return { manager: 'yarn', hasProtocol: isModernYarn };
  if ((await readPnpmPatterns(root)) !== undefined) return { manager: 'pnpm', hasProtocol: true };
  // All managers read the ranges that npm reads, so npm comes first.
  if ((await lockedBy('package-lock.json', 'npm-shrinkwrap.json')) !== undefined)
    return { manager: 'npm', hasProtocol: false };
  if (yarn !== undefined || isModernYarn) return { manager: 'yarn', hasProtocol: isModernYarn };
  if ((await lockedBy('bun.lock', 'bun.lockb')) !== undefined)
    return { manager: 'bun', hasProtocol: true };
  return undefined;
}

/** Returns the manager that a package.json names, and its major version if that is known. */
function statedManager({
  packageManager,
  devEngines,
}: JsonObject):
  | { readonly manager: PackageManager; readonly major?: number | undefined }
  | undefined {
  const engines = isJsonObject(devEngines) ? devEngines['packageManager'] : undefined;
  const engine = Array.isArray(engines) ? engines[0] : engines;
  const { name, version } = isJsonObject(engine) ? engine : {};
  const named =
    typeof name === 'string' ? `${name}@${typeof version === 'string' ? version : ''}` : undefined;
  for (const text of [packageManager, named]) {
    const [, manager, major] =
      /^(npm|pnpm|yarn|bun)@(?:\D*(\d+))?/u.exec(typeof text === 'string' ? text : '') ?? [];
    if (isManager(manager))
      return { manager, major: major === undefined ? undefined : Number(major) };
  }
  return undefined;
}

function isManager(name: string | undefined): name is PackageManager {
  return name === 'npm' || name === 'pnpm' || name === 'yarn' || name === 'bun';
}

/** Returns the patterns of `pnpm-workspace.yaml`; `undefined` if there is no such file, or it lists no packages. */
async function readPnpmPatterns(root: string): Promise<readonly string[] | undefined> {
  const text = await readIfPresent(join(root, 'pnpm-workspace.yaml'));
  if (text === undefined) return undefined;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const value: unknown = document.errors.length > 0 ? undefined : document.toJS();
  const packages = isJsonObject(value) ? value['packages'] : undefined;
  return Array.isArray(packages) ? textsIn(packages) : undefined;
}

function listedPatterns({ workspaces }: JsonObject): readonly string[] {
  const list = isJsonObject(workspaces) ? workspaces['packages'] : workspaces;
  return Array.isArray(list) ? textsIn(list) : [];
}

function textsIn(list: readonly Json[]): readonly string[] {
  return list.filter((item) => typeof item === 'string');
}

function workspaceMatcher(patterns: readonly string[]): (path: string) => boolean {
  const matches = (path: string, pattern: string): boolean =>
    posix.matchesGlob(path, posix.normalize(pattern).replace(/\/$/u, ''));
  return (path) =>
    patterns.some((pattern) => !pattern.startsWith('!') && matches(path, pattern)) &&
    !patterns.some((pattern) => pattern.startsWith('!') && matches(path, pattern.slice(1)));
}
