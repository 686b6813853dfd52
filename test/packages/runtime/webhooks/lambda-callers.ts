import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import type {
  LambdaEvent,
  LambdaResult,
} from '../../../../packages/runtime/adapters/aws-lambda.ts';

/** A request whose body was read. */
export interface Call {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** As they were sent, one after the other. */
  readonly headers: readonly Pair[];
  readonly body: Buffer;
}

/** A name and one of its values. */
type Pair = readonly [name: string, value: string];

/** What a service of AWS that calls functions does with requests and with what functions return. */
export interface Caller {
  readonly name: string;
  readonly toEvent: (call: Call) => LambdaEvent;
  /** The members of a result that it reads; it takes a result with others, or with too few, for malformed. */
  readonly reads: readonly (keyof LambdaResult)[];
}

const lastOf = (pairs: readonly Pair[]): Record<string, string> => Object.fromEntries(pairs);
const lower = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.map(([name, value]) => [name.toLowerCase(), value]);
const decoded = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.map(([name, value]) => [decodeForm(name), decodeForm(value)]);

function allOf(pairs: readonly Pair[]): Record<string, string[]> {
  const all = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...all].map(([name, some]) => [name, some.map(([, value]) => value)]));
}

function joined(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(allOf(pairs)).map(([name, values]) => [name, values.join(',')]),
  );
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function split(target: string): { path: string; query: string; pairs: readonly Pair[] } {
  const [path = '', ...rest] = target.split('?');
  const query = rest.join('?');
  const pairs = query
    .split('&')
    .filter((part) => part !== '')
    .map((part): Pair => {
      const [name = '', ...value] = part.split('=');
      return [name, value.join('=')];
    });
  return { path, query, pairs };
}

/** Returns whether a body is text to a caller that does not take every body for binary. */
function isText(headers: readonly Pair[]): boolean {
  const { 'content-type': type = '' } = lastOf(lower(headers));
  return /^(?:text\/|application\/(?:json|javascript|xml)(?:;|$))/u.test(type);
}

function bodyOf({ body, headers }: Call): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isBase64Encoded = !isText(headers);
  return { body: body.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
}

/** A REST API behind a domain of its own that takes every type for binary; there, both paths are the one sent. */
function toRestEvent({ method, target, headers, body }: Call): APIGatewayProxyEvent {
  const { path, pairs } = split(target);
  const query = decoded(pairs);
  const hasQuery = query.length > 0;
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: allOf(headers),
    queryStringParameters: hasQuery ? lastOf(query) : null,
    multiValueQueryStringParameters: hasQuery ? allOf(query) : null,
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdef1234',
      authorizer: null,
      protocol: 'HTTP/1.1',
      httpMethod: method,
      identity: { sourceIp: '192.0.2.1', userAgent: 'example' } as never,
      path,
      stage: 'prod',
      requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
      requestTimeEpoch: 1_700_000_000_000,
      resourceId: 'abc123',
      resourcePath: '/{proxy+}',
    },
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
  };
}

function toFormat2(call: Call, rawPath: string, domainName: string): APIGatewayProxyEventV2 {
  const { query, pairs } = split(call.target);
  const all = lower(call.headers);
  const cookies = all.filter(([name]) => name === 'cookie').map(([, value]) => value);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: query,
    ...(cookies.length > 0 ? { cookies: cookies.flatMap((value) => value.split('; ')) } : {}),
    headers: joined(all.filter(([name]) => name !== 'cookie')),
    ...(query === '' ? {} : { queryStringParameters: joined(decoded(pairs)) }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdef1234',
      domainName,
      domainPrefix: 'abcdef1234',
      http: {
        method: call.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: 'example',
      },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: '$default',
      stage: '$default',
      time: '14/Nov/2023:22:13:20 +0000',
      timeEpoch: 1_700_000_000_000,
    },
    ...bodyOf(call),
  };
}

/** An HTTP API decodes the path, what is encoded and what is not. */
function decodePath(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/giu, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(),
  );
}

/** A load balancer decodes nothing; with one value a name, it keeps the last. */
function toBalancerEvent(call: Call, isMultiple: boolean): ALBEvent {
  const { path, pairs } = split(call.target);
  const headers = lower(call.headers);
  return {
    requestContext: {
      elb: {
        targetGroupArn:
          'arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/example/6d0ecf831eec9f09',
      },
    },
    httpMethod: call.method,
    path,
    ...(isMultiple
      ? { multiValueQueryStringParameters: allOf(pairs), multiValueHeaders: allOf(headers) }
      : { queryStringParameters: lastOf(pairs), headers: lastOf(headers) }),
    body: '',
    ...bodyOf(call),
  };
}

const always = ['statusCode', 'body', 'isBase64Encoded'] as const;

export const restApi: Caller = {
  name: 'a REST API',
  toEvent: toRestEvent,
  reads: [...always, 'multiValueHeaders'],
};

export const httpApi: Caller = {
  name: 'an HTTP API',
  toEvent: (call) =>
    toFormat2(
      call,
      decodePath(split(call.target).path),
      'abcdef1234.execute-api.us-east-1.amazonaws.com',
    ),
  reads: [...always, 'headers'],
};

export const functionUrl: Caller = {
  name: 'a function URL',
  toEvent: (call) =>
    toFormat2(call, split(call.target).path, 'abcdef1234.lambda-url.us-east-1.on.aws'),
  reads: [...always, 'headers'],
};

export const loadBalancer: Caller = {
  name: 'a load balancer',
  toEvent: (call) => toBalancerEvent(call, false),
  reads: [...always, 'statusDescription', 'headers'],
};

export const multiValueLoadBalancer: Caller = {
  name: 'a load balancer with multi-value headers',
  toEvent: (call) => toBalancerEvent(call, true),
  reads: [...always, 'statusDescription', 'multiValueHeaders'],
};

/** Every service that hands requests to functions. */
export const callers: readonly Caller[] = [
  restApi,
  httpApi,
  functionUrl,
  loadBalancer,
  multiValueLoadBalancer,
];
