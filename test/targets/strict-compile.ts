import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isEveryTestRun } from '../some.ts';
import { compile } from './compile.ts';

/** A TypeScript compiler of this repository: 5.9 or 7. */
export type Compiler = 'typescript' | 'ts7';

/** The compilers that the tests of generated code try: 7, and 5.9 where every test runs. */
export const compilers: readonly Compiler[] = isEveryTestRun ? ['typescript', 'ts7'] : ['ts7'];

/** Every flag that generated code has to compile under. */
export const strictest: Readonly<Record<string, unknown>> = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  skipLibCheck: false,
  forceConsistentCasingInFileNames: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** What the two ways set. */
export const resolutions: Readonly<Record<(typeof resolutionNames)[number], object>> = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' },
};

/** The two ways in which an importer resolves modules. */
export const resolutionNames = ['nodenext', 'bundler'] as const;

/** Compiling a package from its source, declarations and all, as the workspace does. */
const fromSource = {
  isolatedDeclarations: true,
  declaration: true,
  customConditions: ['countersign-source'],
};

const forRuntimes = {
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
};

/** The simulator is not part of the output: its source needs what the toolkit's own settings have. */
const forSimulator = {
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
};

/** Frameworks have types of their own, which are theirs to repair, and decorators. */
const forFrameworks = {
  types: ['node'],
  skipLibCheck: true,
  experimentalDecorators: true,
};

/** Compiles files of a folder under every flag; rejects with the errors. */
export async function compileStrictly(
  folder: string,
  include: readonly string[],
  options: {
    readonly compiler: Compiler;
    readonly resolution: (typeof resolutionNames)[number];
    /** From the package's source, or as an importer of what was built. */
    readonly from: 'source' | 'built';
    /** Whether source of the runtimes is compiled along, which knows Node. */
    readonly withRuntimes?: boolean;
    /** Whether source of the simulator is compiled along. */
    readonly withSimulator?: boolean;
    /** Whether types of frameworks come along. */
    readonly withFrameworks?: boolean;
    /** Whether imports may have the extension `.ts`, which only some settings allow. Default: true. */
    readonly withExtensions?: boolean;
  },
): Promise<void> {
  const { compiler, resolution, from, withRuntimes = false, withFrameworks = false } = options;
  const { withExtensions = true, withSimulator = false } = options;
  const file = 'tsconfig.strict.json';
  const compilerOptions = {
    ...strictest,
    ...resolutions[resolution],
    allowImportingTsExtensions: withExtensions,
    ...(from === 'source' ? fromSource : {}),
    ...(withRuntimes ? forRuntimes : {}),
    ...(withSimulator ? forSimulator : {}),
    ...(withFrameworks ? forFrameworks : {}),
  };
  await writeFile(join(folder, file), JSON.stringify({ compilerOptions, include }));
  try {
    await compile(compiler, folder, ['-p', file]);
  } finally {
    await rm(join(folder, file));
  }
}
