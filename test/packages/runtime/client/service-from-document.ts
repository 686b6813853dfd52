import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the operator has issued to the one integrator of this service. */
export const issued = {
  apiKey: 'key-of-the-integrator',
  signingSecret: 'signing secret of the integrator',
  clientId: 'integrator/1',
  clientSecret: 'sécret & more',
} as const;

/** A request as it arrived, and what was wrong with it. */
interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly faults: readonly string[];
}

type Reply = (request: Arrived, response: ServerResponse) => boolean | void;

/** The service as sections 4 and 5 of the source document describe it, with plain code of its own. */
export interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  readonly arrived: Arrived[];
  /** Seconds that the next tokens live. */
  lifetime: unknown;
  /** Answers in place of the service where it returns true. */
  interfere: Reply | undefined;
  /** Ends every token. */
  revoke(): void;
  /** How many tokens were asked for. */
  readonly tokenRequests: number;
}

/** Starts the service on a free port of this machine; `now` is the time it goes by. */
export async function startService(now: () => number): Promise<Service> {
  const tokens = new Map<string, number>();
  const service = {
    arrived: [] as Arrived[],
    lifetime: 3600 as unknown,
    interfere: undefined as Reply | undefined,
    revoke: () => tokens.clear(),
    get tokenRequests() {
      return service.arrived.filter(({ url }) => url === '/token').length;
    },
  };

  function faultsOf(request: Omit<Arrived, 'faults'>): string[] {
    const { headers, body, url } = request;
    const faults: string[] = [];
    const text = (name: string): string => String(headers[name] ?? '');
    if (text('apikey') !== issued.apiKey) faults.push('apikey');
    const timestamp = text('x-timestamp');
    if (
      !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp) ||
      Math.abs(Date.parse(timestamp) - now()) > 60_000
    ) {
      faults.push('x-timestamp');
    }
    if (
      !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(text('x-request-id'))
    ) {
      faults.push('x-request-id');
    }
    const path = url.replace(/\?.*$/, '');
    const expected = createHmac('sha256', issued.signingSecret)
      .update(text('apikey') + timestamp)
      .update(body)
      .update(path)
      .digest();
    const signature = Buffer.from(text('x-hmac-signature'), 'base64');
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      faults.push('x-hmac-signature');
    }
    return faults;
  }

  function answer(request: Arrived, response: ServerResponse): void {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (service.interfere?.(request, response) === true) return;
    if (request.faults.length > 0) {
      json(400, { faults: request.faults });
      return;
    }
    if (request.url === '/token') {
      const form = new URLSearchParams(request.body);
      const type = request.headers['content-type'];
      if (
        request.method !== 'POST' ||
        type !== 'application/x-www-form-urlencoded' ||
        form.get('client_id') !== issued.clientId ||
        form.get('client_secret') !== issued.clientSecret
      ) {
        json(403, { fault: 'credentials' });
        return;
      }
      const token = `token.${tokens.size}.${Math.random()}`;
      tokens.set(token, now() + 1000 * Number(service.lifetime));
      json(201, { access_token: token, expires_in: service.lifetime });
      return;
    }
    const ends = tokens.get(String(request.headers.authorization));
    if (ends === undefined || ends <= now()) {
      json(401, { fault: 'token' });
      return;
    }
    json(200, { seen: request.url, body: request.body });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const plain = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const arrived = { ...plain, faults: faultsOf(plain) };
      service.arrived.push(arrived);
      answer(arrived, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
}
