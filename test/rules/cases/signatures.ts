import type { Breach, Observance } from '../rule-case.ts';

/** A contract whose one scheme signs what `over` lists, with more of the signature behind it. */
function signing(over: string, more = ''): string {
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
paths: {}
components:
  parameters:
    Id: { name: X-Id, in: header, schema: { type: string } }
    Clock: { name: X-Clock, in: header, schema: { type: string } }
  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-signature: # here
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: ${over}
        encoding: hex
${more}`;
}

const clock = '        timestamp: { header: X-Clock, format: unix-seconds, tolerance: 300 }\n';

export const breaches: readonly Breach[] = [
  {
    name: 'a signature whose timestamp is not signed',
    rule: 'signatures',
    code: 'unusable-signature',
    says: 'timestamp is not signed',
    files: { 'openapi.yaml': signing('[$request.body]', clock) },
  },
  {
    name: 'a signature over two headers with nothing between',
    rule: 'signatures',
    code: 'unusable-signature',
    says: '"seal"',
    files: { 'openapi.yaml': signing('[$request.header.X-Id, $request.header.X-Clock]') },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'a signature over timestamp and body, parted by a dot',
    code: 'unusable-signature',
    files: {
      'openapi.yaml': signing("[$request.header.X-Clock, { text: '.' }, $request.body]", clock),
    },
  },
];
