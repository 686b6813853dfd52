import { expect, test } from 'vitest';
import { describeSignatures } from '../../../generator/targets/printing/signature-code.ts';
import { readAsyncapi, readOpenapi } from '../client/emit-client.ts';

test('signatures whose names differ in capitals alone have functions of different names', async () => {
  const scheme = {
    type: 'httpApiKey',
    name: 'X-Signature',
    in: 'header',
    'x-signature': {
      algorithm: 'hmac-sha256',
      key: { credential: 'secret', encoding: 'utf-8' },
      over: ['$request.body'],
      encoding: 'hex',
    },
  };
  const contract = await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Twice', version: '1.0.0', 'x-countersign': 1 },
    channels: { doors: { messages: { opened: { payload: { type: 'object' } } } } },
    operations: {
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/doors' },
        security: ['aB', 'AB'].map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
      },
    },
    components: { securitySchemes: { aB: scheme, AB: scheme } },
  });
  const names = describeSignatures(contract).flatMap(({ verify, signer }) => [verify, signer]);
  expect(names.length).toBeGreaterThanOrEqual(4);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['the id of a delivery, which text separates', ['$request.header.X-Id', { text: '.' }], ['x-id']],
  ['a key before a timestamp', ['$request.header.X-Id', '$timestamp'], []],
  ['a key that a security scheme declares', ['$request.header.X-Key', { text: '.' }], []],
  ['a header at the end', [{ text: '.' }, '$request.header.X-Id'], ['x-id']],
])(
  'a receiver compares a signed header only if it is a credential: %s',
  async (_, over, deliveryHeaders) => {
    const contract = await readOpenapi({
      openapi: '3.1.1',
      info: { title: 'Signed headers', version: '1.0.0' },
      security: [{ signature: [] }],
      webhooks: { opened: { post: { responses: {} } } },
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'x-key' },
          signature: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Signature',
            'x-signature': {
              algorithm: 'hmac-sha256',
              key: { credential: 'secret', encoding: 'utf-8' },
              over: [...over, { text: '.' }, '$timestamp'],
              encoding: 'hex',
              timestamp: { header: 'X-Time', format: 'unix-seconds', tolerance: 300 },
            },
          },
        },
      },
    });
    const [signature] = describeSignatures(contract);
    expect(signature?.deliveryHeaders).toEqual(deliveryHeaders);
    const signed = over.flatMap((part) =>
      typeof part === 'string' && part.includes('header') ? [part.slice(16).toLowerCase()] : [],
    );
    expect(signature?.headers).toEqual(deliveryHeaders.length > 0 ? [] : signed);
  },
);
