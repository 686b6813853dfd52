import type { RecordedRequest } from '../entry.ts';
import { redacted } from '../redact.ts';

/** Headers that cURL writes by itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'expect']);

/**
 * Returns a request as a cURL command for a POSIX shell. Each replaced credential becomes a shell variable, whose name
 * begins with `API_`, so that received text cannot choose another variable of the shell.
 */
export function curlOf({ method, url, headers, body }: RecordedRequest): string {
  const name = /^[!#$%&'*+.^_`|~\w-]+$/u;
  const options = [
    method === 'HEAD' ? '--head' : `--request ${name.test(method) ? method : 'GET'}`,
    `--url ${shellWord(url, 'API_URL_SECRET')}`,
    ...headers
      // cURL could interpret other names: `@name` reads a file.
      .filter(([header]) => name.test(header) && !ownHeaders.has(header.toLowerCase()))
      .map(
        ([header, value]) => `--header ${shellWord(`${header}: ${value}`, variableFor(header))}`,
      ),
  ];
  if (body.size === 0) return write(options);
  const data = shellWord(body.text, 'API_BODY_SECRET');
  if (body.encoding === 'base64')
    return `printf %s ${data} | base64 --decode | ${write([...options, '--data-binary @-'])}`;
  return write([...options, `--data-raw ${data}`]);
}

function write(options: readonly string[]): string {
  return ['curl', ...options].join(' \\\n  ');
}

function variableFor(header: string): string {
  return `API_${header.replaceAll(/[^A-Za-z0-9]+/gu, '_').toUpperCase()}`;
}

function shellWord(text: string, variable: string): string {
  return text
    .split(redacted)
    .map((part) => (part === '' ? '' : `'${part.replaceAll("'", String.raw`'\''`)}'`))
    .join(`"$${variable}"`);
}
