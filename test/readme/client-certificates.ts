import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { createServer as createProxy } from 'node:http';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createAuthority, type Issued } from '../packages/certificates.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from '../targets/emit-project.ts';

/** Calls the service with the files of the guide, and prints what it answered. */
const program = `
import { copyFileSync } from 'node:fs';
import * as certificate from './certificate.ts';
import { client } from './client.ts';

const { CLIENT_CERT, CLIENT_KEY, NEXT_CERT, NEXT_KEY } = process.env;
const call = async () => {
  try {
    const { body } = await client.request('POST', '/cashout', { body: { amount: '1.00' } });
    return body;
  } catch (error) {
    return error.code;
  }
};
const answers = [await call()];
if ('renewCertificate' in certificate) {
  copyFileSync(NEXT_CERT, CLIENT_CERT);
  copyFileSync(NEXT_KEY, CLIENT_KEY);
  await certificate.renewCertificate();
  answers.push(await call());
}
console.log(JSON.stringify(answers));
process.exit(0);
`;

/** A service that requires certificates of its authority, a proxy to it, and a folder with the files of the guide. */
export interface CertificateTrial extends AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The paths that were called, and the common names of the certificates. */
  readonly arrived: readonly string[];
  /** The addresses that the proxy was asked to connect to. */
  readonly tunnels: readonly string[];
  readonly address: string;
}

/** Writes a file of the guide. */
export async function copyRecipe(file: string, to: string): Promise<void> {
  const guide = await readFile(join(repository, 'docs/guides/client-certificates.md'), 'utf8');
  const files = guide.matchAll(/(?<=^```ts\n)\/\/ (\S+)\n[^]*?(?=^```$)/gmu);
  const [text] = Array.from(files).find(([, name]) => name === file) ?? [];
  if (text === undefined) throw new Error(`The guide has no ${file}.`);
  await writeFile(to, text);
}

/**
 * Starts a trial of a file of the guide.
 * @param file the file that has the function `fetchWithCertificate`
 * @param isForeign whether the client's certificate is that of an authority that the service does not trust
 */
export async function startTrial(file: string, isForeign = false): Promise<CertificateTrial> {
  const folder = await temporaryFolder();
  await copyRecipe(file, join(folder, 'certificate.ts'));
  await copyRecipe('client.ts', join(folder, 'client.ts'));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  await write('package.json', '{ "type": "module" }');
  await write('main.ts', program);

  const authority = await createAuthority();
  const issuer = isForeign ? await createAuthority('CN=Another authority') : authority;
  const writeIssued = async (name: string, { cert, key }: Issued): Promise<void> => {
    await write(`${name}.crt`, cert);
    await write(`${name}.key`, key);
  };
  await writeIssued('client', await issuer.issue({ subject: 'CN=first' }));
  await writeIssued('next', await issuer.issue({ subject: 'CN=second' }));
  await write('authority.crt', authority.cert);

  const arrived: string[] = [];
  const names = [{ type: 'ip', value: '127.0.0.1' }] as const;
  const service = createServer(
    {
      ...(await authority.issue({ subject: 'CN=service', names: [...names] })),
      ca: authority.cert,
      requestCert: true,
    },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      arrived.push(`${request.url ?? ''} ${String(subject.CN)}`);
      request.resume().on('end', () => {
        const token = { access_token: 'token', expires_in: 3600 };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.url === '/token' ? token : { name: subject.CN }));
      });
    },
  );
  const tunnels: string[] = [];
  const proxy = createProxy().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const { port } = service.address() as AddressInfo;
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  for (const server of [service, proxy])
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  const portOf = (server: typeof service | typeof proxy): number =>
    (server.address() as AddressInfo).port;
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    arrived,
    tunnels,
    address: `127.0.0.1:${portOf(service)}`,
    env: {
      SERVICE_URL: `https://127.0.0.1:${portOf(service)}`,
      PROXY_URL: `http://127.0.0.1:${portOf(proxy)}`,
      SERVICE_CA: path('authority.crt'),
      CLIENT_CERT: path('client.crt'),
      CLIENT_KEY: path('client.key'),
      NEXT_CERT: path('next.crt'),
      NEXT_KEY: path('next.key'),
    },
    async [Symbol.asyncDispose]() {
      for (const server of [service, proxy]) {
        server.closeAllConnections();
        await new Promise((resolve) => {
          server.close(resolve);
        });
      }
    },
  };
}
