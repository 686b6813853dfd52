import { toNodeHandler } from '@countersign/runtime/webhooks/node';
import type { DeliveryRecord } from '@countersign/runtime/webhooks';
import { sharedSecret, type Authentication } from '../../packages/runtime/webhooks/receiver.ts';
import {
  basicCredentials,
  bearerToken,
  cookieSecret,
} from '../../packages/runtime/webhooks/credentials.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { createBareReceiver } from '../packages/runtime/webhooks/bare-receiver.ts';
import { listenForTest } from '../packages/simulator/send/listen.ts';

/** The secret of notifications, in each form that a contract can state. */
const hush = 'hush & hush';

/** The schemes of notifications whose secret both commands send: its value, and what a receiver compares. */
export const statedSecrets: readonly (readonly [
  name: string,
  scheme: string,
  value: string,
  authenticate: Authentication,
])[] = [
  ['HTTP Basic', 'type: http, scheme: basic', `shop:${hush}`, basicCredentials(`shop:${hush}`)],
  ['a bearer token', 'type: http, scheme: Bearer', 'hush-hush', bearerToken('hush-hush')],
  [
    'a key in the query',
    'type: apiKey, in: query, name: key',
    hush,
    sharedSecret({ query: 'key' }, hush),
  ],
  [
    'a key in a cookie',
    'type: apiKey, in: cookie, name: session',
    hush,
    cookieSecret('session', hush),
  ],
];

/** Makes a project whose only notification, `order`, has a scheme. */
export async function createSecretProject(scheme: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'countersign.config.json':
      '{"contract":{"openapi":"openapi.yaml"},"output":"out","scope":"@shop","targets":["contract"]}',
    'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  order:
    post:
      security: [{ seal: [] }]
      requestBody: { content: { application/json: { schema: { type: object }, example: { id: 1 } } } }
      responses: { '200': { description: Done } }
components:
  securitySchemes:
    seal: { ${scheme} }
`,
  });
  return folder;
}

/** Listens with a receiver until the test is over. */
export async function receiveWith(
  authenticate: Authentication,
): Promise<{ readonly url: string; readonly records: readonly DeliveryRecord[] }> {
  const { receive, records } = createBareReceiver({ authenticate });
  const handle = toNodeHandler(receive);
  return {
    url: await listenForTest((request, response) => void handle(request, response)),
    records,
  };
}
