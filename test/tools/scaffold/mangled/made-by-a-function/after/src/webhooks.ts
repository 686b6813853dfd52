import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { createWebhooksListener, sharedSecret, type Handlers } from '@parcels/webhooks-node';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

interface Store {
  save(parcel: unknown): Promise<void>;
}

function handle(store: Store) {
  const log = (kind: string): string => {
    return kind;
  };
  return {
    created: (event) => store.save(event.data),
    async moved(event) {
      log(event.kind);
      await store.save(event.data);
    },
    lost: onLost,
    returned: onReturned,
  } satisfies Partial<Handlers>;
}

export const serve = (store: Store): Server =>
  createServer(
    createWebhooksListener({
      authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
      on: handle(store),
      otherwise() {},
      onInvalid() {},
    }),
  );
