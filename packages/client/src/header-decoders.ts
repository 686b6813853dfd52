import { exactnessOf } from './exact-number.ts';
import { parseJson } from './json.ts';

/** Reads the text of a header; `undefined` where it is not what the contract says. */
export type HeaderDecoder = (text: string) => unknown;

/** Reads declared headers, by the name that the contract gives them. What is missing or not as declared is left out. */
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

/** A header that is text. */
export function textHeader(text: string): string {
  return text;
}

/** A header that is a number; one that a `number` cannot hold exactly is left out. */
export function numberHeader(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  return exactnessOf(text) === 'exact' ? Number(text) : undefined;
}

/** A header that is `true` or `false`. */
export function booleanHeader(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** A header that is JSON by its `content`. */
export function jsonHeader(text: string): unknown {
  try {
    return parseJson(text, 'refuse');
  } catch {
    return undefined;
  }
}

/** A header that is a list in the style `simple`. It is left out where one of its items is not as declared. */
export function listHeader(item: HeaderDecoder): HeaderDecoder {
  return (text) => {
    const items = text.split(',').map((part) => item(part.trim()));
    return items.includes(undefined) ? undefined : items;
  };
}
