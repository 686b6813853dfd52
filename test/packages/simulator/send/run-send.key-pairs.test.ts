import { generateKeyPairSync } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import {
  createVerifier,
  type KeyPairScheme,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { listenForTest } from './listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { simulate, started } from '../simulate/simulating.ts';

const contract = `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0, x-countersign: 1 }
channels:
  doors:
    address: /doors
    messages:
      opened:
        headers: { type: object, properties: { X-Time: { type: string } } }
        payload: { type: object, properties: { id: { type: string } }, required: [id] }
        examples: [{ name: plain, payload: { id: D1 } }]
operations:
  tell:
    action: send
    channel: { $ref: '#/channels/doors' }
    security: [{ $ref: '#/components/securitySchemes/seal' }]
components:
  securitySchemes:
    seal:
      type: httpApiKey
      in: header
      name: X-Seal
      x-signature:
        algorithm: ecdsa-p256-sha256
        format: der
        key: { credential: sealing }
        over: [$timestamp, { text: '.' }, $request.body]
        encoding: base64
        timestamp: { header: X-Time, format: unix-seconds, tolerance: 300 }
`;
const scheme: KeyPairScheme = {
  algorithm: 'ecdsa-p256-sha256',
  format: 'der',
  key: {},
  over: ['$timestamp', { text: '.' }, '$request.body'],
  encoding: 'base64',
  header: 'X-Seal',
  value: '{signature}',
  timestamp: { header: 'X-Time', format: 'unix-seconds', tolerance: 300 },
};

/** Listens, and answers 200 to deliveries that one of the keys signed, and 401 to others. */
async function listen(keys: readonly string[]): Promise<string> {
  return await listenForTest(async (request, response) => {
    const body = new TextEncoder().encode(await text(request));
    const verification = await createVerifier(scheme, { keys }).verify({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: (name) => [request.headers[name] ?? []].flat(),
      body,
    });
    response.writeHead(verification.ok ? 200 : 401).end();
  });
}

async function createDoors(): Promise<string> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'asyncapi.yaml': contract,
    'countersign.config.ts':
      "export default { contract: { asyncapi: 'asyncapi.yaml' }, scope: '@doors', output: 'generated', targets: ['contract'] };\n",
    'package.json': '{"type":"module"}',
    'node_modules/.keep': '',
  });
  return folder;
}

it('send signs with a private key in PEM', async () => {
  const folder = await createDoors();
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const url = await listen([publicKey]);
  const parameters = ['send', 'opened', '--to', url, '--key-env', 'SENDER_KEY'];
  const sent = await runInProcess(folder, parameters, { SENDER_KEY: privateKey });
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.out).not.toContain(privateKey.slice(40, 80));
  const wrong = await runInProcess(folder, parameters, { SENDER_KEY: publicKey });
  expect(wrong.code).not.toBe(0);
  expect(wrong.out + wrong.error).toContain('is a public key');
});

it('simulate signs with a key pair of its own, and prints the public key', async () => {
  const folder = await createDoors();
  const simulation = simulate(folder, ['--json', '--to', 'http://127.0.0.1:9']);
  const { variables } = await started(simulation);
  const publicKey = variables['WEBHOOK_PUBLIC_KEY'] ?? '';
  expect(JSON.parse(publicKey)).toMatchObject({ kty: 'EC', crv: 'P-256' });
  expect(publicKey).not.toContain('"d"');
  expect(variables['WEBHOOK_SECRET']).toBeUndefined();
  expect(await simulation.end()).toBe(0);
});
