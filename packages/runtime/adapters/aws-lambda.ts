import { type Outcome, type Receive, WebhookError } from '@countersign/runtime/webhooks';
import { tooLarge, withoutConnection } from '@countersign/runtime/webhooks/fetch';

type Values<T> = Readonly<Record<string, T | undefined>> | null | undefined;

/** An HTTP request as API Gateway (payload formats 1.0 and 2.0), a function URL or a load balancer describes it. */
export interface LambdaEvent {
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly cookies?: readonly string[] | undefined;
  readonly httpMethod?: string | undefined;
  readonly path?: string | undefined;
  readonly queryStringParameters?: Values<string>;
  readonly multiValueQueryStringParameters?: Values<readonly string[]>;
  readonly headers?: Values<string>;
  readonly multiValueHeaders?: Values<readonly string[]>;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext?:
    | {
        readonly path?: string | undefined;
        readonly http?: { readonly method: string } | undefined;
        readonly elb?: object | undefined;
      }
    | undefined;
}

/** A response in the format that the source of the event expects. */
export interface LambdaResult {
  statusCode: number;
  statusDescription?: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, [string]>;
  body: string;
  isBase64Encoded: boolean;
}

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
  const reason = reasonOf(status);
  return {
    statusCode: status,
    ...(event.requestContext?.elb === undefined || reason === undefined
      ? {}
      : { statusDescription: `${status} ${reason}` }),
    ...((event.multiValueHeaders ?? null) === null
      ? { headers: single }
      : { multiValueHeaders: Object.fromEntries(multiple) }),
    body,
    isBase64Encoded: false,
  };
}

/**
 * Returns the reason phrase of a status; `undefined` for one that Node does not know, and before Node 20.16. An import of
 * `node:http` would load all that it exports, `WebSocket` included, and so double the time of a cold start.
 */
function reasonOf(status: number): string | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  return process?.getBuiltinModule?.('node:http').STATUS_CODES[status];
}

interface NodeProcess {
  readonly getBuiltinModule?: (name: 'node:http') => {
    readonly STATUS_CODES: Readonly<Record<number, string | undefined>>;
  };
}
