import { isExactNumber } from '../base/exact-number.ts';
import { parseJson } from './json.ts';

/** Decodes the text of a header, or returns `undefined` where it is not as declared. */
export type HeaderDecoder = (text: string) => unknown;

/**
 * Returns a function that decodes declared headers, by their names in the contract. Headers that are missing or not as
 * declared are left out.
 */
export function readHeaders(
  decoders: Readonly<Record<string, HeaderDecoder>>,
): (headers: Headers) => object {
  return (headers) =>
    Object.fromEntries(
      Object.entries(decoders).flatMap(([name, decode]) => {
        const text = headers.get(name);
        const value = text === null ? undefined : decode(text);
        return value === undefined ? [] : [[name, value]];
      }),
    );
}

/** Returns the text of a header unchanged. */
export function textHeader(text: string): string {
  return text;
}

/** Decodes a number. Returns `undefined` for other text, and for a number that no double represents exactly. */
export function numberHeader(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  return isExactNumber(text) ? Number(text) : undefined;
}

/** Decodes `true` and `false`. Returns `undefined` for other text. */
export function booleanHeader(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/**
 * Decodes a header that its `content` declares as JSON. Returns `undefined` for text that is not JSON, or with an
 * inexact number.
 */
export function jsonHeader(text: string): unknown {
  try {
    return parseJson(text, 'refuse');
  } catch {
    return undefined;
  }
}

/** Creates a decoder for a list in the style `simple`. It returns `undefined` where an item is not as declared. */
export function listHeader(item: HeaderDecoder): HeaderDecoder {
  return (text) => {
    const items = text.split(',').map((part) => item(part.trim()));
    return items.includes(undefined) ? undefined : items;
  };
}
