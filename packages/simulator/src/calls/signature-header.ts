import type { SignatureScheme } from '@countersign/runtime/signing';

/** Returns the signatures and the timestamp in the value of a signature header, as far as it is in the template. */
export function readSignatureHeader(
  { value, separator }: SignatureScheme,
  text: string,
): { readonly signatures: readonly string[]; readonly timestamp?: string } {
  const split = (list: string): readonly string[] =>
    separator === undefined ? [list] : list.split(separator);
  const signatures: string[] = [];
  let timestamp: string | undefined;
  for (const item of split(value))
    for (const sentItem of split(text)) {
      const signature = innerOf(sentItem, item, '{signature}');
      if (signature !== undefined) signatures.push(signature);
      else timestamp ??= innerOf(sentItem, item, '{timestamp}');
    }
  return { signatures: signatures.slice(0, 8), ...(timestamp === undefined ? {} : { timestamp }) };
}

function innerOf(text: string, template: string, placeholder: string): string | undefined {
  const [before = '', after] = template.split(placeholder);
  if (after === undefined || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.length < before.length + after.length
    ? undefined
    : text.slice(before.length, text.length - after.length);
}
