import { connect } from 'node:net';

/** An answer, and whether the server closed the connection behind it. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isClosed: boolean;
}

/**
 * Sends text as it stands, line ends made those of HTTP, and waits for the server to close the connection, or half a
 * second without another byte of the answer.
 */
export async function exchangeRaw(port: number, text: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const isClosed = await new Promise<boolean>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      socket.setTimeout(500, () => resolve(false));
    });
    socket.on('end', () => resolve(true));
    socket.on('close', () => resolve(true));
    socket.on('error', (error) => (chunks.length > 0 ? resolve(true) : reject(error)));
    socket.write(text.replaceAll('\n', '\r\n'));
  });
  socket.destroy();
  const answer = Buffer.concat(chunks).toString();
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    text: rest.join('\r\n\r\n'),
    isClosed,
  };
}

/** A request of one body and its length, after whose answer the connection ends. */
export function rawPost(target: string, body: string, lines: readonly string[] = []): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [`POST ${target} HTTP/1.1`, 'Host: example', 'Connection: close', length, ...lines];
  return `${head.join('\n')}\n\n${body}`;
}
