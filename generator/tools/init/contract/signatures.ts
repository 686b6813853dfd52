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
