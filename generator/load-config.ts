import { readFile, readdir } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkConfig } from './check-config.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { contentHash } from './output/manifest.ts';

/** A configuration file, read and checked. */
export interface LoadedConfig {
  /** The file, absolute. */
  readonly file: string;
  /** Its folder, absolute, which every path in it is relative to. */
  readonly folder: string;
  /** One for each contract. */
  readonly configs: readonly Config[];
}

const extensions = ['ts', 'mts', 'js', 'mjs', 'json'];
const candidates: readonly string[] = extensions.map(
  (extension) => `countersign.config.${extension}`,
);

/**
 * Reads the configuration: the file named, or the one `countersign.config.{ts,mts,js,mjs,json}` in the folder.
 * @param folder absolute; what `file` is relative to
 * @throws ConfigError
 */
export async function loadConfig(folder: string, file?: string): Promise<LoadedConfig> {
  const path = file === undefined ? await findConfig(folder) : resolve(folder, file);
  if (!extensions.includes(extname(path).slice(1))) {
    throw problem('unreadable', path, `a configuration ends with .${extensions.join(', .')}`);
  }
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw problem('not-found', path, `there is no such file, or it cannot be read`, error);
  }
  const value = extname(path) === '.json' ? parse(path, text) : await evaluate(path, text);
  return { file: path, folder: dirname(path), configs: await checkConfig(value, path) };
}

async function findConfig(folder: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => []);
  const [found, ...others] = candidates.filter((name) => names.includes(name));
  if (found === undefined) {
    throw problem(
      'not-found',
      folder,
      `there is no ${candidates[0]} (or .${extensions.slice(1).join(', .')})`,
    );
  }
  if (others.length > 0) {
    const all = [found, ...others].join(' and ');
    throw problem('ambiguous', folder, `there are ${all}; keep one, or say which with --config`);
  }
  return join(folder, found);
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/u, ''));
  } catch (error) {
    throw problem(
      'unreadable',
      path,
      error instanceof Error ? error.message : String(error),
      error,
    );
  }
}

async function evaluate(path: string, text: string): Promise<unknown> {
  const url = pathToFileURL(path);
  // A process that reads a file again after it changed must not be handed the module it has already.
  url.searchParams.set('content', contentHash(text).slice(0, 16));
  let module: { readonly default?: unknown };
  try {
    module = await import(url.href);
  } catch (error) {
    throw problem('unreadable', path, whyNot(error), error);
  }
  if (module.default === undefined) {
    throw problem('unreadable', path, 'it has no default export; write `export default { … }`');
  }
  return module.default;
}

function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return 'Node reads TypeScript from version 22.18 on; use that, or a configuration in .mjs or .json';
  }
  return error.message.split('\n')[0] ?? error.message;
}

function problem(
  code: ConfigError['code'],
  file: string,
  message: string,
  cause?: unknown,
): ConfigError {
  return new ConfigError(
    code,
    file,
    [{ member: '', message }],
    cause === undefined ? {} : { cause },
  );
}
