import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a server answers a path: with a text, or by a function. */
export type Answers = Record<string, string | ((response: ServerResponse) => void)>;

/** A server of documents on the loopback. */
export interface DocumentServer extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** The requests so far: path and headers. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** May be changed while the server runs. */
  readonly answers: Answers;
}

/** Starts a server of documents. */
export async function serveDocuments(answers: Answers): Promise<DocumentServer> {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end('no such document');
    else if (typeof answer === 'function') answer(response);
    else response.end(answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
