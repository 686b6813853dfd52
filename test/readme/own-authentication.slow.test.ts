// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 fails without this polyfill
import 'reflect-metadata';
import { execFile, spawn } from 'node:child_process';
import { createHmac, createSign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { X509CertificateGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import { listenForTest } from '../packages/simulator/send/listen.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';

type Authentication = (request: object) => unknown;
type Receive = (request: Request) => Promise<Response>;

const text = new TextEncoder();
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-')));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const guide = await readFile(join(repository, 'docs/guides/own-authentication.md'), 'utf8');
  for (const [, name = '', content = ''] of guide.matchAll(
    /^```(?:ts|yaml)\n(?:\/\/|#) (\S+)\n([^]*?)^```$/gmu,
  )) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const { code, error } = await runInProcess(folder, ['generate']);
  expect(code, error).toBe(0);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function load<Module>(file: string): Promise<Module> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)) as Module;
}

test('the files of the guide compile, and its tests pass', async () => {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'esnext.array', 'dom'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    types: ['node'],
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src', 'relay.ts'] }),
  );
  await compile('ts7', folder, ['-p', 'tsconfig.json']);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', 'src/webhooks.test.ts'],
    { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(stdout).toContain('# pass 2\n# fail 0\n');
});

test("Twilio's own example has the signature that its library tests", async () => {
  const { sign, twilio } = await load<{
    sign(address: string, body: Uint8Array, token: string): Buffer;
    twilio(address: string, tokens: readonly string[]): unknown;
  }>('src/twilio.ts');
  const form = new URLSearchParams({
    Digits: '1234',
    CallSid: 'CA1234567890ABCDE',
    To: '+18005551212',
    Caller: '+14158675309',
    From: '+14158675309',
  });
  const address = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  expect(sign(address, text.encode(form.toString()), '12345').toString('base64')).toBe(
    'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
  );
  for (const tokens of [[], ['']]) expect(() => twilio(address, tokens)).toThrow('is missing');
});

test('`send` delivers a message through the relay', async () => {
  const { createMessages, messages } = await load<{
    createMessages(address: string, token: string): { readonly fetch: Receive };
    readonly messages: readonly string[];
  }>('src/webhooks.ts');
  const webhooks = createMessages('https://example.com/webhooks', 'a token of the relay');
  const to = await listenForTest(async (request, response) => {
    const { status } = await webhooks.fetch(
      new Request(new URL(request.url ?? '', 'http://127.0.0.1'), {
        method: request.method ?? '',
        headers: Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        ),
        body: new Uint8Array(await buffer(request)),
      }),
    );
    response.writeHead(status).end();
  });
  const port = await freePort();
  const relay = spawn(process.execPath, ['relay.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ADDRESS: 'https://example.com/webhooks',
      TWILIO_TOKEN: 'a token of the relay',
      TO: to,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void relay.kill());
  await once(relay.stdout, 'data');
  const send = (at: string) =>
    runInProcess(folder, ['send', 'messageReceived', '--to', new URL('/webhooks', at).href]);
  const { out, error } = await send(`http://127.0.0.1:${port}`);
  expect(out, error).toMatch(/^answered +200/mu);
  expect(messages).toEqual(['Hello']);
  expect((await send(to)).out).toMatch(/^answered +401/mu);
});

test('the function for PayPal accepts what its certificate signed, and nothing else', async () => {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: Uint8Array.of(1, 0, 1),
    modulusLength: 2048,
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=A service',
    keys,
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + 3_600_000),
    signingAlgorithm: algorithm,
  });
  const pem = certificate.toString('pem');
  expect(new X509Certificate(pem).subject).toBe('CN=A service');
  const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')}\n-----END PRIVATE KEY-----`;

  const { paypal } = await load<{ paypal(id: string, options: object): Authentication }>(
    'src/paypal.ts',
  );
  const fetched: string[] = [];
  let status = 200;
  const at = (clock: () => number): Authentication =>
    paypal('WH1', {
      clock,
      fetch: async (url: string) => {
        fetched.push(url);
        return new Response(pem, { status });
      },
    });
  const authenticate = at(() => now);
  const deliver = (changes: Readonly<Record<string, string>> = {}, content = '{"id":"1"}') => {
    const time = new Date(now).toISOString();
    const signed = createSign('sha256').update(
      `T1|${time}|WH1|${crc32(text.encode('{"id":"1"}'))}`,
    );
    const headers: Readonly<Record<string, string>> = {
      'paypal-transmission-id': 'T1',
      'paypal-transmission-time': time,
      'paypal-cert-url': 'https://api.paypal.com/v1/certs/1',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-transmission-sig': signed.sign(key, 'base64'),
      ...changes,
    };
    return {
      headers: (name: string) => [headers[name]].filter((value) => value !== undefined),
      body: text.encode(content),
    };
  };
  const refused = (reason: string): object => ({ ok: false, reason });
  status = 503;
  await expect(authenticate(deliver())).rejects.toThrow('503');
  status = 200;
  expect(await authenticate(deliver())).toBe(true);
  expect(await authenticate(deliver())).toBe(true);
  expect(fetched).toHaveLength(2);
  expect(await authenticate(deliver({}, '{"id":"2"}'))).toEqual(refused('signature-mismatch'));
  for (const url of ['https://api.paypal.com.evil.example/1', 'http://api.paypal.com/1', 'x', ''])
    expect(await authenticate(deliver({ 'paypal-cert-url': url }))).toEqual(
      refused('certificate-address'),
    );
  expect(await authenticate(deliver({ 'paypal-auth-algo': 'none' }))).toEqual(refused('algorithm'));
  expect(await authenticate(deliver({ 'paypal-transmission-time': '' }))).toEqual(
    refused('timestamp'),
  );
  for (const minutes of [-6, 6])
    expect(await at(() => now + minutes * 60_000)(deliver())).toEqual(refused('timestamp'));
  const late = now + 7_200_000;
  expect(
    await at(() => late)(deliver({ 'paypal-transmission-time': new Date(late).toISOString() })),
  ).toEqual(refused('expired'));
  expect(fetched).toHaveLength(3);
});

test('a challenge is answered only if the receiver accepts it', async () => {
  const { answerChallenge } = await load<{
    answerChallenge(receive: Receive, secret: string): Receive;
  }>('src/challenge.ts');
  const ask = async (status: number, content: object) =>
    await answerChallenge(
      async () => new Response('as it was', { status }),
      'secret',
    )(new Request('http://127.0.0.1', { method: 'POST', body: JSON.stringify(content) }));
  const challenge = { event: 'endpoint.url_validation', payload: { plainToken: 'abc' } };
  expect(await (await ask(200, challenge)).json()).toEqual({
    plainToken: 'abc',
    encryptedToken: createHmac('sha256', 'secret').update('abc').digest('hex'),
  });
  expect(await (await ask(401, challenge)).text()).toBe('as it was');
  expect(await (await ask(200, { event: 'other' })).text()).toBe('as it was');
});
