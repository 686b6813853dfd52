/** How an application is compiled. */
export interface ModuleSetting {
  readonly name: string;
  /** The folder of the application: `esm` has `"type": "module"`, `cjs` has none. */
  readonly folder: 'esm' | 'cjs';
  readonly compilerOptions: Readonly<Record<string, string>>;
  /** The errors of the compiler, by its version, or for all versions. Other versions compile. */
  readonly refusals?: Readonly<Record<string, string>>;
}

/** The versions of TypeScript that are tried. The declarations need 5.7, the first in which `Uint8Array` is generic. */
export const typescripts: readonly string[] = [
  '5.6.3',
  '5.7.3',
  '5.8.3',
  '5.9.3',
  '6.0.3',
  '7.0.2',
];

const tooOld = { '5.6.3': 'TS2315' };

/** Every way to resolve modules that TypeScript has. */
export const moduleSettings: readonly ModuleSetting[] = [
  {
    name: 'ES modules, `nodenext`',
    folder: 'esm',
    compilerOptions: { module: 'nodenext' },
    refusals: tooOld,
  },
  {
    name: 'ES modules, `node16`',
    folder: 'esm',
    compilerOptions: { module: 'node16' },
    refusals: tooOld,
  },
  {
    name: 'ES modules, `bundler`',
    folder: 'esm',
    compilerOptions: { module: 'esnext', moduleResolution: 'bundler' },
    refusals: tooOld,
  },
  {
    name: 'CommonJS, `nodenext`',
    folder: 'cjs',
    compilerOptions: { module: 'nodenext' },
    // TypeScript 5.8 is the first that permits it.
    refusals: { '5.6.3': 'TS1479 TS2315', '5.7.3': 'TS1479' },
  },
  {
    name: 'CommonJS, `node16`',
    folder: 'cjs',
    compilerOptions: { module: 'node16' },
    refusals: {
      '5.6.3': 'TS1479 TS2315',
      '5.7.3': 'TS1479',
      '5.8.3': 'TS1479',
      '5.9.3': 'TS1479',
      '6.0.3': 'TS1479',
      '7.0.2': 'TS1479',
    },
  },
  {
    name: 'CommonJS, `node10`',
    folder: 'cjs',
    compilerOptions: { module: 'commonjs', moduleResolution: 'node10' },
    refusals: {
      '5.6.3': 'TS2307',
      '5.7.3': 'TS2307',
      '5.8.3': 'TS2307',
      '5.9.3': 'TS2307',
      '6.0.3': 'TS5107',
      '7.0.2': 'TS5108',
    },
  },
];

/** The versions of Node that are tried, and whether `require` of an ES module works there. */
export const nodes: readonly (readonly [version: string, canRequire: boolean])[] = [
  ['20.12.0', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['22.11.0', false],
  ['22.12.0', true],
  ['24.21.0', true],
  ['26.10.0', true],
];

/** The test runners of the guide. */
export const runners = {
  vitest: '5.1.1',
  jest: '30.5.2',
  '@jest/globals': '30.5.2',
  '@swc/core': '1.16.22',
  '@swc/jest': '0.2.39',
  msw: '2.15.0',
} as const;
