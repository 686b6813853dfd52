import { describe, expect, it } from 'vitest';
import { lowerFiles } from './lower-files.ts';

const signature = (more: string): string =>
  `{ type: apiKey, in: header, name: X-Seal, x-signature: { algorithm: hmac-sha256, ${more} } }`;
const body = 'over: [$request.body], encoding: hex';

/** Lowers a contract whose two documents have a scheme of the same name. */
async function lowerSchemes(
  ours: string,
  theirs: string,
): Promise<Awaited<ReturnType<typeof lowerFiles>>> {
  return await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Test, version: 1.0.0, x-countersign: 1 }
paths: {}
components:
  securitySchemes:
    key: ${ours}
`,
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Test, version: 1.0.0, x-countersign: 1 }
channels: {}
components:
  securitySchemes:
    key: ${theirs}
`,
  });
}

describe('a security scheme of both documents', () => {
  it.each([
    [
      'in',
      '{ type: apiKey, in: header, name: X-Key }',
      '{ type: httpApiKey, in: query, name: X-Key }',
    ],
    [
      'name',
      '{ type: apiKey, in: query, name: key }',
      '{ type: httpApiKey, in: query, name: Key }',
    ],
    ['type', '{ type: http, scheme: bearer }', '{ type: userPassword }'],
    ['scheme', '{ type: http, scheme: bearer }', '{ type: http, scheme: basic }'],
    [
      'x-signature/key/encoding',
      signature(`key: { credential: secret, encoding: hex }, ${body}`),
      signature(`key: { credential: secret, encoding: base64 }, ${body}`).replace(
        'apiKey',
        'httpApiKey',
      ),
    ],
    [
      'x-signature',
      '{ type: apiKey, in: header, name: X-Seal }',
      signature(`key: { credential: secret, encoding: hex }, ${body}`).replace(
        'apiKey',
        'httpApiKey',
      ),
    ],
  ])('that differs in %s is reported where it is', async (member, ours, theirs) => {
    const { diagnostics } = await lowerSchemes(ours, theirs);
    const mismatches = diagnostics.filter(({ code }) => code === 'security-scheme-mismatch');
    expect(mismatches).toEqual([
      expect.objectContaining({
        severity: 'error',
        message: `The security scheme "key" differs from that of the OpenAPI document in "${member}" (openapi.yaml:6).`,
        file: 'asyncapi.yaml',
        line: 6,
        column: 5,
        pointer: 'asyncapi#/components/securitySchemes/key',
      }),
    ]);
  });

  it.each([
    [
      '{ type: apiKey, in: header, name: X-Key, description: Ours. }',
      '{ type: httpApiKey, in: header, name: x-key, description: Theirs. }',
    ],
    ['{ type: http, scheme: Bearer }', '{ type: http, scheme: bearer, bearerFormat: JWT }'],
    [
      signature(`key: { credential: secret, encoding: hex, description: Ours. }, ${body}`),
      signature(`key: { credential: secret, encoding: hex }, ${body}`).replace(
        'apiKey',
        'httpApiKey',
      ),
    ],
  ])('is one scheme if its meaning is the same: %s', async (ours, theirs) => {
    const { diagnostics, contract } = await lowerSchemes(ours, theirs);
    expect(diagnostics.filter(({ code }) => code === 'security-scheme-mismatch')).toEqual([]);
    expect(contract.security.map(({ id, pointer }) => [id, pointer])).toEqual([
      ['key', 'openapi#/components/securitySchemes/key'],
    ]);
  });
});
