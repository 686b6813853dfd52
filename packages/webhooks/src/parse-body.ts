import { faultOfMembers, type NameFault } from './members.ts';
import { scanStrictly, type ScanFault, type Span } from './strict-scan.ts';

/** What to do with a number that no double holds exactly: refuse the body, or deliver the number as text. */
export type NumberMode = 'refuse' | 'text';

/** How bodies are read. */
export interface ParseRules {
  /** Whether duplicate keys, prototype keys, depth and the exactness of numbers are looked at. */
  readonly strict: boolean;
  readonly numbers: NumberMode;
  /** How many objects and arrays may stand in one another. */
  readonly maxDepth: number;
}

/** Why a body is refused before anybody asks what it says. */
export type BodyFault = ScanFault | NameFault | 'not-utf-8' | 'not-json' | 'inexact-number';

/** A body as a JSON value, or what is wrong with it. */
export type ParsedBody =
  | { readonly fault: BodyFault }
  | {
      readonly fault?: undefined;
      /** Every number a double: what is identified and validated. */
      readonly value: unknown;
      /** What is delivered; differs from `value` in numbers that are given as text. */
      readonly exact: unknown;
    };

/** Reads a body as UTF-8 and JSON. Throws nothing. */
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

/** A byte order mark stays in the text, where JSON refuses it. */
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
