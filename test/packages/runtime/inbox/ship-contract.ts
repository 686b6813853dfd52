import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InboxWorker } from '@countersign/runtime/inbox';
import { readAsyncapi } from '../../../targets/client/emit-client.ts';
import { generateWebhooks } from '../../../targets/webhooks/emit-webhooks.ts';
import type { WebhooksModule } from '../webhooks/generated-webhooks.ts';

/** The receiver and the worker that are generated from one version of a contract. */
export interface ShipRelease extends AsyncDisposable {
  readonly createWebhooks: WebhooksModule['createWebhooks'];
  readonly unauthenticated: WebhooksModule['unauthenticated'];
  readonly createWorker: (options: object) => InboxWorker;
  /** The name that begins its keys: the same for both versions. */
  readonly receiverName: string;
}

/**
 * Generates a contract about ships. The newer version renames an optional member, accepts ships of any length, and adds
 * a kind and an array form.
 */
export async function generateShips(version: 'older' | 'newer'): Promise<ShipRelease> {
  const generated = await generateWebhooks(await readAsyncapi(shipContract(version === 'newer')));
  const entry = async (name: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href);
  const { createWebhooks, unauthenticated, receiverName } = (await entry(
    'index',
  )) as WebhooksModule & Pick<ShipRelease, 'receiverName'>;
  const { createWorker } = (await entry('worker')) as Pick<ShipRelease, 'createWorker'>;
  return {
    createWebhooks,
    unauthenticated,
    createWorker,
    receiverName,
    [Symbol.asyncDispose]: () => generated[Symbol.asyncDispose](),
  };
}

function shipContract(isNewer: boolean): object {
  const docked = {
    type: 'object',
    required: ['type', 'Ship'],
    properties: {
      type: { type: 'string' },
      Ship: {
        type: 'object',
        required: ['id', 'length'],
        properties: {
          id: { type: 'string' },
          length: isNewer ? { type: 'number' } : { type: 'number', maximum: 100 },
          [isNewer ? 'quay' : 'berth']: { type: 'string' },
        },
      },
    },
    ...(isNewer && {
      'x-variants': {
        list: {
          when: { '$request.body#/ships': { type: 'array' } },
          each: '/ships',
          as: '/Ship',
        },
      },
    }),
  };
  const ship = {
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { type: 'string' }, id: { type: 'string' } },
  };
  const kinds = [
    { name: 'shipDocked', type: 'docked', payload: docked, id: 'Ship/id', same: 'Ship' },
    { name: 'shipBuilt', type: 'built', payload: ship, id: 'id', same: 'id' },
    ...(isNewer
      ? [{ name: 'shipSailed', type: 'sailed', payload: ship, id: 'id', same: 'id' }]
      : []),
  ];
  return {
    asyncapi: '3.1.0',
    info: { title: 'Ships', version: isNewer ? '2.0.0' : '1.0.0', 'x-countersign': 1 },
    channels: {
      ships: {
        address: '/ships',
        messages: Object.fromEntries(
          kinds.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      report: {
        action: 'send',
        channel: { $ref: '#/channels/ships' },
        bindings: { http: { method: 'POST' } },
      },
    },
    components: {
      messages: Object.fromEntries(
        kinds.map(({ name, type, payload, id, same }) => [
          name,
          {
            contentType: 'application/json',
            'x-identified-by': { '$request.body#/type': { const: type } },
            'x-ordered-by': [`$request.body#/${id}`],
            'x-dedupe-by': [`$request.body#/${same}`],
            payload,
          },
        ]),
      ),
    },
  };
}
