import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  compareCodeUnits,
  createDiagnostic,
  type Diagnostic,
  type Location,
} from '../diagnostics/diagnostic.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import type { LocatedProblem } from '../diagnostics/problem.ts';
import { type Json, optional } from '../json/json.ts';
import type { Budgets } from './budgets.ts';
import { isInFolder, toFile } from './file-paths.ts';
import { parseText, type Parsed } from './text/parse.ts';
import { type ParseError, startOnly } from './text/positions.ts';
import { readRegularFile } from './read-file.ts';
import { escaping, type Refusal } from './reference.ts';
import { type DynamicNames, mayHaveIdentifiers, resolveIdentifiers } from './schema-identifiers.ts';

/** A file of the contract as it was read; never changed afterwards. */
export interface Source {
  /** Absolute. */
  readonly path: string;
  /** Relative to the configuration's folder, with `/` on every system. */
  readonly file: string;
  /** The text without a byte order mark, with LF line ends. */
  readonly text: string;
  /**
   * References by `$anchor`, `$id` and `$dynamicRef` are replaced by JSON Pointers. Left out where the text is empty or
   * invalid. A string for a referenced file without a YAML or JSON extension.
   */
  readonly value?: Json;
  /** The problems of the text itself that prevent its use. */
  readonly diagnostics: readonly Diagnostic[];
  /** The problems of a text that is read nevertheless. */
  readonly warnings: readonly Diagnostic[];
  /** The references by identifiers that no JSON Pointer can replace. An overlay can still remove them. */
  readonly problems: readonly LocatedProblem[];
  /** Returns where a member of this file is written. */
  locate(members: readonly string[]): Location;
}

/** The files of one contract; each is read from disk at most once. */
export interface Sources {
  /** Reads a file that the configuration names, wherever it is. */
  readNamed(path: string): Promise<Source | Refusal>;
  /**
   * Reads a file that the reference `uri` names, if it is in the contract's folder after symbolic links are followed.
   */
  readReferenced(path: string, uri: string): Promise<Source | Refusal>;
  /** Returns a file that was already read. */
  get(path: string): Source | undefined;
  /** Returns every file read so far, ordered by name in code units. */
  all(): readonly Source[];
}

/** Returns whether the result of reading a file is a refusal. */
export function isRefusal(result: Source | Refusal): result is Refusal {
  return 'code' in result;
}

/**
 * Creates the files of a contract, none of which is read yet.
 * @param folder the configuration's folder, absolute
 * @param root the folder that references must not leave, absolute
 * @param texts texts that replace those of files, by absolute path
 */
export function createSources(
  folder: string,
  root: string,
  budgets: Budgets,
  texts: ReadonlyMap<string, string> = new Map(),
): Sources {
  const reads = new Map<string, Promise<Source | Refusal>>();
  const sources = new Map<string, Source>();
  const dynamicNames: DynamicNames = new Map();
  let bytesLeft = budgets.maxTotalBytes;
  let realRoot: Promise<string> | undefined;
  let missing = 0;

  const readOnce = (
    path: string,
    read: () => Promise<Source | Refusal>,
  ): Promise<Source | Refusal> => {
    const reading = reads.get(path) ?? read();
    reads.set(path, reading);
    return reading;
  };

  const load = async (path: string, real: string, named: boolean): Promise<Source | Refusal> => {
    const file = toFile(folder, path);
    const replaced = texts.get(path);
    const bytes =
      replaced === undefined
        ? await readRegularFile(real, file, budgets.maxFileBytes)
        : Buffer.from(replaced);
    if ('code' in bytes) return bytes;
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) {
      return {
        code: 'contract-too-large',
        message: `The files of the contract have more than ${budgets.maxTotalBytes} bytes together (budget \`maxTotalBytes\`).`,
      };
    }
    const text = decodeText(bytes);
    if (text === undefined) {
      return { code: 'file-unreadable', message: `\`${file}\` is not UTF-8 text.` };
    }
    const structured = named || /\.(?:ya?ml|json)$/iu.test(path);
    const parsed: Parsed = structured
      ? await parseText(text, budgets)
      : { value: text, errors: [], positions: startOnly };
    const toDiagnostic = ({ code, message, line, column, ...details }: ParseError): Diagnostic =>
      createDiagnostic(code, message, { file, line, column }, details);
    const problems =
      structured && parsed.value !== undefined && mayHaveIdentifiers(text)
        ? resolveIdentifiers(parsed.value, path, dynamicNames)
        : [];
    const source: Source = {
      path,
      file,
      text,
      ...(parsed.value === undefined ? {} : { value: parsed.value }),
      diagnostics: parsed.errors.map(toDiagnostic),
      warnings: (parsed.warnings ?? []).map(toDiagnostic),
      problems,
      locate: (members) => ({ file, ...parsed.positions.locate(members) }),
    };
    sources.set(path, source);
    return source;
  };

  return {
    readNamed: (path) => readOnce(path, () => load(path, path, true)),
    readReferenced: async (path, uri) => {
      if (!isInFolder(root, path)) return escaping(uri);
      return readOnce(path, async () => {
        realRoot ??= realpath(root);
        // Opens the real path, so that a link cannot be replaced after the check.
        const real = await realpath(path).catch(() => undefined);
        if (real === undefined) {
          const message = `There is no file \`${uri}\`.`;
          missing += 1;
          const help =
            missing > maxSuggestions ? undefined : await suggestFile(path, uri, await realRoot);
          return { code: 'unresolved-reference', message, ...optional('help', help) };
        }
        return isInFolder(await realRoot, real) ? load(path, real, false) : escaping(uri);
      });
    },
    get: (path) => sources.get(path),
    all: () => [...sources.values()].toSorted((a, b) => compareCodeUnits(a.file, b.file)),
  };
}

/** The number of missing files for which similar names are searched: each search reads a folder. */
const maxSuggestions = 100;

/** Returns a suggestion for a file that does not exist: one with a similar name in the same folder of the contract. */
async function suggestFile(
  path: string,
  uri: string,
  realRoot: string,
): Promise<string | undefined> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  if (folder === undefined || !isInFolder(realRoot, folder)) return undefined;
  const names = await readdir(folder).catch(() => []);
  const [, before = '', name = ''] = /^(.*\/)?([^/]*)$/su.exec(uri) ?? [];
  const limit = Math.max(1, Math.floor(name.replace(/\.\w+$/u, '').length / 3));
  const otherNames = names
    .filter((fileName) => fileName !== basename(path))
    .toSorted(compareCodeUnits);
  return didYouMean(
    uri,
    otherNames.map((fileName) => `${before}${encodeURI(fileName)}`),
    1,
    limit,
  );
}

/**
 * Decodes UTF-8 and converts line ends to LF; returns `undefined` for other bytes. The decoder drops a byte order mark.
 */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\r') ? text.replaceAll(/\r\n?/gu, '\n') : text;
  } catch {
    return undefined;
  }
}
