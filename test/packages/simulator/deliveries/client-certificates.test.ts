import { createServer } from 'node:https';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createSimulator,
  type DeliveryFault,
  type Service,
  type Simulator,
  type SimulatorOptions,
} from '../../../../packages/simulator/src/index.ts';
import {
  clientCertificate,
  proxyHeader,
  tlsSocket,
  type CertificateSource,
} from '../../../../packages/runtime/webhooks/client-certificate.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import { createAuthority } from '../../certificates.ts';
import { createBareReceiver, type BareReceiver } from '../../runtime/webhooks/bare-receiver.ts';
import { parcelService } from './parcel-service.ts';
import { toSecurity } from '../to-security.ts';

const authority = await createAuthority('CN=Authority of the receiver');
const server = await authority.issue({
  subject: 'CN=receiver',
  names: [{ type: 'ip', value: '127.0.0.1' }],
});
const bank = await authority.issue({ subject: 'O=Bank,CN=callbacks' });

/** The service of the other tests, whose lost parcels are authenticated by a certificate. */
const service: Service = {
  ...parcelService,
  security: [...parcelService.security, { id: 'mtls', type: 'mutualTLS' }],
  notifications: parcelService.notifications.map((notification) =>
    notification.name === 'parcelLost'
      ? { ...notification, security: toSecurity([['mtls']]) }
      : notification,
  ),
};

async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await createSimulator(service, {
    retry: { attempts: 1 },
    ca: authority.cert,
    ...options,
  });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** Starts a receiver that accepts one subject, behind TLS or behind a proxy with TLS. */
async function receive(
  scheme: 'http' | 'https',
  ca: string,
  subject: object = { O: 'Simulator' },
): Promise<BareReceiver & { readonly url: string }> {
  const from: CertificateSource =
    scheme === 'https'
      ? tlsSocket()
      : proxyHeader({
          header: 'Client-Cert',
          trust: 'proxy-replaces-header',
          proxies: ['127.0.0.1'],
        });
  const authenticate = clientCertificate({ from, subject });
  const receiver = createBareReceiver({ authenticate, methods: ['POST', 'PUT'] });
  const handle = toNodeHandler(receiver.receive);
  const listener: RequestListener = (request, response) => void handle(request, response);
  const listening =
    scheme === 'https'
      ? createServer({ ...server, ca, requestCert: true, rejectUnauthorized: false }, listener)
      : createPlainServer(listener);
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    listening.close();
    listening.closeAllConnections();
  });
  const { port } = listening.address() as AddressInfo;
  return { ...receiver, url: `${scheme}://127.0.0.1:${port}/hooks` };
}

async function statusOf(
  simulator: Simulator,
  faults: readonly DeliveryFault[] = [],
): Promise<unknown> {
  const { attempts } = await simulator.trigger('parcelLost', { faults });
  return attempts[0]?.response?.status ?? attempts[0]?.error;
}

describe.each(['http', 'https'] as const)('a receiver with %s', (scheme) => {
  test('accepts deliveries with a certificate of the test authority, and none with a fault', async () => {
    const simulator = await simulate();
    const { authority: root = '', cert } = simulator.clientCertificate ?? {};
    expect(cert).toContain('BEGIN CERTIFICATE');
    const { url, records } = await receive(scheme, root);
    simulator.to = url;
    expect(await statusOf(simulator)).toBe(200);
    expect(await statusOf(simulator, ['no-certificate'])).toBe(401);
    expect(await statusOf(simulator, ['expired-certificate'])).toBe(401);
    // Two authorities of one name: OpenSSL ends some of these connections before there is a response.
    expect([401, 'reset', 'ECONNABORTED', 'EPIPE']).toContain(
      await statusOf(simulator, ['foreign-certificate']),
    );
    expect(await statusOf(simulator)).toBe(200);
    expect(records.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  test('gets the subject or the certificate that the caller gives', async () => {
    const bySubject = await simulate({
      authentication: { clientCertificate: { subject: { O: 'Bank', CN: 'callbacks' } } },
    });
    const first = await receive(scheme, bySubject.clientCertificate?.authority ?? '', {
      O: 'Bank',
      CN: 'callbacks',
    });
    bySubject.to = first.url;
    expect(await statusOf(bySubject)).toBe(200);
    const byFile = await simulate({ authentication: { clientCertificate: bank } });
    expect(byFile.clientCertificate).toEqual({ cert: bank.cert, authority: undefined });
    const second = await receive(scheme, authority.cert, { O: 'Bank', CN: 'callbacks' });
    byFile.to = second.url;
    expect(await statusOf(byFile)).toBe(200);
    expect(await statusOf(byFile, ['no-certificate'])).toBe(401);
    // The certificate of the caller cannot be made to expire.
    await expect(statusOf(byFile, ['expired-certificate'])).rejects.toMatchObject({
      code: 'invalid-option',
    });
  });
});

test('a fault is repeated without it, and acknowledged', async () => {
  const simulator = await simulate({
    manualClock: true,
    retry: { attempts: 3, firstDelayMs: 1000 },
  });
  const { url } = await receive('https', simulator.clientCertificate?.authority ?? '');
  simulator.to = url;
  const delivery = await simulator.trigger('parcelLost', { faults: ['no-certificate'] });
  await simulator.clock.advance('1m');
  await simulator.settled();
  expect(delivery.state).toBe('acknowledged');
  expect(delivery.attempts.map(({ response }) => response?.status)).toEqual([401, 200]);
});

test('a certificate is only for what the contract authenticates by it', async () => {
  const simulator = await simulate();
  const { url, records } = await receive('http', '');
  simulator.to = url;
  const { attempts } = await simulator.trigger('parcelSent', { parameters: { office: 'a' } });
  expect(attempts[0]?.request.headers.map(([name]) => name)).not.toContain('Client-Cert');
  expect(records).toMatchObject([{ status: 401, detail: 'no-certificate' }]);
  await expect(
    simulator.trigger('parcelSent', { faults: ['no-certificate'], parameters: { office: 'a' } }),
  ).rejects.toMatchObject({ code: 'invalid-option' });
  expect((await createPlain()).clientCertificate).toBeUndefined();
});

async function createPlain(): Promise<Simulator> {
  const simulator = await createSimulator(parcelService);
  onTestFinished(() => simulator.close());
  return simulator;
}

test('without a certificate, deliveries that need one are not sent, unless the caller says so', async () => {
  const simulator = await simulate({ authentication: { clientCertificate: false } });
  const { url } = await receive('http', '');
  simulator.to = url;
  await expect(simulator.trigger('parcelLost')).rejects.toMatchObject({ code: 'not-signable' });
  const unsigned = await simulate({
    authentication: { clientCertificate: false, signature: false },
    to: url,
  });
  expect(await statusOf(unsigned)).toBe(401);
});

test.each([
  ['a key of another certificate', { cert: bank.cert, key: server.key }],
  ['no key', { cert: bank.cert, key: '' }],
  ['no certificate', { cert: 'a', key: bank.key }],
  ['a subject without attributes', { subject: {} }],
  ['an empty attribute', { subject: { CN: '' } }],
  ['an unknown attribute', { subject: { L: 'a' } as object }],
])('refuses %s, without showing a key', async (_name, clientCertificateOption) => {
  const creating = simulate({
    authentication: { clientCertificate: clientCertificateOption },
  });
  await expect(creating).rejects.toMatchObject({ code: 'invalid-option' });
  await expect(creating).rejects.not.toThrow(/BEGIN|MIG/u);
});
