import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apiGateway,
  clientCertificate,
  cloudflareTls,
  proxyHeader,
  tlsSocket,
  type Attributes,
  type CertificateSource,
  type ClientCertificateOptions,
  type ProxyHeaderOptions,
} from '../../../../packages/runtime/webhooks/client-certificate.ts';
import {
  allOf,
  anyOf,
  sharedSecret,
  unauthenticated,
  type Authentication,
  type DeliveredRequest,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { toLambdaHandler } from '../../../../packages/runtime/adapters/aws-lambda.ts';
import { toExportedHandler } from '../../../../packages/runtime/adapters/cloudflare.ts';
import { toFetchHandler } from '../../../../packages/runtime/webhooks/fetch.ts';
import { toHonoApp } from '../../../../packages/runtime/adapters/hono.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import { toRouteHandlers } from '../../../../packages/runtime/adapters/nextjs.ts';
import { createAuthority } from '../../certificates.ts';
import { createBareReceiver } from './bare-receiver.ts';

const authority = await createAuthority('CN=Authority of a bank,O=Bank');
const subject = 'C=BR,O=Bank,CN=callbacks.bank.example';
const names = [
  { type: 'dns', value: 'Callbacks.bank.example' },
  { type: 'url', value: 'spiffe://bank/callbacks' },
] as const;
const { cert } = await authority.issue({ subject, names: [...names] });
const other = await authority.issue({ subject: 'C=BR,O=Other,CN=callbacks.bank.example' });
const expired = await authority.issue({ subject, notAfter: new Date(Date.now() - 1000) });
const { raw, fingerprint256 } = new X509Certificate(cert);

const trust = 'proxy-replaces-header';
const proxies = 'only-proxies-can-connect';
const rfc9440 = (pem: string): string => `:${new X509Certificate(pem).raw.toString('base64')}:`;

interface DeliveryParts {
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly connection?: unknown;
}

async function verdictOf(authenticate: Authentication, parts: DeliveryParts): Promise<string> {
  const request: DeliveredRequest = {
    method: 'POST',
    url: '/',
    headers: (name) => parts.headers?.[name] ?? [],
    body: new Uint8Array(0),
    connection: parts.connection,
  };
  const verdict = await authenticate(request);
  if (typeof verdict === 'boolean') return String(verdict);
  return verdict.ok ? 'ok' : verdict.reason;
}

/** A socket as Node has it after a handshake with a certificate. */
const socketWith = (pem: string): object => ({
  authorized: true,
  getPeerCertificate: () => ({ raw: new X509Certificate(pem).raw }),
});

const fromHeader = (options: Partial<ProxyHeaderOptions> = {}): CertificateSource =>
  proxyHeader({ header: 'Client-Cert', trust, proxies, ...options });

describe('rules', () => {
  const rules: readonly (readonly [string, Omit<ClientCertificateOptions, 'from'>, string])[] = [
    ['a subject', { subject: { O: 'Bank' } }, 'ok'],
    ['all of a subject', { subject: { C: 'BR', O: 'Bank', CN: 'callbacks.bank.example' } }, 'ok'],
    ['an object identifier', { subject: { '2.5.4.10': 'Bank' } }, 'ok'],
    ['one of two subjects', { subject: [{ O: 'Other' }, { O: 'Bank' }] }, 'ok'],
    ['another case', { subject: { O: 'bank' } }, 'other-subject'],
    ['an attribute that is not there', { subject: { O: 'Bank', OU: 'x' } }, 'other-subject'],
    ['one of two values', { subject: { O: ['Bank', 'Bank'] } }, 'other-subject'],
    ['a domain in another case', { subjectAltName: { dns: 'callbacks.BANK.example' } }, 'ok'],
    ['an address', { subjectAltName: { uri: 'spiffe://bank/callbacks' } }, 'ok'],
    [
      'an address in another case',
      { subjectAltName: { uri: 'spiffe://Bank/callbacks' } },
      'other-subjectAltName',
    ],
    [
      'a domain as an address',
      { subjectAltName: { uri: 'callbacks.bank.example' } },
      'other-subjectAltName',
    ],
    ['a parent domain', { subjectAltName: { dns: 'bank.example' } }, 'other-subjectAltName'],
    ['an issuer', { issuer: { CN: 'Authority of a bank' } }, 'ok'],
    ['another issuer', { issuer: { CN: 'callbacks.bank.example' } }, 'other-issuer'],
    ['a fingerprint', { fingerprint: fingerprint256 }, 'ok'],
    [
      'digits in lower case',
      { fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() },
      'ok',
    ],
    [
      'another fingerprint',
      { fingerprint: fingerprint256.replace(/^../u, '00') },
      'other-fingerprint',
    ],
    [
      'all rules',
      {
        subject: { O: 'Bank' },
        issuer: { O: 'Bank' },
        subjectAltName: { dns: 'callbacks.bank.example' },
        fingerprint: [fingerprint256],
      },
      'ok',
    ],
    [
      'one rule that fails',
      { subject: { O: 'Bank' }, fingerprint: '0'.repeat(64) },
      'other-fingerprint',
    ],
  ];
  test.each(rules)('%s', async (_name, options, expected) => {
    const authenticate = clientCertificate({ from: tlsSocket(), ...options });
    expect(await verdictOf(authenticate, { connection: socketWith(cert) })).toBe(expected);
  });

  test('lists change while the receiver runs', async () => {
    const fingerprints: string[] = ['0'.repeat(64)];
    const subjects: Attributes[] = [{ O: 'Other' }];
    const listed = clientCertificate({ from: tlsSocket(), fingerprint: fingerprints });
    const called = clientCertificate({
      from: tlsSocket(),
      subject: () => Promise.resolve(subjects),
    });
    const connection = socketWith(cert);
    expect(await verdictOf(listed, { connection })).toBe('other-fingerprint');
    expect(await verdictOf(called, { connection })).toBe('other-subject');
    fingerprints.push(fingerprint256);
    subjects.push({ O: 'Bank' });
    expect(await verdictOf(listed, { connection })).toBe('ok');
    expect(await verdictOf(called, { connection })).toBe('ok');
    fingerprints.length = 0;
    subjects.length = 0;
    // More likely, the list could not be read: the sender is to try again.
    await expect(verdictOf(listed, { connection })).rejects.toThrow('is an empty list');
    await expect(verdictOf(called, { connection })).rejects.toThrow('is an empty list');
    fingerprints.push('not a digest');
    await expect(verdictOf(listed, { connection })).rejects.toThrow('64 hexadecimal digits');
  });

  test('a certificate counts from its first to its last moment', async () => {
    const { validFromDate, validToDate } = new X509Certificate(cert);
    const at = (now: number): Promise<string> =>
      verdictOf(
        clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' }, clock: () => now }),
        { connection: socketWith(cert) },
      );
    expect(await at(validFromDate.getTime() - 1)).toBe('certificate-not-yet-valid');
    expect(await at(validFromDate.getTime())).toBe('ok');
    expect(await at(validToDate.getTime())).toBe('ok');
    expect(await at(validToDate.getTime() + 1)).toBe('expired-certificate');
    expect(await at(Number.NaN)).not.toBe('ok');
  });
});

describe('what is refused when the authentication is created', () => {
  const from = tlsSocket();
  test.each([
    ['no rule', { from }],
    ['no source', { from: undefined as never, subject: { O: 'Bank' } }],
    ['an empty list', { from, fingerprint: [] }],
    ['an empty fingerprint', { from, fingerprint: '' }],
    ['the SHA-1 of a certificate', { from, fingerprint: 'a'.repeat(40) }],
    ['a subject without attributes', { from, subject: {} }],
    ['a subject as text', { from, subject: 'CN=a' as never }],
    ['an attribute of a missing variable', { from, subject: { CN: undefined as never } }],
    ['an empty attribute', { from, subject: { CN: '' } }],
    ['an attribute without values', { from, subject: { OU: [] } }],
    ['an unknown attribute', { from, subject: { commonname: 'a' } as never }],
    ['a name of no kind', { from, subjectAltName: { ip: '127.0.0.1' } as never }],
    ['an empty name', { from, subjectAltName: { dns: '' } }],
    ['a clock that is not a function', { from, subject: { O: 'a' }, clock: 1 as never }],
    ['other names from Cloudflare', { from: cloudflareTls(), subjectAltName: { dns: 'a' } }],
  ] satisfies [string, ClientCertificateOptions][])('%s', (_name, options) => {
    expect(() => clientCertificate(options)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  const { BANK_NAME = '' } = {} as { readonly BANK_NAME?: string };
  const noVariable = 'is missing or empty; check that its environment variable is set.';
  test.each<[string, object, string]>([
    [
      'an attribute of a variable that is not set',
      { subject: { CN: BANK_NAME } },
      `\`CN\` of \`subject\` ${noVariable}`,
    ],
    ['an undefined attribute', { issuer: { O: undefined } }, `\`O\` of \`issuer\` ${noVariable}`],
    ['an attribute of spaces', { subject: { CN: ' ' } }, `\`CN\` of \`subject\` ${noVariable}`],
    [
      'one empty value of two',
      { subject: { OU: ['a', ''] } },
      `\`OU\` of \`subject\` ${noVariable}`,
    ],
    ['an empty text as a subject', { subject: '' }, `\`subject\` ${noVariable}`],
    ['a subject as text', { subject: 'CN=a' }, '`subject` must be an object such as `{ CN:'],
    [
      'an attribute in lower case',
      { subject: { cn: 'a' } },
      '`subject` has the unknown attribute `cn`: an attribute is one of CN, ',
    ],
    [
      'an unknown attribute in a list',
      { issuer: [{ CN: 'a' }, { commonName: 'a' }] },
      '`issuer` has the unknown attribute `commonName`',
    ],
    ['an attribute without values', { subject: { OU: [] } }, '`OU` of `subject` is an empty list.'],
    [
      'an attribute as a number',
      { subject: { serialNumber: 1 } },
      '`serialNumber` of `subject` must be a text.',
    ],
    [
      'an empty name',
      { subjectAltName: { dns: '' } },
      `\`dns\` of \`subjectAltName\` ${noVariable}`,
    ],
    [
      'a name of an unknown kind',
      { subjectAltName: { DNS: 'a' } },
      '`subjectAltName` has a name of the unknown kind `DNS`: a kind is one of dns, uri, email.',
    ],
    [
      'two kinds in a name',
      { subjectAltName: { dns: 'a', uri: 'b' } },
      '`subjectAltName` has several kinds in one name',
    ],
    ['an empty fingerprint', { fingerprint: '' }, `\`fingerprint\` ${noVariable}`],
    ['an undefined fingerprint', { fingerprint: [undefined] }, `\`fingerprint\` ${noVariable}`],
    [
      'a fingerprint of SHA-1',
      { fingerprint: 'a'.repeat(40) },
      '`fingerprint` has as many digits as SHA-1 has',
    ],
    [
      'a fingerprint with its name',
      { fingerprint: `sha256 Fingerprint=${fingerprint256}` },
      '`fingerprint` must be a SHA-256 digest in 64 hexadecimal digits, with or without colons.',
    ],
    [
      'a rule that is undefined beside another',
      { subject: { CN: 'a' }, fingerprint: undefined },
      `\`fingerprint\` ${noVariable}`,
    ],
  ])('%s is named in the message', (_name, options, message) => {
    expect(() => clientCertificate({ from, ...options })).toThrow(
      `The receiver cannot be created: ${message}`,
    );
  });

  test.each<[string, Partial<ProxyHeaderOptions>, string]>([
    ['a header of a variable that is not set', { header: '' }, `\`header\` ${noVariable}`],
    [
      'proxies of a variable that is not set',
      { proxies: ''.split(',') },
      `an address in \`proxies\` ${noVariable}`,
    ],
    [
      'an undefined proxy',
      { proxies: [undefined as never] },
      `an address in \`proxies\` ${noVariable}`,
    ],
  ])('%s is named in the message', (_name, options, message) => {
    expect(() => fromHeader(options)).toThrow(`The receiver cannot be created: ${message}`);
  });

  test.each([
    ['no statement', { trust: undefined as never }],
    ['another statement', { trust: 'yes' as never }],
    ['no proxies', { proxies: undefined as never }],
    ['an empty list of proxies', { proxies: [] }],
    ['a name as a proxy', { proxies: ['localhost'] }],
    ['a range of no size', { proxies: ['10.0.0.0/33'] }],
    ['a range without size', { proxies: ['10.0.0.0/'] }],
    ['an unknown header', { header: 'x-cert' }],
    ['an unknown format', { header: 'x-cert', format: 'der' as never }],
    ['no header', { header: '' }],
    [
      'a header that a load balancer does not verify',
      { header: 'X-Amzn-Mtls-Clientcert', format: 'escaped-pem' },
    ],
    ['an element where there is one certificate', { element: 'last' }],
    ['an unknown element', { header: 'X-Forwarded-Client-Cert', element: 'all' as never }],
  ] satisfies [string, Partial<ProxyHeaderOptions>][])('a header with %s', (_name, options) => {
    expect(() => fromHeader(options)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
  });

  const read = {
    tlsSocket: tlsSocket(),
    apiGateway: apiGateway(),
    cloudflareTls: cloudflareTls(),
    'addresses of proxies': fromHeader({ proxies: ['127.0.0.1'] }),
    'a header': fromHeader(),
  };
  const env = {};
  const context = { waitUntil: () => undefined };
  const adapters = {
    node: toNodeHandler,
    fetch: toFetchHandler,
    nextjs: toRouteHandlers,
    hono: toHonoApp,
    'aws-lambda': toLambdaHandler,
  } as const;
  const served: Readonly<Record<keyof typeof read, readonly string[]>> = {
    tlsSocket: ['node', 'hono'],
    apiGateway: ['hono', 'aws-lambda'],
    cloudflareTls: ['hono'],
    'addresses of proxies': ['node', 'hono'],
    'a header': ['node', 'fetch', 'nextjs', 'hono', 'aws-lambda'],
  };
  const wrappers = {
    'by itself': (strategy: Authentication) => strategy,
    'in allOf': (strategy: Authentication) => allOf(unauthenticated(), strategy),
    'in anyOf': (strategy: Authentication) => anyOf(sharedSecret({ header: 'a' }, 'b'), strategy),
  };
  const cases = Object.entries(read).flatMap(([source, from2]) =>
    Object.entries(wrappers).map(
      ([how, wrap]) =>
        [source, how, wrap(clientCertificate({ from: from2, subject: { O: 'Bank' } }))] as const,
    ),
  );
  test.each(cases)(
    'an adapter that does not provide what %s reads, %s',
    async (source, _how, authenticate) => {
      const { receive } = createBareReceiver({ authenticate });
      const accepted = Object.entries(adapters).flatMap(([name, toHandler]) => {
        try {
          toHandler(receive);
          return [name];
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-option' });
          return [];
        }
      });
      expect(accepted).toEqual(served[source as keyof typeof read]);
      const request = new Request('http://127.0.0.1/', { method: 'POST', body: '{}' });
      const answer = toExportedHandler(() => receive).fetch(request, env, context);
      if (source === 'a header') expect((await answer).status).toBe(401);
      else if (source === 'cloudflareTls') expect((await answer).status).toBe(500);
      else await expect(answer).rejects.toMatchObject({ code: 'invalid-option' });
    },
  );

  test('a function that hides the strategy is answered with 500 by an adapter without connection', async () => {
    const strategy = clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' } });
    const { receive, records } = createBareReceiver({
      authenticate: (request) => strategy(request),
    });
    const response = await toFetchHandler(receive)(
      new Request('http://127.0.0.1/', { method: 'POST', body: '{}' }),
    );
    expect(response.status).toBe(500);
    expect(records[0]?.error).toMatchObject({ code: 'invalid-option' });
  });
});

describe('a TLS socket', () => {
  const authenticate = clientCertificate({ from: tlsSocket(), subject: { O: 'Bank' } });
  test.each([
    ['authorized', socketWith(cert), 'ok'],
    ['with the certificate of another', socketWith(other.cert), 'other-subject'],
    ['not authorized', { ...socketWith(cert), authorized: false }, 'unauthorized-connection'],
    ['with an error', { ...socketWith(cert), authorized: 'yes' }, 'unauthorized-connection'],
    ['without TLS', { remoteAddress: '127.0.0.1' }, 'unauthorized-connection'],
    [
      'without a certificate',
      { authorized: true, getPeerCertificate: () => ({}) },
      'no-certificate',
    ],
    ['that is closed', { authorized: true, getPeerCertificate: () => null }, 'no-certificate'],
  ])('%s', async (_name, connection, expected) => {
    expect(await verdictOf(authenticate, { connection })).toBe(expected);
  });
});

describe('AWS Lambda', () => {
  const authenticate = clientCertificate({ from: apiGateway(), subject: { O: 'Bank' } });
  // The fields as the documentation has them.
  const clientCert = {
    clientCertPem: cert,
    subjectDN: 'O=Other',
    issuerDN: 'O=Other',
    serialNumber: 'a1',
    validity: { notBefore: 'May 28 12:30:02 2019 GMT', notAfter: 'Aug  5 09:36:04 2021 GMT' },
  };
  const rest = {
    httpMethod: 'POST',
    path: '/',
    headers: {},
    body: '{}',
    requestContext: { path: '/', identity: { clientCert } },
  };
  const http = {
    rawPath: '/',
    rawQueryString: '',
    headers: {},
    body: '{}',
    requestContext: { http: { method: 'POST' }, authentication: { clientCert } },
  };
  test.each([
    ['a REST API', rest, 200],
    ['an HTTP API', http, 200],
    ['a default endpoint', { ...rest, requestContext: { path: '/', identity: {} } }, 401],
    [
      'a default endpoint of an HTTP API',
      { ...http, requestContext: { http: { method: 'POST' }, authentication: null } },
      401,
    ],
    [
      'the certificate of another',
      {
        ...rest,
        requestContext: {
          path: '/',
          identity: { clientCert: { ...clientCert, clientCertPem: other.cert } },
        },
      },
      401,
    ],
    [
      'an expired certificate',
      {
        ...rest,
        requestContext: {
          path: '/',
          identity: { clientCert: { ...clientCert, clientCertPem: expired.cert } },
        },
      },
      401,
    ],
    [
      'a header of the client',
      { ...rest, headers: { 'client-cert': rfc9440(cert) }, requestContext: { path: '/' } },
      401,
    ],
  ])('%s', async (_name, event, status) => {
    const { receive } = createBareReceiver({ authenticate });
    expect((await toLambdaHandler(receive)(event)).statusCode).toBe(status);
  });
});

describe('Cloudflare Workers', () => {
  const tlsClientAuth = {
    certPresented: '1',
    certVerified: 'SUCCESS',
    certRevoked: '0',
    certSubjectDN: 'CN=other, O=Other',
    certSubjectDNRFC2253: 'CN=callbacks.bank.example,O=Bank\\, S.A.,C=BR',
    certIssuerDNRFC2253: 'O=Bank,CN=Authority of a bank',
    certFingerprintSHA256: fingerprint256.replaceAll(':', '').toLowerCase(),
    certNotBefore: 'Dec 22 19:39:00 2018 GMT',
    certNotAfter: 'Dec  2 19:39:00 2150 GMT',
  };
  const authenticate = clientCertificate({
    from: cloudflareTls(),
    subject: { O: 'Bank, S.A.', CN: 'callbacks.bank.example' },
    issuer: { CN: 'Authority of a bank' },
    fingerprint: fingerprint256,
  });
  test.each([
    ['a verified certificate', {}, 200],
    ['none', { certPresented: '0', certVerified: 'NONE' }, 401],
    ['one that is not verified', { certVerified: 'FAILED:self signed certificate' }, 401],
    ['a revoked one', { certRevoked: '1' }, 401],
    ['one of unknown revocation', { certRevoked: undefined }, 401],
    ['an expired one', { certNotAfter: 'Dec 22 19:39:00 2019 GMT' }, 401],
    ['one that is not yet valid', { certNotBefore: 'Dec 22 19:39:00 2149 GMT' }, 401],
    ['one without times', { certNotBefore: '', certNotAfter: '' }, 401],
    ['that of another', { certSubjectDNRFC2253: 'CN=callbacks.bank.example,O=Bank,C=BR' }, 401],
    [
      'a value with the text of another attribute',
      { certSubjectDNRFC2253: 'CN=callbacks.bank.example\\,O\\=Bank\\, S.A.,C=BR' },
      401,
    ],
    ['a text that is not a name', { certSubjectDNRFC2253: '/O=Bank' }, 401],
    ['another digest', { certFingerprintSHA256: '0'.repeat(64) }, 401],
  ])('%s', async (_name, changed, status) => {
    const { receive } = createBareReceiver({ authenticate });
    const request = Object.assign(
      new Request('http://127.0.0.1/', { method: 'POST', body: '{}' }),
      { cf: { tlsClientAuth: { ...tlsClientAuth, ...changed } } },
    );
    const context = { waitUntil: () => undefined };
    const handler = toExportedHandler(() => receive);
    expect((await handler.fetch(request, {}, context)).status).toBe(status);
    const app = toHonoApp(receive);
    const again = Object.assign(new Request('http://127.0.0.1/', { method: 'POST', body: '{}' }), {
      cf: { tlsClientAuth: { ...tlsClientAuth, ...changed } },
    });
    expect((await app.fetch(again)).status).toBe(status);
  });
});

describe('a header', () => {
  const escaped = encodeURIComponent(cert);
  const safe = escaped.replaceAll('%2B', '+').replaceAll('%2F', '/').replaceAll('%3D', '=');
  const element = (pem: string): string =>
    `By=spiffe://a;Hash=0;Cert="${encodeURIComponent(pem)}";Subject="CN=\\"x,y;z\\"";URI=spiffe://b`;
  const xfcc = 'x-forwarded-client-cert';
  const leaf = 'x-amzn-mtls-clientcert-leaf';
  test.each([
    ['RFC 9440', {}, rfc9440(cert), 'ok'],
    ['the certificate of another', {}, rfc9440(other.cert), 'other-subject'],
    ['parameters', {}, `${rfc9440(cert)};a=1`, 'malformed-certificate'],
    ['two, joined', {}, `${rfc9440(other.cert)}, ${rfc9440(cert)}`, 'malformed-certificate'],
    ['no colons', {}, rfc9440(cert).slice(1, -1), 'malformed-certificate'],
    ['PEM in place of RFC 9440', {}, escaped, 'malformed-certificate'],
    ['nothing in it', {}, '', 'malformed-certificate'],
    ['an element', { header: xfcc }, element(cert), 'ok'],
    ['an element without certificate', { header: xfcc }, 'By=a;Subject="O=Bank"', 'no-certificate'],
    [
      'a certificate twice',
      { header: xfcc },
      `${element(other.cert)};Cert="${escaped}"`,
      'repeated-certificate',
    ],
    ['two elements', { header: xfcc }, `${element(cert)},${element(cert)}`, 'repeated-certificate'],
    [
      'the first element',
      { header: xfcc, element: 'first' },
      `${element(cert)},${element(other.cert)}`,
      'ok',
    ],
    [
      'the first element of another',
      { header: xfcc, element: 'first' },
      `${element(other.cert)},${element(cert)}`,
      'other-subject',
    ],
    [
      'the last element',
      { header: xfcc, element: 'last' },
      `${element(other.cert)}, ${element(cert)}`,
      'ok',
    ],
    [
      'a certificate inside of a value',
      { header: xfcc },
      `By="a;Cert=${escaped}"`,
      'no-certificate',
    ],
    ['a quote that does not end', { header: xfcc }, `Cert="${escaped}`, 'malformed-certificate'],
    ['a certificate of a load balancer', { header: leaf }, safe, 'ok'],
    ['escaped PEM', { header: 'X-SSL-Cert', format: 'escaped-pem' }, escaped, 'ok'],
    ['PEM with an escape that is none', { header: leaf }, `${safe}%`, 'malformed-certificate'],
    ['two certificates in PEM', { header: leaf }, safe + safe, 'malformed-certificate'],
  ] satisfies [string, Partial<ProxyHeaderOptions>, string, string][])(
    'with %s',
    async (_name, options, value, expected) => {
      const authenticate = clientCertificate({
        from: fromHeader(options),
        subject: { O: 'Bank' },
      });
      const name = (options as Partial<ProxyHeaderOptions>).header ?? 'client-cert';
      const headers = { [name.toLowerCase()]: [value] };
      expect(await verdictOf(authenticate, { headers })).toBe(expected);
      expect(await verdictOf(authenticate, {})).toBe('no-certificate');
      const twice = { [name.toLowerCase()]: [value, value] };
      expect(await verdictOf(authenticate, { headers: twice })).toBe('repeated-certificate');
    },
  );

  test.each([
    [['10.0.0.7'], '10.0.0.7', 'ok'],
    [['10.0.0.7'], '::ffff:10.0.0.7', 'ok'],
    [['10.0.0.7'], '10.0.0.8', 'not-from-proxy'],
    [['10.0.0.0/8', 'fd00::/8'], '10.200.1.1', 'ok'],
    [['10.0.0.0/8', 'fd00::/8'], 'fd12::1', 'ok'],
    [['10.0.0.0/8', 'fd00::/8'], '11.0.0.1', 'not-from-proxy'],
    [['0.0.0.0/0'], 'fd12::1', 'not-from-proxy'],
    [['10.0.0.7'], undefined, 'not-from-proxy'],
    [['10.0.0.7'], 'unix', 'not-from-proxy'],
  ])('from proxies %j, of %s', async (addresses, remoteAddress, expected) => {
    const from = fromHeader({ proxies: addresses });
    const authenticate = clientCertificate({ from, subject: { O: 'Bank' } });
    const headers = { 'client-cert': [rfc9440(cert)] };
    expect(await verdictOf(authenticate, { headers, connection: { remoteAddress } })).toBe(
      expected,
    );
    // Who does not come from a proxy learns nothing about its header.
    const without = await verdictOf(authenticate, { connection: { remoteAddress } });
    expect(without).toBe(expected === 'ok' ? 'no-certificate' : expected);
  });

  test('that a client sends counts nothing where the certificate comes from elsewhere', async () => {
    const headers = { 'client-cert': [rfc9440(cert)], [xfcc]: [element(cert)], [leaf]: [safe] };
    const sources = [
      tlsSocket(),
      apiGateway(),
      cloudflareTls(),
      fromHeader({ header: 'X-Cert', format: 'rfc-9440' }),
    ];
    for (const from of sources) {
      const authenticate = clientCertificate({ from, subject: { O: 'Bank' } });
      expect(await verdictOf(authenticate, { headers, connection: {} })).not.toBe('ok');
    }
    expect(sources).toHaveLength(4);
  });
});

describe('10,000 changes, none of which is accepted', () => {
  /** Changes one place of a text. */
  const changed = (text: string): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.nat(text.length - 1),
        fc.constantFrom('replace', 'insert', 'remove', 'swap'),
        fc.integer({ min: 0x20, max: 0x7e }).map((unit) => String.fromCharCode(unit)),
      )
      .map(([at, how, character]) => {
        const before = text.slice(0, at);
        if (how === 'insert') return before + character + text.slice(at);
        if (how === 'remove') return before + text.slice(at + 1);
        if (how === 'replace') return before + character + text.slice(at + 1);
        return before + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
      })
      .filter((result) => result !== text);

  async function countAccepted<T>(
    arbitrary: fc.Arbitrary<T>,
    isAccepted: (value: T) => Promise<boolean>,
  ): Promise<{ tried: number; accepted: number }> {
    const result = { tried: 0, accepted: 0 };
    for (const value of fc.sample(arbitrary, { numRuns: 10_000, seed: 33 })) {
      result.tried++;
      if (await isAccepted(value)) result.accepted++;
    }
    return result;
  }
  const none = { tried: 10_000, accepted: 0 };

  test('of a certificate whose digest is known', async () => {
    const authenticate = clientCertificate({ from: tlsSocket(), fingerprint: fingerprint256 });
    const bytes = fc.tuple(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }));
    const result = await countAccepted(bytes, async ([at, mask]) => {
      const copy = Uint8Array.from(raw);
      copy[at] = (copy[at] ?? 0) ^ mask;
      const connection = { authorized: true, getPeerCertificate: () => ({ raw: copy }) };
      return (await verdictOf(authenticate, { connection })) === 'ok';
    });
    expect(result).toEqual(none);
  });

  test('of the values of a subject', async () => {
    const authenticate = clientCertificate({
      from: tlsSocket(),
      subject: { C: 'BR', O: 'Bank', CN: 'callbacks.bank.example' },
    });
    const places = ['BR', 'Bank', 'callbacks.bank.example'].flatMap((value) => {
      const start = raw.lastIndexOf(value, raw.indexOf(Buffer.from([0x55, 0x04, 0x06])) + 120);
      return Array.from(value, (_, at) => start + at);
    });
    const subjectStart = raw.indexOf(Buffer.from([0x55, 0x04, 0x06]));
    expect(places.every((place) => place > subjectStart)).toBe(true);
    const bytes = fc.tuple(fc.constantFrom(...places), fc.integer({ min: 1, max: 255 }));
    const result = await countAccepted(bytes, async ([at, mask]) => {
      const copy = Uint8Array.from(raw);
      copy[at] = (copy[at] ?? 0) ^ mask;
      const connection = { authorized: true, getPeerCertificate: () => ({ raw: copy }) };
      return (await verdictOf(authenticate, { connection })) === 'ok';
    });
    expect(result).toEqual(none);
  });

  test('of a header of RFC 9440', async () => {
    const authenticate = clientCertificate({ from: fromHeader(), fingerprint: fingerprint256 });
    // A server removes spaces around the value of a header.
    const values = changed(rfc9440(cert)).filter((value) => value.trim() !== rfc9440(cert));
    const result = await countAccepted(values, async (value) => {
      const headers = { 'client-cert': [value] };
      return (await verdictOf(authenticate, { headers })) === 'ok';
    });
    expect(result).toEqual(none);
  });

  test('of the PEM in a header, unless it is the same certificate', async () => {
    const from = fromHeader({ header: 'X-Forwarded-Client-Cert' });
    const authenticate = clientCertificate({ from, fingerprint: fingerprint256 });
    const text = `Cert="${encodeURIComponent(cert)}"`;
    let equal = 0;
    const result = await countAccepted(changed(text), async (value) => {
      const headers = { 'x-forwarded-client-cert': [value] };
      if ((await verdictOf(authenticate, { headers })) !== 'ok') return false;
      // Another case of the name, another escape or another line is the same certificate.
      const pem = decodeURIComponent(value.replaceAll(/\\(.)/gu, '$1'));
      const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]+)-----END/u.exec(pem) ?? [];
      const isEqual = Buffer.from(base64, 'base64').equals(raw);
      if (isEqual) equal++;
      return !isEqual;
    });
    expect(result).toEqual(none);
    expect(equal).toBeLessThan(1000);
  });

  test('of the text of a distinguished name', async () => {
    const text = 'CN=callbacks.bank.example,O=Bank\\, S.A.,C=BR';
    const authenticate = clientCertificate({
      from: cloudflareTls(),
      subject: { C: 'BR', O: 'Bank, S.A.', CN: 'callbacks.bank.example' },
    });
    const cf = (name: string): object => ({
      tlsClientAuth: {
        certPresented: '1',
        certVerified: 'SUCCESS',
        certRevoked: '0',
        certSubjectDNRFC2253: name,
        certIssuerDNRFC2253: '',
        certNotBefore: 'Dec 22 19:39:00 2018 GMT',
        certNotAfter: 'Dec 22 19:39:00 2150 GMT',
      },
    });
    expect(await verdictOf(authenticate, { connection: cf(text) })).toBe('ok');
    // Types have no case, spaces before them have no meaning, parts can be joined with `+`, and each space can be escaped.
    const plain = (name: string): string =>
      name
        .replaceAll(/(?<!\\)[,+] */gu, ',')
        .replaceAll(/(?<=^|(?<!\\),) *(?:cn|o|c)=/giu, (type) => type.trim().toUpperCase());
    const isSame = (name: string): boolean =>
      plain(name.trimStart().replaceAll('\\ ', ' ')) === text;
    const result = await countAccepted(
      changed(text).filter((name) => !isSame(name)),
      async (name) => (await verdictOf(authenticate, { connection: cf(name) })) === 'ok',
    );
    expect(result).toEqual(none);
  });
});
