import { headerPrefix } from './part.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureScheme, TimestampFormat } from './scheme.ts';
import { hasOnlyDigits, holdsTimestampBefore } from './timestamp-pattern.ts';

/** Decodes each byte to one character. All characters that the framing depends on are ASCII. */
const latin1 = new TextDecoder('latin1');

const hostAndPath = '$url.host+path';

/** Returns whether a text is not empty, is visible ASCII, and has spaces only between other characters. */
export function isFieldValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/**
 * Returns the bytes that are signed. Returns `undefined` where a signed header is missing or malformed, or where
 * another request could have the same bytes. Implements `signed-input.ts` and `framing.ts` again in less code, because
 * those are optimized for speed. Tests check that both give the same results.
 */
export function toInput(
  { over, timestamp }: SignatureScheme,
  { method, url, basePath = '', body, headers }: SignableRequest,
  stamp: string,
): Promise<ArrayBuffer> | undefined {
  const target = url.replace(/^https?:\/\/[^/?]+\/?/i, '/');
  const [, host = ''] = /^https?:\/\/([^/?]+)/i.exec(url.toLowerCase()) ?? [];
  const path = target.replace(/\?.*/, '');
  const base = basePath.replace(/\/$/, '');
  const known: Readonly<Record<string, string>> = {
    $method: method,
    $url: url,
    '$url.path': path,
    '$url.path-base': path.slice(base.length) || '/',
    '$url.path+query': target,
    [hostAndPath]: `${host}${path}`,
    '$request.body': latin1.decode(body),
    $timestamp: stamp,
  };
  const stampHeader = `${headerPrefix}${timestamp?.header?.toLowerCase()}`;
  const kinds: string[] = [];
  const texts: string[] = [];
  for (const part of over) {
    if (part === hostAndPath && host === '') return undefined;
    if (part === '$url.path-base' && !`${path}/`.startsWith(`${base}/`)) return undefined;
    if (typeof part === 'object' && part.text === '') continue;
    const name = typeof part === 'object' ? '' : part.toLowerCase();
    const kind = name === stampHeader ? '$timestamp' : name;
    const text =
      typeof part === 'object'
        ? part.text
        : (known[kind] ?? headers(kind.slice(headerPrefix.length))[0] ?? '');
    if (kind.startsWith(headerPrefix) && !isFieldValue(text)) return undefined;
    kinds.push(kind);
    texts.push(text);
  }
  if (isAmbiguous(kinds, texts, timestamp?.format)) return undefined;
  const pieces = texts.map((text, index) => (kinds[index] === '$request.body' ? body : text));
  return new Blob(pieces as BlobPart[]).arrayBuffer();
}

/** Returns whether another request could have the same bytes, because the end of a part cannot be determined. */
function isAmbiguous(
  kinds: readonly string[],
  texts: readonly string[],
  format: TimestampFormat | undefined,
): boolean {
  const isFixed = (kind: string): boolean => kind === '' || kind === '$timestamp';
  const last = kinds.findLastIndex((kind) => !isFixed(kind));
  return kinds.some((kind, index) => {
    if (index >= last || isFixed(kind)) return false;
    const [text = '', nextText = '', ...later] = texts.slice(index);
    const next = kinds[index + 1] ?? '';
    const delimiter = next === '' ? nextText : next.startsWith('$url') ? '/' : '';
    if (kind === '$request.body') {
      // The verifier knows its own host.
      if (next === hostAndPath && !/^[[{]/.test(text)) return false;
      if (/^[[{]/.test(text) && /^[^[\]{}]/.test(delimiter)) {
        const isWhole = /^(?:\{.*\}|\[.*\])[ \n\r\t]*$/s.test(text);
        return !isWhole || /[}\]]/.test(nextText + later.join(''));
      }
      const [first] = latin1.decode(new TextEncoder().encode(delimiter));
      return first === undefined || text.includes(first);
    }
    if (next === hostAndPath) return true;
    if (delimiter !== '') return (text + delimiter).indexOf(delimiter) !== text.length;
    if (next === '$request.body')
      return index + 1 !== last || /[[{]/.test(text) || !/^(?:[[{]|$)/.test(nextText);
    if (next !== '$timestamp') return true;
    if (typeof format === 'object')
      return (
        !(kind.startsWith(headerPrefix) && hasOnlyDigits(format)) &&
        holdsTimestampBefore(text + nextText, text.length, format)
      );
    if (format?.startsWith('iso')) return /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
    // A key in a header can contain these digits by chance. Refusing it would lock out its owner.
    const instant = format === 'unix-seconds' ? /\d{10}\D/ : /\d{13}\D/;
    const isKey = kind.startsWith(headerPrefix);
    return (!isKey && instant.test(text)) || /^\d/.test(later.join(''));
  });
}
