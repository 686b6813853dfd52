import { spawn } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { request as plainRequest } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { X509Certificate } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deliver } from '@instant-payment/webhooks/testing';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { createAuthority, type Issued } from '../packages/certificates.ts';
import { repository } from '../targets/emit-project.ts';

const authority = await createAuthority();
const names = [{ type: 'dns', value: 'callbacks.bank.example' }] as const;
const sender = { subject: 'O=Bank,CN=callbacks.bank.example', names: [...names] };
const bank = await authority.issue(sender);
const other = await authority.issue({
  subject: 'O=Other,CN=other.example',
  names: [{ type: 'dns', value: 'other.example' }],
});
const foreign = await (await createAuthority('CN=Another authority')).issue(sender);
const expired = await authority.issue({ ...sender, notAfter: new Date(Date.now() - 60_000) });

/** Writes the files of the guide into a folder that finds the packages of this repository. */
async function copyGuide(): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(repository, 'docs/guides/receiving-client-certificates.md');
  const files = (await readFile(path, 'utf8')).matchAll(
    /(?<=^```ts\n)\/\/ (\S+)\n[^]*?(?=^```$)/gmu,
  );
  let count = 0;
  for (const [text, name = ''] of files) {
    await writeFile(join(folder, name), text);
    count++;
  }
  expect(count).toBe(4);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Starts a file of the guide as a program. Returns a function that waits until it has written a text. */
async function start(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ says: (text: string, times?: number) => Promise<void>; hangUp: () => void }> {
  const program = spawn(
    process.execPath,
    ['--conditions=countersign-source', '--no-warnings', file],
    { env: { ...process.env, NODE_OPTIONS: '', ...environment } },
  );
  onTestFinished(() => void program.kill());
  let output = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const says = (text: string, times: number = 1): Promise<void> =>
    vi.waitFor(() => expect(output.split(text).length, output).toBeGreaterThan(times), {
      timeout: 30_000,
      interval: 50,
    });
  await says('listening');
  return { says, hangUp: () => program.kill('SIGHUP') };
}

const delivery = await deliver('customer');
const body = await delivery.text();
const path = new URL(delivery.url).pathname;

/** Sends a delivery, and returns its status, or `refused` where the connection is. */
function send(
  port: number,
  { tls, headers = {} }: { readonly tls?: Partial<Issued>; readonly headers?: object },
): Promise<number | 'refused'> {
  return new Promise((resolve) => {
    const options: RequestOptions = {
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { ...headers },
      ...(tls === undefined ? {} : { ca: authority.cert, ...tls }),
    };
    const sent = (tls === undefined ? plainRequest : request)(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve('refused'));
    sent.end(body);
  });
}

/** Starts the server of the guide, with a list of one sender. */
async function startServer(): Promise<
  Awaited<ReturnType<typeof start>> & {
    readonly port: number;
    readonly file: (name: string) => string;
  }
> {
  const folder = await copyGuide();
  const port = await freePort();
  const server = await authority.issue({
    subject: 'CN=receiver',
    names: [{ type: 'ip', value: '127.0.0.1' }],
  });
  const file = (name: string): string => join(folder, name);
  await writeFile(file('server.crt'), server.cert);
  await writeFile(file('server.key'), server.key);
  await writeFile(file('ca.crt'), authority.cert);
  await writeFile(file('senders.json'), '[{ "O": "Bank" }]');
  const program = await start(file('tls-server.ts'), {
    SERVER_CERT: file('server.crt'),
    SERVER_KEY: file('server.key'),
    SENDER_CA: file('ca.crt'),
    SENDERS: file('senders.json'),
    PORT: String(port),
  });
  return { ...program, port, file };
}

test('a server with TLS takes the deliveries of its senders, and renews their list', async () => {
  const { port, file, says, hangUp } = await startServer();
  expect(await send(port, { tls: bank })).toBe(200);
  await says('200 handled ');
  expect(await send(port, { tls: other })).toBe(401);
  expect(await send(port, { tls: expired })).toBe('refused');
  expect(await send(port, { tls: {} })).toBe('refused');
  await says('401 unauthentic (other-subject)');
  await says('refused a connection CERT_HAS_EXPIRED');
  await says('refused a connection ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE');
  expect(await send(port, { tls: foreign })).toBe('refused');
  await says('refused a connection UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  await writeFile(file('senders.json'), '[{ "O": "Other" }]');
  hangUp();
  await says('renewed');
  expect(await send(port, { tls: other })).toBe(200);
  expect(await send(port, { tls: bank })).toBe(401);
});

test('a server with TLS keeps its files where one of the current ones cannot be used', async () => {
  const { port, file, says, hangUp } = await startServer();
  const good = new Map<string, string>();
  for (const name of ['server.crt', 'server.key', 'ca.crt', 'senders.json'])
    good.set(name, await readFile(file(name), 'utf8'));
  const faults: readonly (readonly [string, string])[] = [
    ['senders.json', '[{ "O": "Ot'],
    ['senders.json', '[]'],
    ['senders.json', '[{ "o": "Other" }]'],
    ['server.key', other.key],
    ['server.crt', good.get('server.crt')!.slice(0, 200)],
    ['ca.crt', ''],
  ];
  for (const [index, [name, text]] of faults.entries()) {
    // What would be accepted with the other files as they are now.
    await writeFile(file('senders.json'), '[{ "O": "Other" }]');
    await writeFile(file(name), text);
    hangUp();
    await says('not renewed', index + 1);
    expect(await send(port, { tls: bank })).toBe(200);
    expect(await send(port, { tls: other })).toBe(401);
    for (const [path, content] of good) await writeFile(file(path), content);
  }
  hangUp();
  await says('\nrenewed');
  expect(await send(port, { tls: bank })).toBe(200);
});

const clientCert = ({ cert }: Issued): string =>
  `:${new X509Certificate(cert).raw.toString('base64')}:`;

test.each([
  ['127.0.0.1', 200],
  ['10.0.0.0/8', 401],
])(
  'behind a proxy with the address %s, a delivery is answered with %s',
  async (proxies, status) => {
    const folder = await copyGuide();
    const port = await freePort();
    await start(join(folder, 'behind-a-proxy.ts'), {
      PROXIES: proxies,
      SENDER_NAME: 'callbacks.bank.example',
      PORT: String(port),
    });
    expect(await send(port, { headers: { 'client-cert': clientCert(bank) } })).toBe(status);
    expect(await send(port, { headers: { 'client-cert': clientCert(other) } })).toBe(401);
    expect(await send(port, { headers: { 'client-cert': clientCert(expired) } })).toBe(401);
    expect(await send(port, {})).toBe(401);
  },
);

test('a Lambda function and a Worker take the deliveries of their sender', async () => {
  const folder = await copyGuide();
  vi.stubEnv('SENDER_NAME', 'callbacks.bank.example');
  onTestFinished(() => void vi.unstubAllEnvs());
  const load = async (file: string): Promise<unknown> =>
    await import(pathToFileURL(join(folder, file)).href);
  const { handler } = (await load('lambda.ts')) as {
    handler: (event: object) => Promise<{ statusCode: number }>;
  };
  const call = async (context: object): Promise<number> => {
    const http = { method: 'POST' };
    const event = { rawPath: path, headers: {}, body, requestContext: { http, ...context } };
    return (await handler(event)).statusCode;
  };
  const context = ({ cert }: Issued): object => ({
    authentication: { clientCert: { clientCertPem: cert } },
  });
  expect(await call(context(bank))).toBe(200);
  expect(await call(context(other))).toBe(401);
  expect(await call({})).toBe(401);
  const { default: worker } = (await load('worker.ts')) as {
    default: { fetch: (request: Request, env: object, context: object) => Promise<Response> };
  };
  const fetchFrom = async ({ cert }: Issued): Promise<number> => {
    const { fingerprint256 } = new X509Certificate(cert);
    const tlsClientAuth = {
      certPresented: '1',
      certVerified: 'SUCCESS',
      certRevoked: '0',
      certSubjectDNRFC2253: 'CN=a',
      certIssuerDNRFC2253: 'CN=b',
      certFingerprintSHA256: fingerprint256.replaceAll(':', '').toLowerCase(),
      certNotBefore: 'Dec 22 19:39:00 2018 GMT',
      certNotAfter: 'Dec 22 19:39:00 2150 GMT',
    };
    const request = new Request(`http://127.0.0.1${path}`, { method: 'POST', body });
    const env = { SENDER_FINGERPRINT: new X509Certificate(bank.cert).fingerprint256 };
    const incoming = Object.assign(request, { cf: { tlsClientAuth } });
    return (await worker.fetch(incoming, env, { waitUntil: () => undefined })).status;
  };
  expect(await fetchFrom(bank)).toBe(200);
  expect(await fetchFrom(other)).toBe(401);
});
