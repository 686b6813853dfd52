import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from 'countersign/companion/terminal';
import { isJsonObject, optional } from 'countersign/companion/values';
import type { Json, JsonObject } from 'countersign/kit';
import { listNames } from '../list-names.ts';
import type { FolderFacts } from './contract-facts.ts';

/**
 * Reads what the questions depend on in the folder of a project, which need not exist yet.
 * @param folder absolute
 * @param shown the folder as messages show it
 * @throws CommandError `configured` if it has a configuration, `not-a-folder`, `invalid-package` for a package.json that
 * is not a JSON object
 */
export async function readFolder(folder: string, shown: string): Promise<FolderFacts> {
  const names = await listNames(folder, shown);
  const configuration = names.find((name) => /^countersign\.config\.(?:m?[jt]s|json)$/u.test(name));
  if (configuration !== undefined)
    throw new CommandError(
      'configured',
      `There is ${configuration} already. Nothing was written. Run \`countersign generate\`, or add the contract to it. To answer the questions of \`init\` anew, remove it and the overlays that \`init\` wrote.`,
    );
  const manifest = names.includes('package.json') ? await readManifest(folder) : undefined;
  const compiler = names.includes('tsconfig.json')
    ? await readFile(join(folder, 'tsconfig.json'), 'utf8').catch(() => '')
    : undefined;
  const isModule = manifest === undefined || manifest['type'] === 'module';
  const lists = ['dependencies', 'devDependencies', 'peerDependencies'];
  return {
    ...scopeIn(manifest),
    ...(manifest === undefined
      ? {}
      : { packages: new Set(lists.flatMap((name) => Object.keys(manifest[name] ?? {}))) }),
    isModule,
    hasSources: names.includes('src'),
    hasCompiler: compiler !== undefined,
    takesTsImports:
      compiler === undefined
        ? isModule
        : /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/u.test(
            compiler,
          ),
  };
}

function scopeIn({ name }: JsonObject = {}): { readonly scope?: string } {
  const [, scope] = /^(@[a-z0-9][a-z0-9._-]*)\//u.exec(typeof name === 'string' ? name : '') ?? [];
  return optional('scope', scope);
}

async function readManifest(folder: string): Promise<JsonObject> {
  try {
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    const manifest = JSON.parse(text.replace(/^\ufeff/u, '')) as Json;
    if (isJsonObject(manifest)) return manifest;
  } catch (error) {
    throw new CommandError('invalid-package', invalidPackage, { cause: error });
  }
  throw new CommandError('invalid-package', invalidPackage);
}

const invalidPackage = 'package.json is not a JSON object. Nothing was written. Correct it first.';
