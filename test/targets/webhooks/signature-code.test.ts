import { expect, test } from 'vitest';
import { describeSignatures } from '../../../generator/targets/webhooks/signature-code.ts';
import { readAsyncapi } from '../client/emit-client.ts';

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
