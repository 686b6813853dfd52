import { join, posix } from 'node:path';
import type { Config } from '../config/config.ts';
import { semanticVersion } from '../contract/semantic-version.ts';
import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { contentHash } from '../execution/content-hash.ts';
import type { SourceFile } from '../documents/documents.ts';
import { createJsonPositions } from '../load/text/json-text.ts';
import { type Disk, ifPresent, systemDisk } from './disk.ts';
import { readManifest } from './inspect.ts';
import { parseManifest } from './manifest.ts';
import {
  parseManifestText,
  type VersionedPackages,
  versionedPackages,
} from './versioned-packages.ts';

/** The versions of packages as a run read them. */
export interface PackageVersions {
  readonly packages: VersionedPackages;
  /** The version of each package on disk, by target. A package that is not generated yet has none. */
  readonly versions: ReadonlyMap<string, string>;
  /** The content hash of each `package.json` that was read, by path. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The problems of files whose version is not known. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files that the diagnostics refer to. */
  readonly files: readonly SourceFile[];
}

/**
 * Reads the versions of the packages of a configuration. Returns `undefined` if the versions are not on disk.
 * @param output the output folder, absolute
 */
export function readPackageVersions(
  config: Pick<Config, 'scope' | 'targets' | 'version' | 'output'>,
  output: string,
  disk: Disk = systemDisk,
): PackageVersions | undefined {
  const packages = versionedPackages(config);
  if (packages === undefined) return undefined;
  const listed = parseManifest(readManifest(output, disk) ?? '') ?? new Map<string, string>();
  const versions = new Map<string, string>();
  const hashes = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const files: SourceFile[] = [];
  for (const [path, target] of packages.targets) {
    const at = join(output, path);
    const file = posix.normalize(`${config.output}/${path}`);
    // The plan of the output refuses a symbolic link. Its target must not be read.
    const isFile = ifPresent(() => disk.lstat(at))?.isFile() ?? false;
    const content = isFile ? ifPresent(() => disk.readFile(at)) : undefined;
    if (content === undefined) {
      if (listed.has(path)) diagnostics.push(createMissing(file, target));
      continue;
    }
    hashes.set(path, contentHash(content));
    const text = content.toString('utf8').replace(/^\ufeff/u, '');
    const version = parseManifestText(text)?.['version'];
    if (typeof version === 'string' && semanticVersion.test(version)) versions.set(target, version);
    else {
      diagnostics.push(createInvalid(file, text));
      files.push({ path: file, text: text.replaceAll(/\r\n?/gu, '\n') });
    }
  }
  return { packages, versions, hashes, diagnostics, files };
}

function createMissing(file: string, target: string): Diagnostic {
  return createDiagnostic(
    'unknown-package-version',
    `${quote(file)} is missing, and with it the version of the package.`,
    { file, line: 1, column: 1 },
    {
      help: `Restore the file from version control. To start again at the version of the contract, remove "${target}" from \`targets\`, run \`countersign generate\`, and add it again.`,
    },
  );
}

function createInvalid(file: string, text: string): Diagnostic {
  const manifest = parseManifestText(text);
  const { version } = manifest ?? {};
  const problem =
    manifest === undefined
      ? 'is not a JSON object'
      : typeof version === 'string'
        ? `has the version ${quote(version)}, which is not a semantic version`
        : 'has no version';
  const at = manifest === undefined ? { line: 1, column: 1 } : locateVersion(text);
  return createDiagnostic('unknown-package-version', `${quote(file)} ${problem}.`, { file, ...at });
}

function locateVersion(text: string): { readonly line: number; readonly column: number } {
  return createJsonPositions(text.replaceAll(/\r\n?/gu, '\n')).locate(['version']);
}
