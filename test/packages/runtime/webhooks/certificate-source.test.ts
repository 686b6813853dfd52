import { createServer as createHttpServer, request as plainRequest } from 'node:http';
import { createServer, request, type RequestOptions } from 'node:https';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { connect, type ConnectionOptions, type TlsOptions, type TLSSocket } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import {
  clientCertificate,
  proxyHeader,
  tlsSocket,
} from '../../../../packages/runtime/webhooks/client-certificate.ts';
import { toExpressHandler } from '../../../../packages/runtime/adapters/express.ts';
import { toFastifyPlugin } from '../../../../packages/runtime/adapters/fastify.ts';
import { toHonoApp } from '../../../../packages/runtime/adapters/hono.ts';
import { deferReceiver, type Receive } from '../../../../packages/runtime/webhooks/receiver.ts';
import { toKoaMiddleware } from '../../../../packages/runtime/adapters/koa.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import { toRouteHandlers } from '../../../../packages/runtime/adapters/nextjs.ts';
import { createAuthority, type Issued } from '../../certificates.ts';
import { createBareReceiver } from './bare-receiver.ts';
import { moduleOf, NoHandlers } from './nestjs-application.ts';

const authority = await createAuthority('CN=Authority of a bank');
const foreign = await createAuthority('CN=Authority of a bank');
const localhost = [{ type: 'ip', value: '127.0.0.1' }] as const;
const server = await authority.issue({ subject: 'CN=receiver', names: [...localhost] });
const bank = await authority.issue({ subject: 'O=Bank,CN=callbacks' });
const other = await authority.issue({ subject: 'O=Other,CN=callbacks' });
const expired = await authority.issue({
  subject: 'O=Bank,CN=callbacks',
  notAfter: new Date(Date.now() - 60_000),
});
const future = await authority.issue({
  subject: 'O=Bank,CN=callbacks',
  notBefore: new Date(Date.now() + 60_000),
});
const unknown = await (
  await createAuthority('CN=Another authority')
).issue({ subject: 'O=Bank,CN=callbacks' });
const imitated = await foreign.issue({ subject: 'O=Bank,CN=callbacks' });

const tls: TlsOptions = { ...server, ca: authority.cert, requestCert: true };
/** Connections without a valid certificate get as far as the receiver. */
const lenient: TlsOptions = { ...tls, rejectUnauthorized: false };

interface Listening extends AsyncDisposable {
  readonly port: number;
}

async function listening(
  listener: Server,
  close: () => Promise<unknown> = () =>
    new Promise((resolve) => {
      listener.close(resolve);
    }),
): Promise<Listening> {
  if (!listener.listening)
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in listener && typeof listener.closeAllConnections === 'function')
        listener.closeAllConnections();
      await close();
    },
  };
}

/** Each framework on a server with TLS. */
const frameworks: Readonly<
  Record<string, (receive: Receive, options: TlsOptions) => Promise<Listening>>
> = {
  node: (receive, options) => {
    const handle = toNodeHandler(receive);
    return listening(
      createServer(options, (incoming, outgoing) => void handle(incoming, outgoing)),
    );
  },
  'node with HTTP/2': (receive, options) => {
    const handle = toNodeHandler(receive);
    return listening(
      createSecureServer({ ...options, allowHTTP1: true }, (incoming, outgoing) => {
        void handle(incoming as never, outgoing as never);
      }),
    );
  },
  express: (receive, options) =>
    listening(createServer(options, express().use(toExpressHandler(receive)))),
  fastify: async (receive, options) => {
    const app = fastify({ https: options });
    await app.register(toFastifyPlugin(receive));
    await app.listen({ host: '127.0.0.1', port: 0 });
    return await listening(app.server, () => app.close());
  },
  koa: (receive, options) => {
    const handle = new Koa().use(toKoaMiddleware(receive)).callback();
    return listening(
      createServer(options, (incoming, outgoing) => void handle(incoming, outgoing)),
    );
  },
  hono: (receive, options) => {
    const handle = getRequestListener(toHonoApp(receive).fetch, { overrideGlobalObjects: false });
    return listening(
      createServer(options, (incoming, outgoing) => void handle(incoming, outgoing)),
    );
  },
  'nestjs on express': (receive, options) => listenNest(receive, options, 'express'),
  'nestjs on fastify': (receive, options) => listenNest(receive, options, 'fastify'),
};

/** The module of an application that has the receiver alone. */
class Root {
  name(): string {
    return 'root';
  }
}

async function listenNest(
  receive: Receive,
  options: TlsOptions,
  platform: 'express' | 'fastify',
): Promise<Listening> {
  const root = {
    module: Root,
    imports: [moduleOf(receive, '/')],
    providers: [NoHandlers],
  };
  const settings = { logger: false, abortOnError: false, forceCloseConnections: true } as const;
  const app = await (platform === 'express'
    ? NestFactory.create(root, new ExpressAdapter(), {
        ...settings,
        httpsOptions: options as never,
      })
    : NestFactory.create(root, new FastifyAdapter({ https: options } as never), settings));
  await app.listen(0, '127.0.0.1');
  return await listening(app.getHttpServer() as Server, () => app.close());
}

/** Sends a delivery; returns its status, or `refused` where the connection was refused. */
function deliver(
  port: number,
  options: Pick<RequestOptions, 'headers' | 'agent'> & Partial<Issued> & ConnectionOptions = {},
): Promise<number | 'refused'> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/',
        ca: authority.cert,
        agent: false,
        ...options,
      } as RequestOptions,
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', () => resolve('refused'));
    sent.end('{}');
  });
}

const authenticate = clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' } });
const header = (issued: Issued): string =>
  `:${issued.cert.replaceAll(/-----[A-Z ]+-----|\s/gu, '')}:`;

describe.each(Object.entries(frameworks))('%s on a server with TLS', (_name, serve) => {
  test('accepts the certificate of the sender alone', async () => {
    const { receive, bodies } = createBareReceiver({ authenticate });
    await using served = await serve(receive, lenient);
    const { port } = served;
    const proof = {
      'client-cert': header(bank),
      'x-forwarded-client-cert': `Cert="${encodeURIComponent(bank.cert)}"`,
    };
    expect(await deliver(port, bank)).toBe(200);
    expect(await deliver(port)).toBe(401);
    expect(await deliver(port, { headers: proof })).toBe(401);
    expect(await deliver(port, other)).toBe(401);
    expect(await deliver(port, { ...other, headers: proof })).toBe(401);
    expect(await deliver(port, expired)).toBe(401);
    expect(await deliver(port, future)).toBe(401);
    expect(await deliver(port, imitated)).toBe(401);
    expect(bodies).toEqual(['{}']);
  });

  test('is not reached without a certificate where the server requires one', async () => {
    const { receive, requests } = createBareReceiver();
    await using served = await serve(receive, tls);
    for (const issued of [{}, expired, future, imitated])
      expect(await deliver(served.port, issued)).toBe('refused');
    // Without the key of a certificate, no connection is opened.
    await expect(deliver(served.port, { ...bank, key: other.key })).rejects.toThrow('mismatch');
    expect(await deliver(served.port, bank)).toBe(200);
    expect(requests).toHaveLength(1);
  });
});

describe('a server that can authorize no connection', () => {
  let emit: MockInstance<typeof process.emitWarning>;
  beforeEach(() => {
    emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });
  afterEach(() => emit.mockRestore());

  const start = (options: TlsOptions, name: string): Promise<Listening> => {
    const strategy = clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' } });
    const { receive } = createBareReceiver({ authenticate: strategy });
    return frameworks[name]!(receive, options);
  };
  const warned = (): readonly unknown[] =>
    emit.mock.calls.map(([message, options]) => ({ message, ...Object(options) }) as unknown);

  test.each(Object.keys(frameworks))('%s, because it requests no certificate', async (name) => {
    await using served = await start(server, name);
    for (const issued of [bank, other, {}]) expect(await deliver(served.port, issued)).toBe(401);
    expect(warned()).toEqual([
      {
        code: 'COUNTERSIGN_NO_CLIENT_CERTIFICATE',
        message: '`tlsSocket()` got a connection whose server requested no certificate',
        detail: expect.stringContaining('Create the server with `requestCert: true`') as string,
      },
    ]);
  });

  test.each(Object.keys(frameworks))(
    'not %s, which refuses certificates and connections without one',
    async (name) => {
      await using served = await start(lenient, name);
      for (const issued of [other, expired, imitated, unknown, {}])
        expect(await deliver(served.port, issued)).toBe(401);
      expect(await deliver(served.port, bank)).toBe(200);
      expect(warned()).toEqual([]);
    },
  );

  test('because its connections are not TLS', async () => {
    const strategy = clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' } });
    const { receive } = createBareReceiver({ authenticate: strategy });
    const handle = toNodeHandler(receive);
    await using served = await listening(
      createHttpServer((incoming, outgoing) => void handle(incoming, outgoing)),
    );
    for (let count = 0; count < 2; count += 1) {
      const url = `http://127.0.0.1:${served.port}/?secret`;
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    }
    expect(warned()).toEqual([
      {
        code: 'COUNTERSIGN_NO_CLIENT_CERTIFICATE',
        message: '`tlsSocket()` got a connection that is not TLS',
        detail: expect.stringContaining('use `proxyHeader(…)`') as string,
      },
    ]);
    expect(JSON.stringify(warned())).not.toMatch(/secret|127\.0/u);
  });
});

describe('resumed sessions', () => {
  /** Sends a delivery over a new connection, and returns its status with the session for the next. */
  function resume(
    port: number,
    options: ConnectionOptions,
  ): Promise<{ status: string; session: Buffer | undefined; isReused: boolean }> {
    return new Promise((resolve, reject) => {
      let session: Buffer | undefined;
      let answer = '';
      let isReused = false;
      const socket: TLSSocket = connect(
        { host: '127.0.0.1', port, ca: authority.cert, ...options },
        () => {
          isReused = socket.isSessionReused();
          socket.write(
            'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
          );
        },
      );
      socket.on('session', (ticket: Buffer) => {
        session = ticket;
      });
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve({ status: answer.slice(9, 12), session, isReused }));
    });
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('of %s', async (maxVersion) => {
    let now = Date.now();
    const clock = (): number => now;
    const strategy = clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' }, clock });
    const { receive, records } = createBareReceiver({ authenticate: strategy });
    await using served = await frameworks.node!(receive, { ...lenient, maxVersion });
    const { port } = served;
    const first = await resume(port, bank);
    expect(first).toMatchObject({ status: '200', isReused: false });
    const second = await resume(port, { ...bank, session: first.session! });
    expect(second).toMatchObject({ status: '200', isReused: true });
    // The certificate expires while the session lasts.
    now += 2 * 3_600_000;
    const late = await resume(port, { ...bank, session: first.session! });
    expect(late).toMatchObject({ status: '401', isReused: true });
    expect(records.at(-1)?.detail).toBe('expired-certificate');
    now = Date.now();
    // Who has shown no certificate, or that of another authority, gains nothing by a session.
    for (const issued of [{}, unknown, other]) {
      const before = await resume(port, issued);
      expect(before).toMatchObject({ status: '401', isReused: false });
      const after = await resume(port, { ...issued, session: before.session! });
      expect(after).toMatchObject({ status: '401', isReused: true });
    }
    expect(records.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

describe('a header of a proxy', () => {
  const from = (proxies: readonly string[] | 'only-proxies-can-connect') =>
    proxyHeader({ header: 'Client-Cert', trust: 'proxy-replaces-header', proxies });

  test('counts only from its addresses', async () => {
    for (const [proxies, status] of [
      [['127.0.0.1'], 200],
      [['127.0.0.0/8', '10.0.0.1'], 200],
      [['10.0.0.1'], 401],
      ['only-proxies-can-connect', 200],
    ] as const) {
      const strategy = clientCertificate({ from: from(proxies), subject: { O: 'Bank' } });
      const { receive, requests } = createBareReceiver({ authenticate: strategy });
      const handle = toNodeHandler(receive);
      await using served = await listening(
        createHttpServer((incoming, outgoing) => void handle(incoming, outgoing)),
      );
      const send = (headers: Record<string, string | string[]>): Promise<number> =>
        new Promise((resolve, reject) => {
          const sent = plainRequest(
            { host: '127.0.0.1', port: served.port, method: 'POST', headers },
            (response) => {
              response.resume();
              response.on('end', () => resolve(response.statusCode ?? 0));
            },
          );
          sent.on('error', reject).end('{}');
        });
      expect(await send({ 'Client-Cert': header(bank) })).toBe(status);
      expect(await send({ 'Client-Cert': header(other) })).toBe(401);
      expect(await send({ 'Client-Cert': header(expired) })).toBe(401);
      expect(await send({ 'Client-Cert': [header(other), header(bank)] })).toBe(401);
      expect(await send({})).toBe(401);
      expect(requests).toEqual([]);
    }
  });
});

test('a deferred receiver behind an adapter without connections is not created', async () => {
  const warnings: Error[] = [];
  const listener = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listener);
  const { receive } = createBareReceiver({ authenticate });
  const { POST } = toRouteHandlers(deferReceiver(() => receive));
  const delivery = (): Request => new Request('http://127.0.0.1/', { method: 'POST', body: '{}' });
  expect((await POST(delivery())).status).toBe(500);
  expect((await POST(delivery())).status).toBe(500);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  process.off('warning', listener);
  expect(String(warnings[0])).toContain('could not be created');
  expect(warnings[0]).toMatchObject({
    detail: expect.stringContaining('proxyHeader(…)') as string,
  });
});
