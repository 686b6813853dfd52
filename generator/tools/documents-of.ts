import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ContractFiles } from '../load/contract-files.ts';
import { toFile } from '../load/file-paths.ts';
import { CommandError } from './command-error.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Returns the contract whose documents are files: an OpenAPI document, an AsyncAPI document, or one of each.
 * @param from the absolute folder that the files are relative to
 * @param folder the absolute folder that the paths of the contract are relative to
 * @param placeOfOverlays where the user gives overlays, as a sentence
 * @throws CommandError `usage` for addresses, overlays and two documents of one kind, `not-found`, `unreadable`
 */
export async function documentsOf(
  files: readonly string[],
  from: string,
  folder: string,
  placeOfOverlays: string = 'List it in `contract.overlays` of a configuration.',
): Promise<ContractFiles> {
  const contract: { openapi?: string; asyncapi?: string } = {};
  for (const file of files) {
    const path = resolve(from, file);
    const kind = kindOf(await read(path, file));
    if (kind === 'overlay')
      throw new CommandError(
        'usage',
        `${quote(file)} is an overlay, which changes a document. ${placeOfOverlays}`,
      );
    if (contract[kind] !== undefined)
      throw new CommandError(
        'usage',
        `${quote(file)} is a second ${titles[kind]} document. A contract has one OpenAPI document, one AsyncAPI document, or one of each.`,
      );
    contract[kind] = toFile(folder, path);
  }
  return contract;
}

/**
 * Returns the paths of overlays, in their order.
 * @param from the absolute folder that the files are relative to
 * @param folder the absolute folder that the paths are relative to
 * @throws CommandError `usage` for addresses and other documents, `not-found`, `unreadable`
 */
export async function overlaysOf(
  files: readonly string[],
  from: string,
  folder: string,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const file of files) {
    const path = resolve(from, file);
    if (kindOf(await read(path, file)) !== 'overlay')
      throw new CommandError(
        'usage',
        `${quote(file)} is not an overlay: it has no member \`overlay\`.`,
      );
    paths.push(toFile(folder, path));
  }
  return paths;
}

const titles = { openapi: 'OpenAPI', asyncapi: 'AsyncAPI' } as const;

async function read(path: string, file: string): Promise<string> {
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(file))
    throw new CommandError(
      'usage',
      `${quote(file)} is an address, and nothing is read from the network. Fetch it with \`countersign pull\`, and give the file.`,
    );
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT')
      throw new CommandError('not-found', `There is no file ${quote(file)}.`, { cause: error });
    throw new CommandError('unreadable', `${quote(file)} cannot be read as a file.`, {
      cause: error,
    });
  }
}

type DocumentKind = 'openapi' | 'asyncapi' | 'overlay';

/** Returns the kind of a document. A text that is none is read as OpenAPI, which reports what is wrong with it. */
function kindOf(text: string): DocumentKind {
  if (/^\ufeff?\s*\{/u.test(text)) {
    try {
      const value = JSON.parse(text.replace(/^\ufeff/u, '')) as Json;
      return kindWith((name) => isJsonObject(value) && value[name] !== undefined);
    } catch {
      // YAML in braces, or a text that is reported later.
      return kindWith((name) => new RegExp(`^\\s*\\{\\s*["']?${name}["']?\\s*:`, 'u').test(text));
    }
  }
  return kindWith((name) => new RegExp(`^["']?${name}["']?\\s*:`, 'mu').test(text));
}

function kindWith(has: (name: string) => boolean): DocumentKind {
  if (has('asyncapi')) return 'asyncapi';
  return has('overlay') && !has('openapi') && !has('swagger') ? 'overlay' : 'openapi';
}
