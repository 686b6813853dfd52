import type { Signature } from 'countersign/kit';

/** How OpenSSL gets the key, by its encoding. */
const keyOptions: ReadonlyMap<unknown, string> = new Map([
  ['utf-8', '-hmac "$SECRET"'],
  ['hex', '-mac HMAC -macopt "hexkey:$SECRET"'],
]);

/** Commands that write the bytes of a signature as text. */
const encodings: ReadonlyMap<unknown, string> = new Map([
  ['hex', "od -An -v -tx1 | tr -d ' \\n'"],
  ['base64', 'openssl base64 -A'],
  ['base64url', "openssl base64 -A | tr '+/' '-_' | tr -d '='"],
]);

/**
 * Returns the commands of a POSIX shell that compute a signature from `$SECRET`, `$TIMESTAMP` and the file `body`;
 * `undefined` where the contract leaves a part open, or signs anything else.
 */
export function signInShell(signature: Signature): string | undefined {
  const {
    algorithm,
    key,
    over,
    encoding,
    header: _,
    value: __,
    separator: ___,
    timestamp: ____,
    ...others
  } = signature;
  const hash = typeof algorithm === 'string' ? /^hmac-(sha\d+)$/u.exec(algorithm)?.[1] : undefined;
  const keyOption = key.prefix === undefined ? keyOptions.get(key.encoding) : undefined;
  const write = encodings.get(encoding);
  const parts = over.map(toCommand);
  if (hash === undefined || keyOption === undefined || write === undefined) return undefined;
  if (parts.includes(undefined) || Object.keys(others).length > 0) return undefined;
  return `{ ${parts.join('; ')}; } |\n  openssl dgst -${hash} ${keyOption} -binary |\n  ${write}`;
}

/** Returns the command that writes a part of what is signed. */
function toCommand(part: Signature['over'][number]): string | undefined {
  if (part === '$request.body') return 'cat body';
  if (part === '$timestamp') return `printf %s "$TIMESTAMP"`;
  if (typeof part !== 'object' || !('text' in part)) return undefined;
  // Other characters, such as a line break, could look like something else on the page.
  if (!/^[ -~]*$/u.test(part.text)) return undefined;
  return `printf %s '${part.text.replaceAll("'", String.raw`'\''`)}'`;
}
