import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  clientCertificate,
  tlsSocket,
} from '../../../../packages/runtime/webhooks/client-certificate.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import { readOpenapi } from '../../../targets/client/emit-client.ts';
import { generateWebhooks } from '../../../targets/webhooks/emit-webhooks.ts';
import { createAuthority, type Issued } from '../../certificates.ts';
import type { WebhooksModule } from './generated-webhooks.ts';

/** The callback of received payments, in the form of the Pix API: `security: []`, and the paid key in each payment. */
const contract = {
  openapi: '3.0.0',
  info: { title: 'Pix', version: '2.9.0' },
  paths: {
    '/webhook/{chave}': {
      put: {
        operationId: 'putWebhook',
        parameters: [
          { name: 'chave', in: 'path', required: true, schema: { type: 'string', maxLength: 77 } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { webhookUrl: { type: 'string' } } },
            },
          },
        },
        responses: { 200: { description: 'Registered.' } },
        callbacks: {
          received: {
            '{$request.body#/webhookUrl}/pix': {
              post: {
                operationId: 'pixReceived',
                security: [],
                requestBody: {
                  required: true,
                  content: {
                    'application/json': { schema: { $ref: '#/components/schemas/Received' } },
                  },
                },
                responses: { 200: { description: 'Taken.' } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Received: {
        type: 'object',
        required: ['pix'],
        properties: { pix: { type: 'array', items: { $ref: '#/components/schemas/Pix' } } },
      },
      Pix: {
        type: 'object',
        required: ['endToEndId', 'valor', 'horario'],
        properties: {
          endToEndId: { type: 'string', pattern: '^[a-zA-Z0-9]{32}$' },
          txid: { type: 'string' },
          valor: { type: 'string', pattern: '^\\d{1,10}\\.\\d{2}$' },
          chave: { type: 'string', maxLength: 77 },
          horario: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
};

interface Pix {
  readonly endToEndId: string;
  readonly valor: string;
  readonly chave?: string;
}

test('a receiver of Pix callbacks requires the certificate of the bank and its own key', async () => {
  const read = await readOpenapi(contract);
  expect(read.authentication.isNone).toBe(true);
  await using generated = await generateWebhooks(read);
  const { createWebhooks } = (await import(
    pathToFileURL(join(generated.webhooks, 'src/index.ts')).href
  )) as WebhooksModule;

  const authority = await createAuthority('CN=Authority of banks');
  const names = [{ type: 'ip', value: '127.0.0.1' }] as const;
  const server = await authority.issue({ subject: 'CN=receiver', names: [...names] });
  const bank = await authority.issue({ subject: 'C=BR,O=Bank,CN=pix.bank.example' });
  const otherBank = await authority.issue({ subject: 'C=BR,O=Other bank,CN=pix.other.example' });

  const ownKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
  const credited: string[] = [];
  const foreign: string[] = [];
  const { receive } = createWebhooks({
    authenticate: clientCertificate({
      from: tlsSocket(),
      subject: { O: 'Bank', CN: 'pix.bank.example' },
    }),
    on: {},
    otherwise: {
      rest: ({ data }: { readonly data: { readonly pix: readonly Pix[] } }) => {
        // The certificate says which bank reports a payment. Whose payment it is, only the key says.
        for (const { endToEndId, chave } of data.pix)
          (chave === ownKey ? credited : foreign).push(endToEndId);
      },
    },
    onInvalid: () => undefined,
  });
  const handle = toNodeHandler(receive);
  const listening = createServer(
    { ...server, ca: authority.cert, requestCert: true },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    listening.close();
    listening.closeAllConnections();
  });
  const { port } = listening.address() as AddressInfo;
  const send = (
    identity: Partial<Issued>,
    endToEndId: string,
    chave: string,
  ): Promise<number | 'refused'> =>
    new Promise((resolve) => {
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/hooks/pix' } as const;
      const sent = request(
        { ...options, ...identity, ca: authority.cert, agent: false },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      sent.on('error', () => resolve('refused'));
      const pix = { endToEndId, valor: '110.00', chave, horario: '2026-11-26T12:00:00.000Z' };
      sent.end(JSON.stringify({ pix: [pix] }));
    });
  const id = (digit: number): string => `E${String(digit).padStart(31, '0')}`;
  expect(await send(bank, id(1), ownKey)).toBe(200);
  expect(await send(bank, id(2), 'someone@example.com')).toBe(200);
  expect(await send(otherBank, id(3), ownKey)).toBe(401);
  expect(await send({}, id(4), ownKey)).toBe('refused');
  expect({ credited, foreign }).toEqual({ credited: [id(1)], foreign: [id(2)] });
});
