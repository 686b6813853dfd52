import type { DeclaredProof } from 'countersign/companion/deliveries';
import type { Render } from 'countersign/companion/printing';
import type { JsonObject } from 'countersign/kit';

/** The security schemes of well-known ways to prove where a delivery comes from, by the name of the form. */
export type SignatureForms = Readonly<Record<string, JsonObject & { readonly name: string }>>;

/** Where a proof is: the place, and the name of the header, the parameter of the query or the cookie. */
export interface ProofPlace {
  readonly in: DeclaredProof['in'];
  readonly name: string;
}

/** Returns the place of an answer: the name of a header, `query:<name>` or `cookie:<name>`. */
export function readProofPlace(answer: string): ProofPlace {
  const [, place, name = ''] = /^(query|cookie):(.*)$/su.exec(answer) ?? [];
  return place === 'query' || place === 'cookie'
    ? { in: place, name }
    : { in: 'header', name: answer };
}

/** Returns a place as an answer. */
export function writeProofPlace({ in: place, name }: ProofPlace): string {
  return place === 'header' ? name : `${place}:${name}`;
}

/**
 * Returns the security schemes, which are data in a template.
 * @param answer the place of the proof; by default, the header of each form
 */
export function signatureForms(render: Render, answer: string = ''): SignatureForms {
  const { in: place, name: header } = readProofPlace(answer);
  // Senders name the headers beside a signature alike: webhook-signature, webhook-id and webhook-timestamp.
  const prefix = /^(.+?)-?signature/iu.exec(header)?.[1] ?? header;
  return JSON.parse(
    render('signatures.json', {
      place,
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
  in: place,
  name,
  kind,
  idHeader,
  timestampHeader,
  values,
}: DeclaredProof): string | undefined {
  if (kind === 'secret') return 'secret';
  if (place !== 'header') return undefined;
  const all = (pattern: RegExp): boolean =>
    values.length > 0 && values.every((value) => pattern.test(value));
  const isTimed = timestampHeader?.toLowerCase().endsWith('-request-timestamp') === false;
  if (idHeader !== undefined && isTimed && (/^webhook-/iu.test(name) || all(/^v1,/u)))
    return 'standard-webhooks';
  if (all(/^t=\d+,v1=[\da-f]{64}$/iu)) return 'timestamped';
  if (all(/^v0=[\da-f]{64}$/iu) && timestampHeader !== undefined && !isTimed) return 'versioned';
  return all(/^sha256=[\da-f]{64}$/iu) ? 'hmac-hex-prefixed' : undefined;
}
