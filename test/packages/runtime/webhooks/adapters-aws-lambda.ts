import { buffer } from 'node:stream/consumers';
import {
  toLambdaHandler,
  type LambdaHandler,
  type LambdaResult,
} from '../../../../packages/runtime/adapters/aws-lambda.ts';
import { callers, loadBalancer, type Call, type Caller } from './lambda-callers.ts';
import { listen } from './listen.ts';
import type { Adapter, Served } from './workbench.ts';

const waits = 'a function is called once the whole body is there';
const keepsLast = 'of a repeated header, the load balancer passes on the last value alone';
const always = {
  'the size: 1 MB and a byte, of unknown length is answered with 413': waits,
  'the time: a body without an end is answered with 408': waits,
  'the path: an authentic delivery at a path with # reaches onInvalid':
    'a path of an event has # only where the service decoded %23, so it is encoded again',
};
const decodes = 'an HTTP API decodes the path before it calls the function';

/** A function behind every service that calls one with requests. */
export const lambdaAdapters: readonly Adapter[] = callers.map((caller) => ({
  name: `aws-lambda behind ${caller.name}`,
  keepsPath: true,
  exceptions: {
    ...always,
    ...(caller === loadBalancer
      ? {
          'a delivery: with a signature twice is answered with 401': keepsLast,
          'a secret: that is there twice is answered with 401': keepsLast,
          'a delivery that is not authentic gets the same answer, whatever the reason': keepsLast,
        }
      : {}),
    ...(caller.name === 'an HTTP API'
      ? { 'the path: an authentic delivery below /hook%2fx reaches onInvalid': decodes }
      : {}),
  },
  serve: (receive) => serveFunction(toLambdaHandler(receive), caller),
}));

/** Listens as the service does, and calls the function with events that went through JSON, as they do. */
export function serveFunction(handle: LambdaHandler, { toEvent, reads }: Caller): Promise<Served> {
  return listen((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = '', url = '', rawHeaders } = request;
      const headers = rawHeaders.flatMap((name, index): Call['headers'] =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
      );
      const event = toEvent({ method, target: url, headers, body: await buffer(request) });
      const result = throughJson(await handle(throughJson(event)));
      const isKnown = Object.keys(result).toSorted().join() === reads.toSorted().join();
      if (!isKnown) throw new Error(`The service does not read ${JSON.stringify(result)}`);
      response.writeHead(result.statusCode, headersOf(result));
      response.end(Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8'));
    };
    // As the services answer for functions that fail, or return what they cannot read.
    answer().catch(() => response.writeHead(502).end());
  });
}

function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function headersOf({ headers, multiValueHeaders = {} }: LambdaResult): string[] {
  const multiple = Object.entries(multiValueHeaders).flatMap(([name, values]) =>
    values.flatMap((value) => [name, value]),
  );
  return headers === undefined ? multiple : Object.entries(headers).flat();
}
