import type { IncomingMessage } from 'node:http';
import type { SignableRequest } from '@countersign/runtime/signing';

/** A call as it arrived. */
export interface ReceivedCall extends SignableRequest {
  /** The path as it was sent, still percent-encoded. */
  readonly path: string;
  /** The text after the question mark; empty where there is none. */
  readonly query: string;
  readonly rawHeaders: readonly string[];
  /**
   * What was sent in the places of credentials, right or wrong. A wrong one can be a credential of another environment,
   * so that none of them is recorded.
   */
  readonly secrets: Set<string>;
}

/** Returns a call with the absolute URL, which some signatures cover. */
export function toReceivedCall(request: IncomingMessage, body: Uint8Array): ReceivedCall {
  const { method = 'GET', url: sent = '/', rawHeaders } = request;
  const headers = request.headersDistinct;
  // A client of a proxy sends the absolute URL in the request line.
  const target = sent.startsWith('/') ? sent : sent.replace(/^https?:\/\/[^/?]*/iu, '') || '/';
  const end = target.indexOf('?');
  return {
    method,
    url: `http://${headers['host']?.[0] ?? 'localhost'}${target}`,
    path: end === -1 ? target : target.slice(0, end),
    query: end === -1 ? '' : target.slice(end + 1),
    headers: (name) => headers[name] ?? [],
    rawHeaders,
    body,
    secrets: new Set(),
  };
}
