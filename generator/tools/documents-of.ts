import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ContractFiles } from '../load/contract-files.ts';
import { toFile } from '../load/sources.ts';
import { CommandError } from './command-error.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Returns the contract whose documents are files: an OpenAPI document, an AsyncAPI document, or one of each.
 * @param from the absolute folder that the files are relative to
 * @param folder the absolute folder that the paths of the contract are relative to
 * @throws CommandError `usage` for addresses and two documents of one kind, `not-found`, `unreadable`
 */
export async function documentsOf(
  files: readonly string[],
  from: string,
  folder: string,
): Promise<ContractFiles> {
  const contract: { openapi?: string; asyncapi?: string } = {};
  for (const file of files) {
    if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(file))
      throw new CommandError(
        'usage',
        `${quote(file)} is an address, and nothing is read from the network. Fetch it with \`countersign pull\`, and give the file.`,
      );
    const path = resolve(from, file);
    const kind = kindOf(await read(path, file));
    if (contract[kind] !== undefined)
      throw new CommandError(
        'usage',
        `${quote(file)} is a second ${titles[kind]} document. A contract has one OpenAPI document, one AsyncAPI document, or one of each.`,
      );
    contract[kind] = toFile(folder, path);
  }
  return contract;
}

const titles = { openapi: 'OpenAPI', asyncapi: 'AsyncAPI' } as const;

async function read(path: string, file: string): Promise<string> {
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

/** Returns the kind of a document. A text that is neither is read as OpenAPI, which reports what is wrong with it. */
function kindOf(text: string): 'openapi' | 'asyncapi' {
  if (/^\ufeff?\s*\{/u.test(text)) {
    try {
      const value = JSON.parse(text.replace(/^\ufeff/u, '')) as Json;
      return isJsonObject(value) && value['asyncapi'] !== undefined ? 'asyncapi' : 'openapi';
    } catch {
      // YAML in braces, or a text that is reported later.
      return /^\s*\{\s*["']?asyncapi["']?\s*:/u.test(text) ? 'asyncapi' : 'openapi';
    }
  }
  return /^["']?asyncapi["']?\s*:/mu.test(text) ? 'asyncapi' : 'openapi';
}
