import { posix } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import { compareCodeUnits } from '../../diagnostics/diagnostic.ts';
import { packageManagers } from '../../execution/package-managers.ts';
import { shellWord } from '../../execution/shell-word.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { registryMembers } from './manifest-settings.ts';
import { runtimePackage } from './runtime-package.ts';

/** The description of a generated package, without its code. */
export interface PackageDescription {
  /** The target that generates the package; also the name of its folder. */
  readonly target: string;
  readonly description: string;
  /**
   * Modules that importers can use: paths in `src` without extension. `index` is the package itself. A module with
   * another path than the one under which it is imported has both.
   */
  readonly entries: readonly (string | { readonly path: string; readonly module: string })[];
  /** The licence of code that has another one than the output. */
  readonly license?: { readonly id: string; readonly text: string };
  /** The licence of a part that has another one than the rest. The part has its text beside it. */
  readonly partLicense?: string | undefined;
  /** Other files that importers can use, relative to the package. */
  readonly data?: readonly string[];
  /** Files and folders that are published besides the built files. */
  readonly files: readonly string[];
  /** Version ranges by package name. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Version ranges of required peer dependencies. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Version ranges of optional peer dependencies. */
  readonly optionalPeers?: Readonly<Record<string, string>>;
  /** Version ranges of the optional peer dependencies without which the package does not compile. */
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** The versions of Node that it runs on. Default: those of the runtimes. */
  readonly node?: string;
  /** The compiler option `lib`. */
  readonly lib: readonly string[];
  /** The compiler option `types`: packages of `@types` whose globals and modules the code uses. */
  readonly types?: readonly string[];
  /** Targets whose packages TypeScript has to build first. */
  readonly references?: readonly string[];
  /** The files and folders that TypeScript compiles. */
  readonly include: readonly string[];
  /** The data of the README, besides the names, the description and the version of the contract. */
  readonly readme: object;
  /**
   * Whether the package has a file for coding agents, `AGENTS.md`. Its template uses names and no text of the contract,
   * because an agent could follow such a text as an instruction.
   */
  readonly hasAgentsFile?: boolean;
  /** The parts of the contract that the README is generated from; default: its `info`. */
  readonly readmeFrom?: OutputFile['from'];
}

/** The compiler option `lib` of code that uses Web standards. */
export const webLibraries: readonly string[] = [
  'es2023',
  'dom',
  'dom.iterable',
  'dom.asynciterable',
];

/** Returns the name of the package that a target of this run generates. */
export function packageName(
  context: Pick<TargetContext, 'scope' | 'packageNames'>,
  target: string,
): string {
  return context.packageNames[target] ?? `${context.scope}/${target}`;
}

/**
 * Returns the version of the package that a target of this run generates.
 * @throws TypeError if the target is not part of the run
 */
export function packageVersion(
  { packageVersions }: Pick<TargetContext, 'packageVersions'>,
  target: string,
): string {
  const version = packageVersions[target];
  if (version === undefined) throw new TypeError(`there is no version for the target "${target}"`);
  return version;
}

/**
 * Returns the range by which packages of this run require the package of a target: exactly its version, or the package
 * in the same workspace. Another package with its name is never installed from a registry then.
 * @throws TypeError if the target is not part of the run
 */
export function packageRange(
  context: Pick<TargetContext, 'packageVersions' | 'workspace'>,
  target: string,
): string {
  const version = packageVersion(context, target);
  return context.workspace?.hasProtocol === true ? 'workspace:*' : version;
}

/**
 * Returns the command that adds packages of this run to an application. Packages with `publishConfig` are published, so
 * their readers are elsewhere and may use any manager: the command is npm's. Otherwise, it is that of the workspace, and
 * asks no registry for them, because anybody could own their names there: with `workspace:*`, or with their folders, for
 * managers without it.
 * @param targets the targets of the packages
 * @param otherPackages names of packages that the application needs besides
 * @param use whether the application runs with them, or only its tests
 * @throws TypeError if a target is not part of the run
 */
export function addCommand(
  context: Pick<
    TargetContext,
    'scope' | 'packageNames' | 'packageVersions' | 'packageJson' | 'workspace' | 'output'
  >,
  targets: readonly string[],
  otherPackages: readonly string[] = [],
  use: 'add' | 'addDevelopment' = 'add',
): string {
  const isPublished = context.packageJson?.publishConfig !== undefined;
  const manager = isPublished ? 'npm' : (context.workspace?.manager ?? 'npm');
  // Outside of a workspace, npm asks a registry for each package that the others require and the command does not name.
  const needed =
    isPublished || context.workspace !== undefined
      ? targets
      : new Set([...targets, ...targets.flatMap(requiredBy)]);
  const names = Array.from(needed, (target) => {
    const name = packageName(context, target);
    if (isPublished) return name;
    return addsFolders(context)
      ? shellWord(packageFolder(context, target))
      : `${name}@${packageRange(context, target)}`;
  });
  return [packageManagers[manager][use], ...names, ...otherPackages].join(' ');
}

/**
 * Returns the command that compiles a package with those that it requires, from the folder of the configuration;
 * `undefined` for packages with `publishConfig`, whose readers get them compiled.
 */
function buildCommand(
  context: Pick<TargetContext, 'packageJson' | 'workspace' | 'output'>,
  target: string,
): string | undefined {
  if (context.packageJson?.publishConfig !== undefined) return undefined;
  const { execute } = packageManagers[context.workspace?.manager ?? 'npm'];
  return `${execute} tsc -b ${shellWord(packageFolder(context, target))}`;
}

/** Returns the targets of the packages that a package requires: the runtime is part of clients and receivers. */
function requiredBy(target: string): readonly string[] {
  if (target === 'contract' || target === runtimePackage) return [];
  const isReceiver = target.startsWith('webhooks');
  return [
    ...(isReceiver && target !== 'webhooks' ? ['webhooks'] : []),
    'contract',
    ...(isReceiver || target === 'client' ? [runtimePackage] : []),
  ];
}

/** Returns whether the command adds packages by their folders, so that it depends on where it runs. */
export function addsFolders({
  packageJson,
  workspace,
}: Pick<TargetContext, 'packageJson' | 'workspace'>): boolean {
  return packageJson?.publishConfig === undefined && workspace?.hasProtocol !== true;
}

/** Returns the path of a package, from the folder of the configuration. */
function packageFolder(
  { output = 'generated' }: Pick<TargetContext, 'output'>,
  target: string,
): string {
  // The text must not depend on the machine.
  const folder = posix.isAbsolute(output) ? posix.basename(output) : posix.join(output);
  return `${folder.startsWith('..') ? '' : './'}${posix.join(folder, target)}`;
}

/** The versions of TypeScript that compile generated packages. */
const typescript = '>=5.8 <8';

/**
 * Writes the files that every package needs: its manifest, its compiler options and its README; for the MIT licence,
 * also its text.
 */
export function* emitPackageFrame(
  contract: Contract,
  context: TargetContext,
  description: PackageDescription,
): Generator<OutputFile> {
  const { target, data = [], types = [], references = [], hasAgentsFile = false } = description;
  const { dependencies = {}, devDependencies = {}, optionalPeers = {} } = description;
  const peers = unlessEmpty(sorted({ ...description.peers, ...optionalPeers }));
  const { info } = contract;
  const ofContract = context.license ?? licenseOf(contract);
  const license = description.license?.id ?? withPart(ofContract, description.partLicense);
  const toFile = (
    path: string,
    values: object,
    from: OutputFile['from'] = [info.pointer],
  ): OutputFile => ({
    path: `${target}/${path}`,
    text: context.render(path, values),
    from,
  });
  const name = packageName(context, target);
  const about = description.description;
  yield toFile('package.json', {
    name,
    version: packageVersion(context, target),
    description: about,
    license,
    entries: description.entries
      .map((entry) => (typeof entry === 'string' ? { path: entry, module: entry } : entry))
      .map(({ path, module }) => ({
        path: path === 'index' ? '.' : `./${path}`,
        source: `./src/${module}.ts`,
        types: `./dist/${module}.d.ts`,
        code: `./dist/${module}.js`,
      })),
    data: data.map((file) => `./${file}`),
    files: [
      'dist',
      '!dist/*.tsbuildinfo',
      ...(hasAgentsFile ? ['AGENTS.md'] : []),
      ...description.files,
    ],
    // In the order of their names, in which package managers write them when they change a manifest.
    dependencies: unlessEmpty(sorted(dependencies)),
    // Some package managers offer a package only what it lists itself, its commands and required peers included.
    devDependencies: sorted({ ...description.peers, ...devDependencies, typescript }),
    registry: registryMembers(context.packageJson, target),
    node: description.node ?? '>=20.12',
    peers,
    peersMeta: unlessEmpty(
      Object.fromEntries(Object.keys(optionalPeers).map((name) => [name, { optional: true }])),
    ),
  });
  yield toFile('tsconfig.json', {
    lib: description.lib,
    types,
    // With peers, the template sets `skipLibCheck`: errors in the types of peers cannot be fixed here.
    peers,
    references: unlessEmpty(references.map((other) => ({ path: `../${other}` }))),
    include: description.include,
  });
  if (description.license !== undefined)
    yield { path: `${target}/LICENSE`, text: description.license.text, from: [] };
  else if (ofContract === 'MIT') yield toFile('LICENSE', { holder: info.title });
  const { title, version: contractVersion } = info;
  const build = buildCommand(context, target);
  const readme = { name, about, title, contractVersion, build, ...description.readme };
  yield toFile('README.md', readme, description.readmeFrom);
  if (hasAgentsFile) yield toFile('AGENTS.md', readme);
}

function sorted(ranges: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(ranges).toSorted(([a], [b]) => compareCodeUnits(a, b)));
}

function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/**
 * Returns the SPDX expression for code with a licence, a part of which has another one. Without a licence, and for words
 * of npm that are no expression, nothing is combined: the text of the licence is beside the part.
 */
function withPart(license: string | undefined, part: string | undefined): string | undefined {
  if (license === undefined || part === undefined || license === part) return license;
  if (/^(?:UNLICENSED$|SEE LICENSE IN )/u.test(license)) return license;
  return `${/ OR /iu.test(license) ? `(${license})` : license} AND ${part}`;
}

/**
 * Returns the SPDX expression that npm requires: the identifier, or `MIT` for a licence of that name. The name of any
 * other licence is not an SPDX expression, so it yields `undefined`.
 */
function licenseOf({ info }: Contract): string | undefined {
  const { identifier, name } = info.license ?? {};
  return identifier ?? (/^MIT(?: License)?$/iu.test(name ?? '') ? 'MIT' : undefined);
}
