import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Webhooks } from '@instant-payment/webhooks';
import { toNodeHandler } from '@countersign/webhooks/node';

/** An adapter beside what it costs to do without: its own framework, which reads the body and answers 204. */
export interface AdapterRow {
  readonly name: string;
  readonly bare: () => RequestListener | Promise<RequestListener>;
  readonly receiving: (webhooks: Webhooks) => RequestListener | Promise<RequestListener>;
}

/** Each adapter on its framework. */
export const adapterRows: readonly AdapterRow[] = [
  {
    name: 'node',
    bare: () => (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        Buffer.concat(chunks);
        response.writeHead(204).end();
      });
    },
    receiving: ({ receive }) => {
      const handle = toNodeHandler(receive);
      return (request, response) => void handle(request, response);
    },
  },
  {
    name: 'fetch',
    bare: () =>
      toListener(async (request) => {
        await request.arrayBuffer();
        return new Response(null, { status: 204 });
      }),
    receiving: ({ fetch }) => toListener(fetch),
  },
];

function toListener(handle: (request: Request) => Promise<Response>): RequestListener {
  const listener = getRequestListener(handle);
  return (request, response) => void listener(request, response);
}
