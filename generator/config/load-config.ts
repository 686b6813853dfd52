import { readFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkConfig } from './check-config.ts';
import type { Config } from './config.ts';
import { ConfigError } from '../diagnostics/config-error.ts';
import type { Language } from './locate-syntax-error.ts';
import { printable } from '../diagnostics/printable.ts';
import { contentHash } from '../execution/content-hash.ts';
import { findDocuments, namesIn } from './find-documents.ts';
import { importModule } from './import-module.ts';
import { shellWord } from '../execution/shell-word.ts';

/** A configuration file, read and validated. */
export interface LoadedConfig {
  /** The file, absolute. */
  readonly file: string;
  /** The folder of the file, absolute. Every path in the configuration is relative to it. */
  readonly folder: string;
  /** One configuration for each contract. */
  readonly configs: readonly Config[];
}

const extensions = ['ts', 'mts', 'js', 'mjs', 'json'];
const candidates: readonly string[] = extensions.map(
  (extension) => `countersign.config.${extension}`,
);

/**
 * Reads and validates the configuration: the given file, or the only `countersign.config.{ts,mts,js,mjs,json}` in the
 * folder.
 * @param folder absolute; `file` is relative to it
 * @throws ConfigError `not-found`, `ambiguous`, `unreadable` or `invalid`
 */
export async function loadConfig(folder: string, file?: string): Promise<LoadedConfig> {
  const path = file === undefined ? await findConfig(folder) : resolve(folder, file);
  if (!extensions.includes(extname(path).slice(1))) {
    throw problem(
      'unreadable',
      path,
      `The file name of a configuration must end with .${extensions.join(', .')}.`,
    );
  }
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw problem('not-found', path, `${path} does not exist or cannot be read.`, error);
  }
  const value = extname(path) === '.json' ? await parse(path, text) : await evaluate(path, text);
  return { file: path, folder: dirname(path), configs: await checkConfig(value, path) };
}

async function findConfig(folder: string): Promise<string> {
  const names = await namesIn(folder);
  const [fileName, ...otherNames] = candidates.filter((name) => names.includes(name));
  if (fileName === undefined) {
    const documents = await findDocuments(folder, names);
    const named = documents.map((name) => `--contract ${printable(shellWord(name))}`);
    const run = ['countersign init', ...named].join(' ');
    throw problem(
      'not-found',
      folder,
      `There is no ${candidates[0]} (or .${extensions.slice(1).join(', .')}) in ${folder}. Run \`${run}\` to write one, or name another file with --config.`,
    );
  }
  if (otherNames.length > 0) {
    const all = [fileName, ...otherNames].join(' and ');
    throw problem(
      'ambiguous',
      folder,
      `There are ${all} in ${folder}. Keep one, or name the one to use with --config.`,
    );
  }
  return join(folder, fileName);
}

async function parse(path: string, text: string): Promise<unknown> {
  const json = text.replace(/^\ufeff/u, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    throw await unreadable(path, json, error);
  }
}

async function evaluate(path: string, text: string): Promise<unknown> {
  const url = pathToFileURL(path);
  // Node caches modules by URL, so a file that changed needs a different URL.
  const content = contentHash(text).slice(0, 16);
  url.searchParams.set('content', content);
  let module: { readonly default?: unknown };
  try {
    module = await importModule(url);
  } catch (error) {
    throw await unreadable(path, text, error, content);
  }
  if (module.default === undefined) {
    throw problem('unreadable', path, 'It has no default export. Write `export default { … }`.');
  }
  return module.default;
}

/** Creates the error for a file that does not load, with line and column if they are known. */
async function unreadable(
  path: string,
  text: string,
  error: unknown,
  content?: string,
): Promise<ConfigError> {
  const message = toMessage(error);
  if (!(error instanceof Error)) return problem('unreadable', path, message, error);
  const { atPlace, locateSyntaxError } = await import('./locate-syntax-error.ts');
  const mistake = await locateSyntaxError(text, languages[extname(path)] ?? 'js', message);
  if (mistake !== undefined)
    return new ConfigError('unreadable', path, [mistake], { cause: error });
  // The syntax is valid. Either Node does not support a construct, such as a TypeScript `enum`, or the file threw.
  const stack = error.stack ?? '';
  const [, line, column = '1'] =
    new RegExp(`\\?content=${content}:(\\d+)(?::(\\d+))?`, 'u').exec(stack) ??
    (stack.startsWith(`${path}:`) ? /^:(\d+)\n/u.exec(stack.slice(path.length)) : null) ??
    [];
  return line === undefined
    ? problem('unreadable', path, message, error)
    : new ConfigError('unreadable', path, [atPlace(message, text, Number(line), Number(column))], {
        cause: error,
      });
}

const languages: Readonly<Record<string, Language>> = {
  '.json': 'json',
  '.ts': 'ts',
  '.mts': 'ts',
};

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return 'Node runs TypeScript from version 22.18 on. Use that, or a configuration in .mjs or .json.';
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
