import type { RecordedRequest } from '../entry.ts';
import { redacted } from '../sending/redact.ts';

/** Headers that cURL writes by itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'expect']);

/**
 * Returns a request as a cURL command for a POSIX shell. Each replaced credential becomes a shell variable, whose name
 * begins with `SENT_`, so that received text cannot choose another variable of the shell.
 */
export function curlOf({ method, url, headers, body }: RecordedRequest): string {
  const name = /^[!#$%&'*+.^_`|~\w-]+$/u;
  const isMethod = name.test(method) && !method.startsWith('-');
  const hasType = headers.some(([header]) => header.toLowerCase() === 'content-type');
  const options = [
    // Brackets and dot segments of the URL are sent as they are.
    '--globoff',
    '--path-as-is',
    method === 'HEAD' ? '--head' : `--request ${quote(isMethod ? method : 'GET')}`,
    `--url ${shellWord(url, 'SENT_URL_SECRET')}`,
    ...headers
      // cURL could interpret other names: `@name` reads a file.
      .filter(([header]) => name.test(header) && !ownHeaders.has(header.toLowerCase()))
      .map(([header, value]) => {
        // A header that ends in a colon is one that cURL does not send.
        const line = value.trim() === '' ? `${header};` : `${header}: ${value}`;
        return `--header ${shellWord(line, variableFor(header))}`;
      }),
  ];
  // With `--head`, cURL accepts no body.
  if (body.size === 0 || method === 'HEAD') return write(options);
  // cURL would add the media type of a form.
  if (!hasType) options.push("--header 'Content-Type:'");
  const { text } = body;
  // No argument can have a zero byte.
  if (body.encoding === 'base64' || (text.includes('\0') && !text.includes(redacted))) {
    const base64 = body.encoding === 'base64' ? text : toBase64(text);
    const data = shellWord(base64, 'SENT_BODY_SECRET');
    return `printf %s ${data} | base64 --decode | ${write([...options, '--data-binary @-'])}`;
  }
  return write([...options, `--data-raw ${shellWord(text, 'SENT_BODY_SECRET')}`]);
}

function write(options: readonly string[]): string {
  return ['curl', ...options].join(' \\\n  ');
}

function variableFor(header: string): string {
  return `SENT_HEADER_${header.replaceAll(/[^A-Za-z0-9]+/gu, '_').toUpperCase()}`;
}

function shellWord(text: string, variable: string): string {
  return text
    .split(redacted)
    .map((part) => (part === '' ? '' : quote(part)))
    .join(`"$${variable}"`);
}

/**
 * Quotes a text. Control characters are written by `printf`: a terminal into which the command is pasted could take them
 * for keys, of which one ends the command and lets the shell run what follows.
 */
function quote(text: string): string {
  return text
    .split(controls)
    .map((part, index) =>
      index % 2 === 1
        ? `"$(printf '${toOctal(part)}')"`
        : part === '' && text !== ''
          ? ''
          : `'${part.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join('');
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const controls = /([\u0001-\u0008\u000b-\u001f\u007f-\u009f]+)/u;

function toOctal(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  ).join('');
}

/** Encodes text for browsers too, which have no `Buffer`. */
function toBase64(text: string): string {
  return btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''),
  );
}
