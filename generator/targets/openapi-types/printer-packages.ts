import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { peerRange } from '../../execution/toolkit.ts';
import { MissingPackageError } from '../missing-package-error.ts';

/** The packages that print types. */
export interface PrinterPackages {
  /** The path of openapi-typescript, for `require`. Its TypeScript is what it finds from there. */
  readonly library: string;
  /** The paths of the package.json of both packages, whose versions decide the output. */
  readonly manifests: readonly string[];
}

const libraryName = 'openapi-typescript';

/** The versions of TypeScript that openapi-typescript 7 works with. */
const compilerRange = '^5.9.3';

/**
 * Finds openapi-typescript and its TypeScript. Only projects with the target `openapi-types` install them. Returns an
 * error that names what to install if one of them is absent, or has a version that does not work.
 */
export function findPrinterPackages(): PrinterPackages | MissingPackageError {
  const require = createRequire(import.meta.url);
  const library = resolveFrom(require, libraryName);
  const manifest = resolveFrom(require, `${libraryName}/package.json`);
  if (library === undefined || manifest === undefined)
    return missing(`${libraryName}, which writes these types, is not installed`);
  const compiler = resolveFrom(createRequire(library), 'typescript/package.json');
  const version = compiler === undefined ? undefined : versionOf(compiler);
  if (compiler === undefined || version === undefined)
    return missing(`TypeScript 5, which ${libraryName} needs, is not installed`);
  if (!version.startsWith('5.'))
    return missing(`${libraryName} needs TypeScript 5, and TypeScript ${version} is installed`);
  return { library, manifests: [manifest, compiler] };
}

function missing(what: string): MissingPackageError {
  const packages = [`${libraryName}@${peerRange(libraryName)}`, `typescript@${compilerRange}`];
  return new MissingPackageError(what, packages);
}

function resolveFrom(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
}

function versionOf(manifest: string): string | undefined {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: string }).version;
}
