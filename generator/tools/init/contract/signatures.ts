import type { DeclaredProof } from '../../../contract/proofs.ts';
import type { JsonObject } from '../../../json/json.ts';
import type { Render } from '../../../targets/render.ts';

/** The security schemes of well-known ways to prove where a delivery comes from, by the name of the form. */
export type SignatureForms = Readonly<Record<string, JsonObject & { readonly name: string }>>;

/**
 * Returns the security schemes, which are data in a template.
 * @param header the header of the proof; by default, that of each form
 */
export function signatureForms(render: Render, header: string = ''): SignatureForms {
  // Senders name the headers beside a signature alike: webhook-signature, webhook-id and webhook-timestamp.
  const prefix = /^(.+?)-?signature/iu.exec(header)?.[1] ?? header;
  return JSON.parse(
    render('signatures.json', {
      header,
      id: `$request.header.${prefix || 'webhook'}-id`,
      timestamp: `${prefix || 'webhook'}-timestamp`,
      requestTimestamp: `${prefix || 'x'}-request-timestamp`,
    }),
  ) as SignatureForms;
}

/**
 * Returns the form of a proof that a notification declares: by the names of its headers, if a standard has them, or by
 * its examples. Returns `undefined` if neither shows how the proof is made, which a name alone does not.
 */
export function recognizeForm({
  header,
  kind,
  idHeader,
  timestampHeader,
  values,
}: DeclaredProof): string | undefined {
  if (kind === 'secret') return 'secret';
  const all = (pattern: RegExp): boolean =>
    values.length > 0 && values.every((value) => pattern.test(value));
  const isTimed = timestampHeader?.toLowerCase().endsWith('-request-timestamp') === false;
  if (idHeader !== undefined && isTimed && (/^webhook-/iu.test(header) || all(/^v1,/u)))
    return 'standard-webhooks';
  if (all(/^t=\d+,v1=[\da-f]{64}$/iu)) return 'timestamped';
  if (all(/^v0=[\da-f]{64}$/iu) && timestampHeader !== undefined && !isTimed) return 'versioned';
  return all(/^sha256=[\da-f]{64}$/iu) ? 'hmac-hex-prefixed' : undefined;
}
