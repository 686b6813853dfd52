import { STATUS_CODES } from 'node:http';
import type { LambdaEvent, LambdaResult } from './aws-lambda-event.ts';
import { withoutConnection } from './fetch.ts';
import { type Outcome, WebhookError, tooLarge } from './contract.ts';
import type { Receive } from './receiver.ts';

export type { LambdaEvent, LambdaResult } from './aws-lambda-event.ts';

/** A Lambda handler. Rejects with a WebhookError `unknown-event` for an event that is not an HTTP request. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaResult>;

/** Creates a Lambda handler from a receiver. */
export function toLambdaHandler(receive: Receive): LambdaHandler {
  receive.admit?.('aws-lambda');
  return async (event) => {
    const { requestContext: context, httpMethod, rawPath, path: withoutStage } = event ?? {};
    const method = context?.http?.method ?? httpMethod;
    const path = rawPath ?? context?.path ?? withoutStage;
    if (method === undefined || path === undefined)
      throw new WebhookError(
        'unknown-event',
        'The function was called with an event that is not an HTTP request.',
      );
    const outcome = await receive({
      method,
      target: toTarget(path, queryOf(event)),
      headers: (name) => valuesOf(event, name),
      connection: context,
      read: async (maxBytes) => bodyOf(event, maxBytes),
    });
    return toResult(outcome, event);
  };
}

/**
 * Returns the request target. Some event sources decode the path; `?`, `#` and characters that a path cannot contain
 * are encoded again.
 */
function toTarget(path: string, query: string): string {
  // A surrogate without its other half is no character, which `encodeURIComponent` refuses.
  const characters = path.replace(/\p{Surrogate}/gu, '\uFFFD');
  const encoded = characters.replace(/[^!-~]|[?#]/gu, encodeURIComponent);
  return query === '' ? encoded : `${encoded}?${query}`;
}

/** Returns the query as it was sent, or rebuilds it as closely as the event allows. */
function queryOf(event: LambdaEvent): string {
  if (event.rawQueryString !== undefined) return event.rawQueryString;
  // API Gateway decodes the parameters; load balancers do not.
  const encode = event.requestContext?.elb === undefined ? encodeURIComponent : String;
  return Object.entries(event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {})
    .flatMap(([name, values]) =>
      [values ?? []].flat().map((value) => `${encode(name)}=${encode(value)}`),
    )
    .join('&');
}

function valuesOf(event: LambdaEvent, name: string): readonly string[] {
  if (name === 'cookie' && event.cookies !== undefined) return [event.cookies.join('; ')];
  return Object.entries(event.multiValueHeaders ?? event.headers ?? {}).flatMap(([key, values]) =>
    key.toLowerCase() === name ? (values ?? []) : [],
  );
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent, maxBytes: number): Uint8Array {
  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes;
}

function toResult({ status, headers, body = '' }: Outcome, event: LambdaEvent): LambdaResult {
  const single = withoutConnection(headers);
  const multiple = Object.entries(single).map(
    ([name, value]) => [name, [value]] as [string, [string]],
  );
  return {
    statusCode: status,
    ...(event.requestContext?.elb === undefined
      ? {}
      : { statusDescription: `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() }),
    ...((event.multiValueHeaders ?? null) === null
      ? { headers: single }
      : { multiValueHeaders: Object.fromEntries(multiple) }),
    body,
    isBase64Encoded: false,
  };
}
