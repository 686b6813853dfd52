import { toExportedHandler } from '../../../../packages/runtime/adapters/cloudflare.ts';
import { listenFetch } from './listen.ts';
import type { Adapter } from './workbench.ts';

/** A module Worker under Node: what it is given is what Workers give. */
export const cloudflareAdapter: Adapter = {
  name: 'cloudflare',
  keepsPath: false,
  serve(receive) {
    const env = {};
    const context = { waitUntil: () => undefined };
    const { fetch } = toExportedHandler(() => receive);
    return listenFetch((request) => fetch(request, env, context));
  },
};
