import { request } from 'node:http';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const first = 65_536;

/**
 * Sends one request on a connection of its own; an early answer counts, whatever becomes of the rest. What is large
 * waits a moment for one, and longer in a second attempt: a server that closes a connection with something unread in it
 * takes its answer along, and a busy machine answers late.
 */
export async function exchange(
  port: number,
  method: string,
  path: string,
  headers: Record<string, unknown>,
  body: Uint8Array,
  unending: boolean,
  patienceMs = 250,
): Promise<Answer> {
  const isLarge = body.length >= 16 * first;
  return await new Promise((resolve, reject) => {
    const length = unending ? {} : { 'content-length': body.length };
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: { ...length, ...headers } as Record<string, string>,
    });
    let isAnswered = false;
    outgoing.on('response', (response) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      const end = (): void => {
        outgoing.destroy();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', end);
      response.on('error', end);
    });
    outgoing.on('error', (error) => {
      if (isAnswered) return;
      if (isLarge && patienceMs < 5000)
        resolve(exchange(port, method, path, headers, body, unending, 5000));
      else reject(error);
    });
    if (unending) outgoing.write(body);
    else if (!isLarge) outgoing.end(body);
    else {
      outgoing.write(body.subarray(0, first));
      setTimeout(() => {
        if (!isAnswered) outgoing.end(body.subarray(first));
      }, patienceMs);
    }
  });
}
