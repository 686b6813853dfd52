import { faultOfMembers, type NameFault } from './members.ts';
import { scanStrictly, type ScanFault, type Span } from './strict-scan.ts';

/** What to do with a number that no double represents exactly: `refuse` the body, or deliver the number as `text`. */
export type NumberMode = 'refuse' | 'text';

/** The rules for parsing bodies. */
export interface ParseRules {
  /** Whether duplicate keys, prototype keys, depth and inexact numbers are checked. */
  readonly strict: boolean;
  readonly numbers: NumberMode;
  /** Maximum nesting depth of objects and arrays. */
  readonly maxDepth: number;
}

/** Why a body is refused before it is identified. */
export type BodyFault = ScanFault | NameFault | 'not-utf-8' | 'not-json' | 'inexact-number';

/** The parsed JSON value of a body, or why the body is refused. */
export type ParsedBody =
  | { readonly fault: BodyFault }
  | {
      readonly fault?: undefined;
      /** The value with every number as a double, for identification and validation. */
      readonly value: unknown;
      /** The value to deliver. It differs from `value` in numbers that are delivered as text. */
      readonly exact: unknown;
    };

/** Parses a body as UTF-8 and JSON. Never throws. */
export function parseBody(body: Uint8Array, rules: ParseRules): ParsedBody {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return { fault: 'not-utf-8' };
  }
  const scan = rules.strict ? scanStrictly(body, rules.maxDepth) : undefined;
  if (scan?.fault !== undefined) return scan;
  try {
    const value: unknown = JSON.parse(text);
    if (scan === undefined) return { value, exact: value };
    const fault = faultOfMembers(value, scan.members);
    if (fault !== undefined) return { fault };
    if (scan.inexact.length === 0) return { value, exact: value };
    if (rules.numbers === 'refuse') return { fault: 'inexact-number' };
    return { value, exact: JSON.parse(quote(body, scan.inexact)) };
  } catch (error) {
    return { fault: error instanceof RangeError ? 'too-deep' : 'not-json' };
  }
}

/** Keeps a byte order mark in the text, so that `JSON.parse` refuses it. */
const decoder: TextDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function quote(body: Uint8Array, spans: readonly Span[]): string {
  let quoted = '';
  let done = 0;
  for (const [start, end] of spans) {
    const before = decoder.decode(body.subarray(done, start));
    quoted += `${before}"${decoder.decode(body.subarray(start, end))}"`;
    done = end;
  }
  return quoted + decoder.decode(body.subarray(done));
}
