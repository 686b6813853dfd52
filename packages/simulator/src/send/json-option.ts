import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { shellWord } from 'countersign/companion/options';
import { CommandError, printable } from 'countersign/companion/terminal';

/** The maximum size of a file of an option, in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

/**
 * Returns an option that is JSON as it is written: the text, or with `@` before its name the content of a file.
 * @param folder the absolute folder that the file is relative to
 * @throws CommandError `usage` for what is not JSON, and for a file that cannot be read or is too large
 */
export async function readJsonOption(
  option: string,
  value: string | undefined,
  folder: string,
): Promise<string | undefined> {
  const argument = value?.trim();
  if (argument?.startsWith('@') === true) {
    const file = argument.slice(1);
    return readJsonText(`The file of ${option}`, await readText(option, resolve(folder, file)));
  }
  try {
    return readJsonText(option, value);
  } catch (error) {
    if (argument === undefined || !(await isLikelyFile(argument, folder))) throw error;
    throw new CommandError(
      'usage',
      `${option} is not valid JSON. For the content of a file, write ${option} ${printable(shellWord(`@${argument}`))}.`,
      { cause: error },
    );
  }
}

/**
 * Refuses fields of a form in place of JSON, such as `text=hi`, with how to give them.
 * @throws CommandError `usage`, with a message that does not repeat the text
 */
export function refuseFormText(option: string, text = ''): void {
  if (!/^[\w.[\]-]+=/u.test(text)) return;
  throw new CommandError(
    'usage',
    `${option} is not valid JSON. Give the fields of a form as members of a JSON object: ${option} '{"text":"hi"}'.`,
  );
}

/** Returns the text as it is written. A parsed value would round numbers such as amounts. */
function readJsonText(option: string, json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  try {
    JSON.parse(json);
    return json;
  } catch {
    throw new CommandError('usage', `${option} is not valid JSON.`);
  }
}

async function isLikelyFile(argument: string, folder: string): Promise<boolean> {
  if (/^[^\s"'{}[\]]+\.json$/iu.test(argument)) return true;
  // A text that no file can have as its name is an error, too.
  const stats = await stat(resolve(folder, argument)).catch(() => undefined);
  return stats?.isFile() === true;
}

async function readText(option: string, path: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw new CommandError('usage', `The file of ${option} cannot be read.`, { cause: error });
  });
  if (bytes.byteLength > maxFileBytes)
    throw new CommandError('usage', `The file of ${option} has more than 16 MiB.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommandError('usage', `The file of ${option} is not UTF-8.`, { cause: error });
  }
}

/** Reads one byte more than the maximum at most: a pipe or a device states no size. */
async function readBytes(path: string): Promise<Uint8Array> {
  await using handle = await open(path);
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maxFileBytes) {
    const buffer = new Uint8Array(Math.min(65_536, maxFileBytes + 1 - size));
    const { bytesRead } = await handle.read(buffer);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
  return Buffer.concat(chunks);
}
