import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { UnsignedRequest } from '../../../../packages/simulator/src/sending/compose-request.ts';
import { frameHeaders } from '../../../../packages/simulator/src/sending/exchange.ts';
import {
  exchange,
  type DeliveryResponse,
} from '../../../../packages/simulator/src/send/deliver.ts';
import { listenForTest } from './listen.ts';

const here = { address: '127.0.0.1', family: 4 } as const;

function send(
  url: string,
  { headers = [], ...more }: Partial<UnsignedRequest> = {},
  timeoutMs = 5_000,
): Promise<DeliveryResponse> {
  const { body = new TextEncoder().encode('{"a":1}') } = more;
  const to = new URL(url);
  const framed = frameHeaders(to, headers, body, false);
  const sent = { method: 'POST', ...more, url: to, headers: framed, body, proofs: [] };
  return exchange(sent, here, timeoutMs);
}

describe('an exchange', () => {
  it('sends what it is given and answers with what came back', async () => {
    const url = await listenForTest((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(207, 'Some of it', { 'content-type': 'application/json', allow: 'PUT' });
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            kind: request.headers['x-kind'],
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
    });
    const answer = await send(`${url}/a%2Fb?c=d`, {
      method: 'PUT',
      headers: [['x-kind', 'parcel']],
    });
    expect(answer).toMatchObject({
      status: 207,
      statusText: 'Some of it',
      headers: { 'content-type': 'application/json', allow: 'PUT' },
      isCut: false,
    });
    expect(JSON.parse(new TextDecoder().decode(answer.body))).toEqual({
      method: 'PUT',
      url: '/a%2Fb?c=d',
      kind: 'parcel',
      body: '{"a":1}',
    });
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  it('goes to the address that was judged, whatever the name leads to', async () => {
    let host: string | undefined;
    const url = await listenForTest((request, response) => {
      ({ host } = request.headers);
      response.end();
    });
    const { port } = new URL(url);
    expect((await send(`http://rebound.invalid:${port}/`)).status).toBe(200);
    expect(host).toBe(`rebound.invalid:${port}`);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const asked: (string | undefined)[] = [];
    const url = await listenForTest((request, response) => {
      asked.push(request.url);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    const answer = await send(`${url}/here`);
    expect(answer).toMatchObject({ status, headers: { location: '/elsewhere' } });
    expect(asked).toEqual(['/here']);
  });

  it('reads no more of an answer than it shows', async () => {
    const url = await listenForTest((_request, response) => {
      const flood = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', flood);
      flood();
    });
    const { body, isCut } = await send(url);
    expect({ length: body.length, isCut }).toEqual({ length: 65_536, isCut: true });
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['never ends its answer', (_request, response) => void response.write('a')],
  ])('gives up on a server that %s', async (_, listener) => {
    const url = await listenForTest(listener);
    const sent = send(url, {}, 100);
    await expect(sent).rejects.toMatchObject({
      code: 'timeout',
      message: 'No response arrived within 100 ms.',
    });
  });

  it('says what keeps it from reaching a server', async () => {
    const url = await listenForTest((request) => request.socket.destroy());
    await expect(send(url)).rejects.toMatchObject({
      code: 'unreachable',
      message: `${new URL(url).host} cannot be reached (ECONNRESET).`,
    });
  });
});
