import type { SignatureForm, SignedExpression } from './scheme.ts';

/** A parsed signed part. The header of the timestamp is `$timestamp`, however `over` names it. */
export interface Part {
  /** `text`, `header`, or the expression itself. */
  readonly kind: 'text' | 'header' | Exclude<SignedExpression, `${typeof headerPrefix}${string}`>;
  /** The constant text, or the name of the header in lower case. */
  readonly text: string;
}

/** The prefix of a signed part that names a header. */
export const headerPrefix = '$request.header.';

/** Parses the signed parts of a scheme, without empty text. */
export function toParts({ over, timestamp }: SignatureForm): readonly Part[] {
  const parts = over.map((item): Part => {
    if (typeof item === 'object') return { kind: 'text', text: item.text };
    if (!item.startsWith(headerPrefix)) return { kind: item as Part['kind'], text: '' };
    const text = item.slice(headerPrefix.length).toLowerCase();
    return { kind: text === timestamp?.header?.toLowerCase() ? '$timestamp' : 'header', text };
  });
  return parts.filter(({ kind, text }) => kind !== 'text' || text);
}
