import { execFile } from 'node:child_process';
import { access, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  buildAll,
  createProject,
  node22,
  pack,
  packToolkit,
  repository,
  type Project,
} from './project.ts';

const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(resolve(repository, path), 'utf8')) as Manifest;
}

/** What is installed: the toolkit, and the packages that it generated here. */
const packages = new Map<string, Manifest>([
  ['countersign', await readManifest('generator/package.json')],
]);
for await (const path of glob('generated/*/package.json', { cwd: repository })) {
  const manifest = await readManifest(path);
  packages.set(manifest.name, manifest);
}

const outside = await createProject('tarballs');
const tarballs = new Map<string, string>();

beforeAll(async () => {
  // As an older build has left it, of a source that has gone.
  await mkdir(join(repository, 'generator/dist/old'), { recursive: true });
  await writeFile(join(repository, 'generator/dist/old/module.js'), "import 'nothing';\n");
  await buildAll();
  const files = join(outside.folder, 'toolkit');
  tarballs.set('countersign', await packToolkit(outside.folder, files));
  packages.set('countersign', await readManifest(join(files, 'package.json')));
  const names = [...packages.keys()].filter((name) => name !== 'countersign');
  for (const path of await pack(names, outside.folder)) {
    // Of names that begin with one another, the version tells.
    const name = names.find((candidate) =>
      new RegExp(`^${candidate.replace(/^@/, '').replace('/', '-')}-\\d`).test(basename(path)),
    );
    tarballs.set(name ?? path, path);
  }
}, 300_000);

afterAll(() => outside.remove());

/** The specifiers of everything that can be imported from a package. */
function specifiersOf({ name, exports = {} }: Manifest): readonly string[] {
  return Object.keys(exports)
    .filter((entry) => !entry.includes('*'))
    .map((entry) => name + entry.slice(1));
}

function hasCode(manifest: Manifest): boolean {
  return specifiersOf(manifest).some((specifier) => !specifier.endsWith('.json'));
}

/** Specifiers of static and dynamic imports, as compilers and generators write them at the start of a statement. */
const imports =
  /^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"](?<fixed>[^'"]+)['"]|\bimport\(['"](?<lazy>[^'"]+)['"]\)/gm;

describe.each([...packages.values()])('$name, packed', (manifest) => {
  const { name } = manifest;

  it('passes publint', async () => {
    const publint = join(repository, 'node_modules/publint/src/cli.js');
    const tarball = tarballs.get(name) ?? '';
    await expect(
      run(process.execPath, [publint, 'run', tarball, '--strict']),
    ).resolves.toBeDefined();
  });

  it.runIf(hasCode(manifest))('has types that resolve everywhere an ES module does', async () => {
    const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const tarball = tarballs.get(name) ?? '';
    await expect(
      run(process.execPath, [attw, tarball, '--profile', 'esm-only']),
    ).resolves.toBeDefined();
  });

  it('carries licence and README', async () => {
    const { stdout } = await run('tar', ['-tzf', tarballs.get(name) ?? '']);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/package.json']),
    );
  });

  it('imports nothing, of code or of types, that it does not declare', async () => {
    const unpacked = join(outside.folder, 'unpacked', name);
    await mkdir(unpacked, { recursive: true });
    await run('tar', ['-xzf', tarballs.get(name) ?? '', '-C', unpacked]);
    const { dependencies, peerDependencies } = packages.get(name) ?? manifest;
    const declared = [name, ...Object.keys({ ...dependencies, ...peerDependencies })];
    const undeclared = new Set<string>();
    for await (const path of glob(
      'package/{dist,runtime,validators,packages/*/dist}/**/*.{js,d.ts}',
      {
        cwd: unpacked,
      },
    )) {
      const text = await readFile(join(unpacked, path), 'utf8');
      for (const { groups } of text.matchAll(imports)) {
        const specifier = groups?.['fixed'] ?? groups?.['lazy'] ?? '';
        const [owner = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
        if (/^[.#]/.test(specifier) || isBuiltin(specifier) || declared.includes(owner)) continue;
        undeclared.add(`${path}: ${specifier}`);
      }
    }
    expect([...undeclared]).toEqual([]);
  });
});

test('the toolkit carries what is the same for every contract, and nothing of an older build', async () => {
  const { stdout } = await run('tar', ['-tzf', tarballs.get('countersign') ?? '']);
  expect(stdout.split('\n')).toContain('package/dist/targets/prepared/templates.js');
  for (const script of ['main', 'theme'])
    expect(stdout.split('\n')).toContain(`package/packages/reference/dist/page/${script}.js`);
  for (const file of ['recheck.cjs', 'recheck.LICENSE'])
    expect(stdout.split('\n')).toContain(`package/dist/patterns/prepared/${file}`);
  for (const file of ['openapi.json', 'asyncapi.json', 'schema.json', 'LICENSES.md'])
    expect(stdout.split('\n')).toContain(`package/schemas/${file}`);
  for (const file of ['files.md', 'redocly.md', 'openapi.yaml'])
    expect(stdout.split('\n')).toContain(`package/diagnostics/pages/${file}`);
  expect(stdout).not.toContain('dist/old/');
});

test('the toolkit names no package that is not in it, in code or as a dependency', async () => {
  const files = join(outside.folder, 'toolkit');
  const named: string[] = [];
  for await (const path of glob('{dist,packages/*/dist}/**/*.{js,d.ts}', { cwd: files }))
    for (const [text] of (await readFile(join(files, path), 'utf8')).matchAll(
      /(?:from|import|resolve\() ?\(?'@countersign\/[^']+'/gu,
    ))
      named.push(`${path}: ${text}`);
  expect(named).toEqual([]);
  const { dependencies = {}, peerDependencies = {} } = packages.get('countersign') ?? {};
  expect(
    Object.keys({ ...dependencies, ...peerDependencies }).filter((name) =>
      /countersign/u.test(name),
    ),
  ).toEqual([]);
  for (const { name, dependencies = {} } of packages.values())
    expect(
      Object.keys(dependencies).filter((dependency) => /countersign/u.test(dependency)),
      name,
    ).toEqual(name.endsWith('/simulator') ? ['countersign'] : []);
});

const importable = [...packages.values()].filter(hasCode);

/** Whether npm installs something along that is not ours. */
function needsPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): boolean {
  return Object.keys(peerDependencies).some((peer) => peerDependenciesMeta[peer] === undefined);
}

/** Packages that a package works with but does without, and code of ours imports. */
function optionalPeers({ peerDependenciesMeta = {} }: Manifest): readonly string[] {
  return Object.keys(peerDependenciesMeta).filter((peer) => !peer.startsWith('@types/'));
}

/** What a program that imports everything prints. */
interface Imported {
  readonly version: string;
  /** By specifier: whether there is something in it, or why it cannot be imported. */
  readonly results: Readonly<Record<string, boolean | string>>;
}

describe('in an empty project', () => {
  let project: Project;

  const install = async (
    some: readonly Manifest[],
    ...specifiers: readonly string[]
  ): Promise<void> => {
    const ours = some.map(({ name }) => tarballs.get(name) ?? name);
    await project.npm('install', '--prefer-offline', ...ours, ...specifiers);
  };

  const writeProgram = async (specifiers: readonly string[]): Promise<void> => {
    const program = `const results = {};
for (const specifier of ${JSON.stringify(specifiers)}) {
  const options = specifier.endsWith('.json') ? { with: { type: 'json' } } : {};
  results[specifier] = await import(specifier, options).then(
    (module) => Object.keys(module).length > 0,
    (error) => error.stack,
  );
}
console.log(JSON.stringify({ version: process.version, results }));
`;
    await project.write('import-all.js', program);
  };

  /** Everything can be imported, and holds something unless it is types alone. */
  const everything = (specifiers: readonly string[]): Imported['results'] =>
    Object.fromEntries(
      specifiers.map((specifier) => [specifier, !specifier.endsWith('/openapi-types')]),
    );

  beforeAll(async () => {
    project = await createProject('integrator');
    await install(
      [...packages.values()].filter((manifest) => !needsPeers(manifest)),
      node22(),
    );
  }, 300_000);

  afterAll(() => project.remove());

  it('packages can be imported without their optional peers', async () => {
    const some = importable.filter((manifest) => optionalPeers(manifest).length > 0);
    const names = some
      .filter((manifest) => !needsPeers(manifest))
      .flatMap((manifest) => specifiersOf(manifest).slice(0, 1));
    expect(names).toContain('@instant-payment/runtime/signing');
    // What another package depends on is installed, whether or not it is a peer of this one.
    const installed = new Set(
      [...packages.values()].flatMap(({ dependencies = {} }) => Object.keys(dependencies)),
    );
    const peers = some.flatMap(optionalPeers).filter((peer) => !installed.has(peer));
    expect(peers).not.toEqual([]);
    for (const peer of peers)
      await expect(access(join(project.folder, 'node_modules', peer))).rejects.toThrow('ENOENT');
    await writeProgram(names);
    const { stdout } = await run(process.execPath, ['import-all.js'], { cwd: project.folder });
    expect((JSON.parse(stdout) as Imported).results).toEqual(everything(names));
  });

  describe('with the peers that they need', () => {
    const specifiers = importable.flatMap(specifiersOf);

    beforeAll(async () => {
      await install([...packages.values()].filter(needsPeers));
      await writeProgram(specifiers);
    }, 300_000);

    it('packages can be imported on Node 22, every entry of them', async () => {
      const printed = await project.npx('node', 'import-all.js');
      const { version, results } = JSON.parse(printed) as Imported;
      expect(version).toMatch(/^v22\./);
      expect(results).toEqual(everything(specifiers));
    });

    it('packages can be imported on the pinned Node, every entry of them', async () => {
      const { stdout } = await run(process.execPath, ['import-all.js'], { cwd: project.folder });
      expect((JSON.parse(stdout) as Imported).results).toEqual(everything(specifiers));
    });
  });
});
