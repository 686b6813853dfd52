import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { createAuthority, type Issued } from '../packages/certificates.ts';
import { repository } from '../targets/emit-project.ts';
import { openExample } from './example.ts';

interface App {
  createApp(
    settings: {
      readonly tls: Issued & { readonly ca: string };
      readonly bank: Readonly<Record<string, string>>;
      readonly ownKey: string;
    },
    log: (line: string) => void,
  ): Server;
}

const ownKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
const authority = await createAuthority('CN=Authority of banks');
const subject = 'C=BR,O=Bank,CN=pix.bank.example';
const bank = await authority.issue({ subject });
const log: string[] = [];
let server: Server;

beforeAll(async () => {
  const { createApp } = await openExample<App>('pix-callback');
  const names = [{ type: 'ip', value: '127.0.0.1' }] as const;
  const issued = await authority.issue({ subject: 'CN=receiver', names: [...names] });
  server = createApp(
    {
      tls: { ...issued, ca: authority.cert },
      bank: { O: 'Bank', CN: 'pix.bank.example' },
      ownKey,
    },
    (line) => log.push(line),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
beforeEach(() => {
  log.length = 0;
});

let payments = 0;

/** Returns a payment in the form of the Pix API, with an identifier of its own. */
function payment(changes: object = {}): object {
  payments += 1;
  return {
    endToEndId: `E12345678202611261200${String(payments).padStart(11, '0')}`,
    txid: `order${payments}`,
    valor: '110.00',
    chave: ownKey,
    horario: '2026-11-26T12:00:00.000Z',
    infoPagador: '0123456789',
    ...changes,
  };
}

/** Sends a body over TLS. Returns the status, or `refused` for a connection that the server ends. */
function send(
  body: string,
  identity: Partial<Issued> = bank,
  path = '/callbacks/pix',
): Promise<number | 'refused'> {
  return new Promise((resolve) => {
    const { port } = server.address() as AddressInfo;
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json' },
        ca: authority.cert,
        ...identity,
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    );
    sent.on('error', () => resolve('refused'));
    sent.end(body);
  });
}

const deliver = (...pix: readonly object[]): Promise<number | 'refused'> =>
  send(JSON.stringify({ pix }));

test("the bank's payments are handled, each once, whatever callbacks repeat", async () => {
  const [first, second] = [payment({ txid: 'first' }), payment({ txid: 'second' })];
  expect(await deliver(first)).toBe(200);
  expect(await deliver(first, second)).toBe(200);
  expect(log).toEqual(['paid first: 110.00', 'paid second: 110.00']);
});

test.each(['0.01', '0.10', '110.00', '9999999999.99', '0000000001.50'])(
  'an amount keeps its digits: %s',
  async (valor) => {
    expect(await deliver(payment({ txid: 'order', valor }))).toBe(200);
    expect(log).toEqual([`paid order: ${valor}`]);
  },
);

test.each([110, 0.1, '110', '110.0', '1e2', '-1.00'])(
  'what is not an amount with two digits for centavos is refused: %j',
  async (valor) => {
    expect(await deliver(payment({ valor }))).toBe(422);
    expect(log).toEqual([expect.stringMatching('^invalid pixReceived: /pix/0/valor ')]);
  },
);

test('a certificate of another authority, an expired one, and none end the connection', async () => {
  const foreign = await createAuthority('CN=Authority of banks');
  const minute = 60_000;
  const refused: readonly Partial<Issued>[] = [
    await foreign.issue({ subject }),
    await authority.issue({ subject, notAfter: new Date(Date.now() - minute) }),
    await authority.issue({ subject, notBefore: new Date(Date.now() + minute) }),
    {},
  ];
  const body = JSON.stringify({ pix: [payment()] });
  for (const identity of refused) expect(await send(body, identity)).toBe('refused');
  await vi.waitFor(() => expect(log).toHaveLength(refused.length));
  expect(log.toSorted()).toEqual(
    [
      // The other authority has the same name, and another key.
      'refused CERT_SIGNATURE_FAILURE: connection',
      'refused CERT_HAS_EXPIRED: connection',
      'refused CERT_NOT_YET_VALID: connection',
      'refused ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: connection',
    ].toSorted(),
  );
  expect(await send(body)).toBe(200);
  expect(log.at(-1)).toMatch(/^paid /u);
});

test.each(['C=BR,O=Other,CN=pix.other.example', 'O=Bank,CN=pix.other.example', 'O=Bank'])(
  'a certificate of another subject is refused: %s',
  async (other) => {
    const body = JSON.stringify({ pix: [payment()] });
    expect(await send(body, await authority.issue({ subject: other }))).toBe(401);
    expect(log).toEqual([expect.stringMatching(/^refused other-subject: delivery [\w-]+$/u)]);
  },
);

test('a payment to another key, or to none, is acknowledged and is not ours', async () => {
  expect(await deliver(payment({ chave: 'other@example.com' }))).toBe(200);
  expect(await deliver(payment({ chave: undefined }), payment({ txid: 'ours' }))).toBe(200);
  const [lineOfOtherKey, lineOfNoKey, lineOfOwnKey] = log;
  expect(lineOfOtherKey).toMatch(/^not our key: E/u);
  expect(lineOfNoKey).toMatch(/^not our key: E/u);
  expect(lineOfOwnKey).toBe('paid ours: 110.00');
  expect(log).toHaveLength(3);
});

test('a completed refund is not a repetition of its payment', async () => {
  const paid = payment({ txid: 'refunded' });
  const refund = { id: 'r1', rtrId: 'D1', valor: '10.00', status: 'DEVOLVIDO' };
  expect(await deliver(paid)).toBe(200);
  expect(await deliver({ ...paid, devolucoes: [refund] })).toBe(200);
  expect(log).toEqual(['paid refunded: 110.00', 'refund r1: 10.00 DEVOLVIDO']);
});

test('what our bank does differently is in its overlay: the envelope, `null`, a further member', async () => {
  const pix = [payment({ txid: null, nomePagador: 'Maria' }), payment({ txid: 'order' })];
  expect(await send(JSON.stringify({ notificacao: { lote: 1, pix } }))).toBe(200);
  expect(log).toEqual([expect.stringMatching(/^paid E\w{31}: 110\.00$/u), 'paid order: 110.00']);
  // Its address has no `/pix`.
  expect(await send(JSON.stringify({ pix: [payment()] }), bank, '/callbacks')).toBe(200);
  expect(log).toHaveLength(3);
});

test('the example of the contract can be sent, each time as another payment', async () => {
  const folder = await temporaryFolder();
  const files = { 'ca.pem': authority.cert, 'bank.pem': bank.cert, 'bank.key': bank.key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const { port } = server.address() as AddressInfo;
  for (const position of [0, 1]) {
    const sent = await runInProcess(join(repository, 'examples/pix-callback'), [
      'send',
      'pixReceived',
      '--to',
      `https://127.0.0.1:${port}/callbacks/pix`,
      '--ca',
      join(folder, 'ca.pem'),
      '--client-cert',
      join(folder, 'bank.pem'),
      '--client-key',
      join(folder, 'bank.key'),
    ]);
    expect(sent).toMatchObject({ code: 0 });
    // The key of the example is not that of this test.
    expect(log.slice(position)).toEqual([expect.stringMatching(/^not our key: E/u)]);
  }
  expect(new Set(log).size).toBe(2);
});

test.each(['SERVER_CERT', 'SERVER_KEY', 'BANK_CA', 'BANK_NAME', 'PIX_KEY'])(
  'the program names the variable %s that is missing or empty',
  async (missing) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a.pem');
    await writeFile(file, bank.cert);
    const environment = {
      SERVER_CERT: file,
      SERVER_KEY: file,
      BANK_CA: file,
      BANK_NAME: 'a',
      PIX_KEY: 'a',
    };
    for (const value of ['', ' ']) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--conditions=countersign-source', '--no-warnings', 'src/main.ts'],
        {
          cwd: join(repository, 'examples/pix-callback'),
          encoding: 'utf8',
          env: { ...process.env, NODE_OPTIONS: '', ...environment, [missing]: value },
        },
      );
      expect(stderr.trim()).toBe(`The environment variable ${missing} is missing or empty.`);
      expect(status).toBe(1);
    }
  },
);

test('a callback without payments is acknowledged', async () => {
  expect(await deliver()).toBe(200);
  expect(log).toEqual([expect.stringMatching('^no payments: ')]);
});
