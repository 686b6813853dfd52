import { toRouteHandlers } from '../../../../packages/runtime/adapters/nextjs.ts';
import { listenFetch } from './listen.ts';
import type { Adapter } from './workbench.ts';

/** An app route under Node: the export of the method is called; without one there is no handler. */
export const nextAdapter: Adapter = {
  name: 'nextjs',
  keepsPath: false,
  serve(receive) {
    const handlers = new Map(Object.entries(toRouteHandlers(receive)));
    return listenFetch(
      (request) =>
        handlers.get(request.method)?.(request) ??
        Promise.resolve(new Response(null, { status: 405 })),
    );
  },
};
