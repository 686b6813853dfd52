import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { createAuthority } from '../../certificates.ts';
import { listenForTest } from './listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { simulate } from '../simulate/simulating.ts';

const authority = await createAuthority();
const names = [{ type: 'ip', value: '127.0.0.1' }] as const;
const server = await authority.issue({ subject: 'CN=receiver', names: [...names] });
const bank = await authority.issue({ subject: 'O=Bank,CN=callbacks' });

const contract = {
  openapi: '3.1.0',
  info: { title: 'Callbacks', version: '1.0.0', 'x-countersign': 1 },
  webhooks: {
    paid: {
      post: {
        operationId: 'paid',
        security: [{ mtls: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object' }, example: { amount: 1 } } },
        },
        responses: { 200: { description: 'Taken.' } },
      },
    },
  },
  components: { securitySchemes: { mtls: { type: 'mutualTLS' } } },
};

async function createProject(): Promise<string> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.json': JSON.stringify(contract),
    'countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.json' },
      scope: '@callbacks',
      output: 'generated',
      targets: ['contract', 'webhooks'],
    }),
    'node_modules/.keep': '',
    'ca.pem': authority.cert,
    'client.pem': bank.cert,
    'client.key': bank.key,
    'other.key': server.key,
  });
  return folder;
}

/** A receiver with TLS that requires a certificate, and keeps the names of those that it got. */
async function receive(ca: string): Promise<{ url: string; server: Server; subjects: unknown[] }> {
  const subjects: unknown[] = [];
  const listening = createServer({ ...server, ca, requestCert: true }, (request, response) => {
    subjects.push((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    listening.close();
    listening.closeAllConnections();
  });
  const { port } = listening.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, server: listening, subjects };
}

const files = ['--client-cert', 'client.pem', '--client-key', 'client.key', '--ca', 'ca.pem'];

test('send has the certificate of its options, and the header of a proxy without TLS', async () => {
  const folder = await createProject();
  const { url, subjects } = await receive(authority.cert);
  const send = (...flags: readonly string[]): ReturnType<typeof runInProcess> =>
    runInProcess(folder, ['send', 'paid', ...flags]);
  expect(await send('--to', url, ...files)).toMatchObject({ code: 0 });
  expect(subjects).toEqual(['callbacks']);
  const anonymous = await send('--to', url, '--ca', 'ca.pem');
  expect(anonymous.code).not.toBe(0);
  expect(anonymous.error).toContain('a client certificate: give it with --client-cert');
  const untrusting = await send('--to', url, ...files.slice(0, 4));
  expect(untrusting.error).toMatch(
    /cannot be reached \(\w+\)\. .* name its authority with --ca\./u,
  );
  expect(subjects).toHaveLength(1);
  const headers: unknown[] = [];
  const plain = await listenForTest((request, response) => {
    headers.push(request.headers['client-cert']);
    request.resume().on('end', () => response.end());
  });
  expect(await send('--to', plain, ...files)).toMatchObject({ code: 0 });
  expect(headers).toEqual([`:${bank.cert.replaceAll(/-----[A-Z ]+-----|\s/gu, '')}:`]);
});

test.each([
  [['--client-cert', 'client.pem'], 'require each other'],
  [['--client-cert', 'client.pem', '--client-key', 'none.key'], '--client-key cannot be read'],
  [['--client-cert', 'client.pem', '--client-key', 'other.key'], 'key of another certificate'],
  [['--client-cert', 'client.pem', '--client-key', 'ca.pem'], 'certificate and a private key'],
  [['--ca', 'none.pem'], '--ca cannot be read'],
])('send refuses %j', async (flags, message) => {
  const folder = await createProject();
  const run = await runInProcess(folder, ['send', 'paid', '--to', 'http://127.0.0.1:9', ...flags]);
  expect(run.code).toBe(2);
  expect(run.error).toContain(message);
  expect(run.out + run.error).not.toContain('PRIVATE');
});

test('simulate writes the certificate of its authority, and delivers with one of it', async () => {
  const folder = await createProject();
  const { url, server: listening, subjects } = await receive(authority.cert);
  const flags = ['--to', url, '--ca', 'ca.pem', '--authority-file', 'test-authority.pem'];
  const simulation = simulate(folder, flags);
  const shown = await simulation.says('test-authority.pem');
  expect(shown).toContain('O=Simulator, CN=simulator.test');
  expect(shown).toMatch(/fingerprint (?:[\dA-F]{2}:){31}[\dA-F]{2}\n/u);
  const ca = await readFile(join(folder, 'test-authority.pem'), 'utf8');
  listening.setSecureContext({ ...server, ca });
  expect(await runInProcess(folder, ['send', 'paid'])).toMatchObject({ code: 0 });
  expect(subjects).toEqual(['simulator.test']);
  await simulation.end();
});

test('simulate takes the certificate of the user, and then has no authority to write', async () => {
  const folder = await createProject();
  const { url, subjects } = await receive(authority.cert);
  const simulation = simulate(folder, ['--to', url, ...files]);
  await simulation.says('CN=callbacks');
  expect(simulation.output()).not.toContain('authority ');
  expect(await runInProcess(folder, ['send', 'paid'])).toMatchObject({ code: 0 });
  expect(subjects).toEqual(['callbacks']);
  expect(await simulation.end()).toBe(0);
  const refused = simulate(folder, [...files, '--authority-file', 'a.pem']);
  expect(await refused.ended).toBe(2);
  expect(refused.output()).toContain('--authority-file has no effect');
});
