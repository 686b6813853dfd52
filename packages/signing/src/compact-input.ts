import { headerPrefix } from './part.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureScheme, TimestampFormat } from './scheme.ts';

/** One character a byte; what decides about framing is ASCII. */
const latin1 = new TextDecoder('latin1');

/** Whether text is visible ASCII with spaces at most inside. */
export function isFieldValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/**
 * The bytes that are signed; `undefined` where a signed header is missing, or another request would have the same.
 * What `signed-input.ts` and `framing.ts` do in little time, once more in few bytes: no code of theirs could do both,
 * and tests hold the two to the same answers.
 */
export function toInput(
  { over, timestamp }: SignatureScheme,
  { method, url, body, headers }: SignableRequest,
  stamp: string,
): Promise<ArrayBuffer> | undefined {
  const target = url.replace(/^https?:\/\/[^/?]+\/?/i, '/');
  const known: Readonly<Record<string, string>> = {
    $method: method,
    $url: url,
    '$url.path': target.replace(/\?.*/, ''),
    '$url.path+query': target,
    '$request.body': latin1.decode(body),
    $timestamp: stamp,
  };
  const stampHeader = `${headerPrefix}${timestamp?.header?.toLowerCase()}`;
  const kinds: string[] = [];
  const texts: string[] = [];
  for (const part of over) {
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

/** Whether something else could be signed by the same bytes: whether some part's end cannot be told. */
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
      if (/^[[{]/.test(text) && /^[^[\]{}]/.test(delimiter)) {
        const isWhole = /^(?:\{.*\}|\[.*\])[ \n\r\t]*$/s.test(text);
        return !isWhole || /[}\]]/.test(nextText + later.join(''));
      }
      const [first] = latin1.decode(new TextEncoder().encode(delimiter));
      return first === undefined || text.includes(first);
    }
    if (delimiter !== '') return (text + delimiter).indexOf(delimiter) !== text.length;
    if (next === '$request.body')
      return index + 1 !== last || /[[{]/.test(text) || !/^(?:[[{]|$)/.test(nextText);
    if (next !== '$timestamp') return true;
    if (format === 'iso-8601') return /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
    // A key may happen to look like an instant; its owner is not to be locked out.
    const instant = format === 'unix-seconds' ? /\d{10}\D/ : /\d{13}\D/;
    const isKey = kind.startsWith(headerPrefix);
    return (!isKey && instant.test(text)) || /^\d/.test(later.join(''));
  });
}
