import { faultOfMembers, type NameFault } from './members.ts';
import { parseWithTexts, scanStrictly } from './strict-scan.ts';

/** The rules for parsing bodies. */
export interface ParseRules {
  /** Whether duplicate keys, prototype keys, depth and inexact numbers are checked. */
  readonly strict: boolean;
  /** Maximum nesting depth of objects and arrays. */
  readonly maxDepth: number;
}

/** Why a body is refused before it is identified. */
export type BodyFault =
  | NameFault
  /** It has more levels of objects and arrays than `maxDepth`. */
  | 'too-deep'
  | 'not-utf-8'
  | 'not-json';

/** The parsed JSON value of a body, or why the body is refused. */
export type ParsedBody =
  | {
      readonly fault: BodyFault;
      /** The text of the body; left out where it is not UTF-8. */
      readonly text?: string | undefined;
    }
  | (BodyContent & { readonly fault?: undefined; readonly text: string });

/** What a body contains. */
export interface BodyContent {
  /** The value with every number as a double, for identification and validation. */
  readonly value: unknown;
  /** The value with a text in place of each number that no double represents exactly. */
  readonly exact: unknown;
  /** The kinds that are written as the delivery is; left out where all kinds are. */
  readonly kinds?: readonly string[];
}

/** Parses a body as UTF-8 and JSON, without a byte order mark. Never throws. */
export function parseBody(received: Uint8Array, rules: ParseRules): ParsedBody {
  const body = withoutByteOrderMark(received);
  const text = decodeUtf8(body);
  if (text === undefined) return { fault: 'not-utf-8' };
  try {
    const value: unknown = JSON.parse(text);
    if (!rules.strict) return { text, value, exact: value };
    const { members, depth, inexact } = scanStrictly(body);
    const fault = depth > rules.maxDepth ? 'too-deep' : faultOfMembers(value, members);
    if (fault !== undefined) return { fault, text };
    return { text, value, exact: inexact.length === 0 ? value : parseWithTexts(body, inexact) };
  } catch (error) {
    return { fault: error instanceof RangeError ? 'too-deep' : 'not-json', text };
  }
}

/** Returns a body without the byte order mark of UTF-8 that some senders write before it. */
export function withoutByteOrderMark(body: Uint8Array): Uint8Array {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

/** Decodes a body as UTF-8; returns `undefined` if it is not. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}

/** Returns whether a body or text begins as a JSON object or array. In a form, both characters would be encoded. */
export function looksLikeJson(body: Uint8Array | string): boolean {
  const code = firstCode(body);
  return code === 0x7b || code === 0x5b;
}

/** Returns whether a body begins as XML, also in UTF-16. */
export function looksLikeXml(body: Uint8Array): boolean {
  return firstCode(body[0] === 0 ? body.subarray(1) : body) === 0x3c;
}

/** Returns the first character that is not white space, if there is one. */
function firstCode(body: Uint8Array | string): number | undefined {
  for (const unit of body) {
    const code = typeof unit === 'string' ? unit.charCodeAt(0) : unit;
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return code;
  }
  return undefined;
}

/** Keeps a byte order mark in the text: only one, before the body, is skipped. */
const decoder: TextDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
