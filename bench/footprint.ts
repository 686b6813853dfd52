import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, sizeOf, type Size } from './bundle-size.ts';
import { writeContracts } from './contracts.ts';
import { buildToolkit, generateAnew, generateBare, heyApi, installPeers } from './generation.ts';
import { linkPackage } from './link-package.ts';
import { measureCommand, type Cost } from './measure-command.ts';
import { measureFiles, type Files } from './measure-files.ts';

/** The size of the code that an application loads, and the time for that. */
interface Imports {
  /** A bundle with one operation. */
  readonly operation: Size;
  /** Importing everything from one bundle, in a process of its own. */
  readonly bundledImport: Cost;
  /** Importing the packages as they are built; missing for code that Node cannot import without a bundler. */
  readonly builtImport?: Cost;
}

/** The code of one generator. */
export interface Footprint extends Files, Imports {
  readonly of: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));
/** The generated packages, each after those that it imports. */
const packages = ['runtime', 'contract', 'client'];
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** Generates from GitHub REST with this toolkit and with hey-api, and measures what each one writes. */
export async function benchFootprint(
  times: number,
  operations: number,
): Promise<readonly Footprint[]> {
  buildToolkit();
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const contract = (await writeContracts(folder, operations)).find(
      ({ name }) => name === 'GitHub REST',
    );
    if (contract === undefined) throw new Error('GitHub REST is not among the contracts.');
    const { folder: cwd } = contract;
    const document = readFileSync(join(cwd, contract.document), 'utf8');
    // The bench can be limited to the first operations of the document.
    const operation = document.includes('"repos/get"') ? 'reposGet' : 'metaRoot';
    const importing = (file: string): Cost =>
      measureCommand([file], { cwd, times, before: () => {} });
    const measure = async (everything: string, called: string): Promise<Imports> => {
      const file = join(cwd, 'everything.mjs');
      writeFileSync(file, await bundle(`export * from '${everything}'`, cwd));
      const operationBundle = await bundle(`export { ${called} } from '${everything}'`, cwd);
      return { operation: sizeOf(operationBundle), bundledImport: importing(file) };
    };
    const measureOwn = async (everything: string): Promise<Imports> => {
      const imports = await measure(everything, `createConnection, ${operation}`);
      const file = join(cwd, 'built.mjs');
      writeFileSync(file, `import '${everything}';\n`);
      return { ...imports, builtImport: importing(file) };
    };
    /** Returns the files as they are generated, and then compiles them. */
    const build = (): Files => {
      const files = measureFiles(join(cwd, 'generated'));
      for (const name of packages)
        measureCommand([compiler, '-p', `generated/${name}`, '--noCheck'], {
          cwd,
          times: 1,
          before: () => {},
        });
      return files;
    };

    for (const name of packages) linkPackage(cwd, `@bench/${name}`, join(cwd, 'generated', name));
    linkPackage(cwd, 'zod', join(root, 'bench/peers/node_modules/zod'));
    generateAnew(contract, 1);
    const files = build();
    const footprints: Footprint[] = [
      {
        of: 'countersign: types, validators, client',
        ...files,
        ...(await measureOwn('@bench/client')),
      },
      {
        of: 'countersign: the same, unchecked calls',
        ...files,
        ...(await measureOwn('@bench/client/unchecked')),
      },
    ];
    generateBare(contract, 1);
    footprints.push({
      of: 'countersign: types, client',
      ...build(),
      ...(await measureOwn('@bench/client')),
    });
    for (const [of, plugins] of [
      ['hey-api: types, sdk', ['@hey-api/typescript', '@hey-api/sdk']],
      ['hey-api: types, sdk, zod', ['@hey-api/typescript', '@hey-api/sdk', 'zod']],
    ] as const) {
      heyApi(plugins)(contract, 1);
      const output = measureFiles(join(cwd, 'hey-api'));
      footprints.push({ of, ...output, ...(await measure('./hey-api/index.ts', operation)) });
    }
    return footprints;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
