import type { Answer } from '../../../packages/runtime/webhooks/exchange.ts';

/** Has the process around the Worker send the request: a Worker has no sockets of the bytes that it wants. */
export async function exchange(
  _port: number,
  method: string,
  path: string,
  headers: Record<string, unknown>,
  body: Uint8Array,
  unending: boolean,
): Promise<Answer> {
  // In the body, because headers can be longer than a header of this request may be.
  const request = JSON.stringify({ method, path, headers, unending });
  const response = await globalThis.wire.fetch('http://wire/exchange', {
    method: 'POST',
    body: new Blob([request, '\n', new Uint8Array(body)]),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}
