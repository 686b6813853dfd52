import type { Json } from 'countersign/kit';

/** The members of `JSON` that its types lack. Node 20, which `countersign send` runs on, lacks the latter two as well. */
interface JsonWithSource {
  parse(
    this: void,
    text: string,
    revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(this: void, text: string): unknown;
  isRawJSON?(this: void, value: unknown): boolean;
}

const { parse, rawJSON, isRawJSON } = JSON as unknown as JsonWithSource;

/**
 * Parses JSON. A number that `JSON.stringify` would write with other characters, such as 1.10, is one of `JSON.rawJSON`:
 * `JSON.stringify` writes it as it was.
 * @throws SyntaxError
 */
export function parseExactly(text: string): Json {
  return parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
      ? rawJSON(source)
      : value,
  ) as Json;
}

/** Returns whether a value is a number that `JSON.stringify` writes as it was. */
export function isExactNumber(value: unknown): boolean {
  return isRawJSON?.(value) === true;
}

/** Returns a value with doubles in place of the numbers of `JSON.rawJSON`. */
export function toDoubles(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Returns whether parsing a JSON text and writing it again changes no number. */
export function keepsNumbers(text: string): boolean {
  let keeps = true;
  parse(text, (_, value, { source }) => {
    if (typeof value === 'number' && JSON.stringify(value) !== source) keeps = false;
    return value;
  });
  return keeps;
}
