import type { Contract } from '../../contract/contract.ts';
import type { OutputFile, TargetContext } from '../target.ts';

/** What makes one generated package differ from another, apart from its code. */
export interface PackageDescription {
  /** The target that makes it, which is the name of its folder as well. */
  readonly target: string;
  readonly description: string;
  /** Modules that importers name, each by its path without ending in `src`; `index` is the package itself. */
  readonly entries: readonly string[];
  /** Files that importers name as they are, relative to the package. */
  readonly data?: readonly string[];
  /** What is published besides what is built. */
  readonly files: readonly string[];
  /** Ranges by package name. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Ranges of what an importer has to have. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Ranges of what an importer may have. */
  readonly optionalPeers?: Readonly<Record<string, string>>;
  /** Libraries of the platform, as TypeScript names them. */
  readonly lib: readonly string[];
  /** Packages below `@types` whose globals and modules the code's types speak of. */
  readonly types?: readonly string[];
  /** Targets whose packages have to be built first. */
  readonly references?: readonly string[];
  /** What is compiled. */
  readonly include: readonly string[];
}

/** The built-in libraries of code that speaks the standards of the Web. */
export const webLibraries: readonly string[] = [
  'es2023',
  'dom',
  'dom.iterable',
  'dom.asynciterable',
];

/** The name of the package that a target of this run makes. */
export function packageName(context: TargetContext, target: string): string {
  return context.packageNames[target] ?? `${context.scope}/${target}`;
}

/** What makes a folder a package: its manifest, its compiler options, and a licence where the contract has one. */
export function* emitPackageFrame(
  contract: Contract,
  context: TargetContext,
  description: PackageDescription,
): Generator<OutputFile> {
  const { target, data = [], types = [], references = [] } = description;
  const { dependencies = {}, optionalPeers = {} } = description;
  const peers = unlessEmpty({ ...description.peers, ...optionalPeers });
  const { info } = contract;
  const license = licenseOf(contract);
  const toFile = (path: string, values: object): OutputFile => ({
    path: `${target}/${path}`,
    text: context.render(path, values),
    from: [info.pointer],
  });
  yield toFile('package.json', {
    name: packageName(context, target),
    version: context.version,
    description: description.description,
    license,
    entries: description.entries.map((entry) => ({
      path: entry === 'index' ? '.' : `./${entry}`,
      source: `./src/${entry}.ts`,
      types: `./dist/${entry}.d.ts`,
      code: `./dist/${entry}.js`,
    })),
    data: data.map((file) => `./${file}`),
    files: ['dist', '!dist/*.tsbuildinfo', ...description.files],
    dependencies: unlessEmpty(dependencies),
    peers,
    peersMeta: unlessEmpty(
      Object.fromEntries(Object.keys(optionalPeers).map((name) => [name, { optional: true }])),
    ),
  });
  yield toFile('tsconfig.json', {
    lib: description.lib,
    types,
    // What the peers' own types get wrong is theirs to mend.
    peers,
    references: unlessEmpty(references.map((other) => ({ path: `../${other}` }))),
    include: description.include,
  });
  if (license === 'MIT') yield toFile('LICENSE', { holder: info.title });
}

function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** SPDX, as npm wants it; a licence that has only a name is not repeated as if it were an expression. */
function licenseOf({ info }: Contract): string | undefined {
  const { identifier, name } = info.license ?? {};
  return identifier ?? (/^MIT(?: License)?$/iu.test(name ?? '') ? 'MIT' : undefined);
}
