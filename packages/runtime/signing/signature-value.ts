import type { SignatureForm } from './scheme.ts';

/** The items in the value of a signature header. */
export interface SignatureItems {
  /** The signatures, still encoded; at most `maximumCandidates`. */
  readonly signatures: readonly string[];
  /** `undefined` where the value contains no timestamp. */
  readonly timestamp: string | undefined;
}

/** The maximum number of signatures that are checked in one header. Further ones are ignored. */
const maximumCandidates = 8;

/** The maximum length of a signature header in characters. A longer one is refused without reading it. */
const maximumLength = 4096;

/** The text before a placeholder, the name of the placeholder if there is one, and the text after it. */
export type ValueItem = readonly [before: string, name?: string, after?: string, ...string[]];

/** Splits the template of the signature header into its items. */
export function toValueItems({ value, separator }: SignatureForm): readonly ValueItem[] {
  const items = separator === undefined ? [value] : value.split(separator);
  return items.map((text) => text.split(/\{(signature|timestamp)\}/) as [string]);
}

/** Writes the value of the signature header by its template. */
export function writeSignatureValue(
  template: string,
  signature: string,
  timestamp: string,
): string {
  return template.replace('{signature}', signature).replace('{timestamp}', () => timestamp);
}

/**
 * Compiles `value` and `separator` of a scheme to a function that reads the value of the signature header. Items are
 * recognized by the text around them, in any order. Where that text is ambiguous, they are recognized by their position.
 * The function returns `undefined` for a value that is too long, has two timestamps or the wrong number of items.
 */
export function compileValueReader(
  scheme: SignatureForm,
): (value: string) => SignatureItems | undefined {
  const { separator } = scheme;
  const items = toValueItems(scheme);
  const byPlace = items.some((item) =>
    items.some((other) => item !== other && other[1] && resemble(item, other)),
  );
  return (text) => {
    if (text.length > maximumLength) return undefined;
    const signatures: string[] = [];
    let timestamp: string | undefined;
    let place = 0;
    // Does not split the text into an array, which would take more time than all other steps.
    for (let start = 0; start <= text.length; place++) {
      const next = separator === undefined ? -1 : text.indexOf(separator, start);
      const end = next === -1 ? text.length : next;
      for (let index = 0; index < items.length; index++) {
        const [before, name, after = ''] = items[index] as ValueItem;
        const from = start + before.length;
        const to = end - after.length;
        if (
          !name ||
          (byPlace && place !== index) ||
          from > to ||
          !text.startsWith(before, start) ||
          !text.endsWith(after, end)
        )
          continue;
        const inner = text.slice(from, to);
        if (name === 'signature') {
          if (signatures.length < maximumCandidates) signatures.push(inner);
        } else if (timestamp === undefined) timestamp = inner;
        else return undefined;
      }
      start = end + (separator?.length ?? 1);
    }
    return byPlace && place !== items.length ? undefined : { signatures, timestamp };
  };
}

function resemble(
  [before, , after = '']: ValueItem,
  [otherBefore, , otherAfter = '']: ValueItem,
): boolean {
  return (
    (before.startsWith(otherBefore) || otherBefore.startsWith(before)) &&
    (after.endsWith(otherAfter) || otherAfter.endsWith(after))
  );
}
