import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { frameHeaders } from '../../../../packages/simulator/src/sending/exchange.ts';
import { optional } from '../../../../generator/json/json.ts';
import { exchange } from '../../../../packages/simulator/src/send/deliver.ts';
import { helpWithTls, type TlsSettings } from '../../../../packages/simulator/src/send/tls-help.ts';
import { createAuthority } from '../../certificates.ts';
import { listenForTest } from './listen.ts';

const [authority, foreign] = await Promise.all([
  createAuthority(),
  createAuthority('CN=Another authority'),
]);
const [server, elsewhere, certificate, foreignCertificate] = await Promise.all([
  authority.issue({ subject: 'CN=receiver', names: [{ type: 'ip', value: '127.0.0.1' }] }),
  authority.issue({ subject: 'CN=receiver', names: [{ type: 'ip', value: '127.0.0.2' }] }),
  authority.issue({ subject: 'CN=sender' }),
  foreign.issue({ subject: 'CN=sender' }),
]);

const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end());
};

/** Returns the message after the code, if a server with these settings cannot be reached; else the status. */
async function send(
  options: ServerOptions,
  tls: TlsSettings,
  listener = answer,
): Promise<string | number> {
  const listening = createServer({ ...server, ca: authority.cert, ...options }, listener);
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    listening.close();
    listening.closeAllConnections();
  });
  const { port } = listening.address() as AddressInfo;
  return await sendTo(`https://127.0.0.1:${port}`, tls);
}

async function sendTo(address: string, tls: TlsSettings): Promise<string | number> {
  const body = new TextEncoder().encode('{}');
  const url = new URL(address);
  const headers = frameHeaders(url, [], body, false);
  const request = {
    url,
    method: 'POST',
    headers,
    body,
    proofs: [],
    ...optional('certificate', tls.certificate),
  };
  try {
    return (await exchange(request, { address: '127.0.0.1', family: 4 }, 5_000, tls)).status;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message.replace(/^.* cannot be reached \(\w+\)\.\s?/u, '');
  }
}

const ca = authority.cert;
const giveCertificate = 'a client certificate: give it with --client-cert and --client-key.';

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('the help for a delivery over %s', (version) => {
  const only = { minVersion: version, maxVersion: version };

  test.each<[string, ServerOptions, TlsSettings, string | number]>([
    ['what is right', { requestCert: true }, { ca, certificate }, 200],
    ['an authority', {}, {}, 'Its certificate is not trusted: name its authority with --ca.'],
    [
      'another authority',
      {},
      { ca: foreign.cert },
      'Its certificate is not of an authority in the file of --ca.',
    ],
    ['the host', { ...elsewhere }, { ca }, 'Its certificate is for other hosts than that of --to.'],
    [
      'a client certificate',
      { requestCert: true },
      { ca },
      `It ${version === 'TLSv1.3' ? 'requires' : 'may require'} ${giveCertificate}`,
    ],
    [
      'another client certificate',
      { requestCert: true },
      { ca, certificate: foreignCertificate },
      'It may not accept the certificate of --client-cert.',
    ],
  ])('names %s', async (_, options, tls, message) => {
    expect(await send({ ...options, ...only }, tls)).toBe(message);
  });
});

test('a server without TLS is named, and one that ends connections where it helps', async () => {
  const plain = (await listenForTest(answer)).replace('http:', 'https:');
  const message = 'It answers without TLS: begin the URL of --to with http://.';
  expect(await sendTo(plain, {})).toBe(message);
  const closing: RequestListener = (request) => request.socket.destroy();
  expect(await send({}, { ca }, closing)).toBe('');
  const stated = { ca, expectsCertificate: true };
  expect(await send({}, stated, closing)).toBe(`It may require ${giveCertificate}`);
  // Without TLS, no certificate helps.
  expect(await sendTo(await listenForTest(closing), { expectsCertificate: true })).toBe('');
});

describe('the help for an alert that Node does not send', () => {
  const alert = (number: number): Error => new Error(`SSL alert number ${number}`);

  test.each([42, 43, 44, 45, 46, 48, 49])('names the certificate: %i', (number) => {
    const message = 'It refuses the certificate of --client-cert.';
    expect(helpWithTls(alert(number), { certificate })).toBe(message);
    expect(helpWithTls(alert(number), {})).toBeUndefined();
  });

  test('names no option for other failures', () => {
    for (const number of [20, 70, 80, 120])
      expect(helpWithTls(alert(number), { certificate, ca })).toBeUndefined();
    const expired = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
    expect(helpWithTls(expired, {})).toBeUndefined();
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(helpWithTls(refused, { expectsCertificate: true })).toBeUndefined();
    expect(helpWithTls(undefined, {})).toBeUndefined();
  });
});
