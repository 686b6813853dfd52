import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhooks, sharedSecret, verifySignature } from '@instant-payment/webhooks';
import { toNodeHandler } from '@countersign/webhooks/node';
import { repository } from '../targets/emit-project.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { type Tree, writeTree } from '../output/tree.ts';
import { describeParcels } from '../scaffold/parcels.ts';
import { createProject, type Run } from './project.ts';
import { runInProcess } from './run-in-process.ts';

const config = join(repository, 'countersign.config.ts');

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends with the contract of this repository. */
function send(parameters: readonly string[], environment: Tree = {}): Promise<Run> {
  const all = ['send', ...parameters, '--config', config, '--quiet'];
  return runInProcess(repository, all, environment);
}

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** Listens for one request and answers it. */
async function receiveOne(status = 200): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await listen(async (request, response) => {
    const { method, url: target, headers } = request;
    received.push({ method, url: target, headers, body: JSON.parse(await text(request)) });
    response.writeHead(status).end();
  });
  return { url, received };
}

const secret = 'a very secret secret';

describe('countersign send', () => {
  it('explains itself', async () => {
    const { code, out } = await runInProcess(repository, ['send', '--help']);
    expect(code).toBe(0);
    for (const text of ['<event>', '--to <url>', '--allow-remote', '--header-env', 'Examples:'])
      expect(out).toContain(text);
  });

  it('delivers each of the notifications so that a receiver takes it', async () => {
    const handled: string[] = [];
    const handle = ({ kind }: { readonly kind: string | null }): void => {
      handled.push(kind ?? 'none');
    };
    const { receive } = createWebhooks({
      authenticate: sharedSecret({ header: 'x-webhook-secret' }, secret),
      on: {},
      otherwise: { rest: handle },
      onInvalid: () => handled.push('invalid'),
    });
    const url = await listen(toNodeHandler(receive));
    const kinds = [
      'customer',
      'charge',
      'dueDateCharge',
      'staticCharge',
      'chargeReversal',
      'cashoutValidated',
      'cashoutSettled',
      'cashoutReversal',
    ];
    const proof = ['--header-env', 'x-webhook-secret=SECRET', '--label-path'];
    for (const kind of kinds) {
      const { code, error } = await send([kind, '--to', url, ...proof], { SECRET: secret });
      expect({ kind, code, error }).toEqual({ kind, code: 0, error: '' });
    }
    expect(handled).toEqual(kinds);
  });

  it('signs as the contract says', async () => {
    const { receive } = createWebhooks({
      authenticate: verifySignature({
        keys: [secret],
        headers: { apikey: 'key-of-the-caller' },
        signedPath: 'path-and-query',
      }),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
    });
    const url = `${await listen(toNodeHandler(receive))}/hooks?tenant=one`;
    const signed = ['charge', '--to', url, '--sign', '--header-env', 'apikey=API_KEY'];
    const environment = { WEBHOOK_SECRET: secret, API_KEY: 'key-of-the-caller' };
    const answer = ['--answer', 'signed-path=path-and-query'];
    expect(await send([...signed, ...answer], environment)).toMatchObject({ code: 0 });
    // Answered otherwise, or signed with another key, it is another signature.
    expect(await send(signed, environment)).toMatchObject({ code: 1 });
    const other = { ...environment, WEBHOOK_SECRET: 'another secret' };
    expect(await send([...signed, ...answer], other)).toMatchObject({ code: 1 });
    const elsewhere = { API_KEY: environment.API_KEY, HOOK_KEY: secret };
    const named = [...signed, ...answer, '--secret-env', 'HOOK_KEY'];
    expect(await send(named, elsewhere)).toMatchObject({ code: 0 });
  });

  it('shows what was sent and what came back, and no secret', async () => {
    const url = await listen(async (request, response) => {
      const { headers } = request;
      response.writeHead(422, {
        'content-type': 'text/plain',
        'retry-after': '5',
        'x-other': 'not shown',
        location: `/${headers['x-webhook-secret']?.toString() ?? ''}`,
      });
      response.end(`${await text(request).then(() => JSON.stringify(headers))}\u001b[2J\tend\n`);
    });
    const parameters = ['charge', '--to', `${url}/hooks?token=query-secret`, '--sign'];
    const headers = ['--header-env', 'x-webhook-secret=SECRET', 'apikey=API_KEY'];
    const environment = { SECRET: secret, API_KEY: 'caller-key', WEBHOOK_SECRET: 'signing-key' };
    const { code, out } = await send([...parameters, ...headers], environment);
    expect(code).toBe(1);
    const [sent, to, answered, ...lines] = out.split('\n');
    expect(sent).toMatch(/^sent {6}charge \(with-payer\), \d+ bytes, signed$/);
    expect(to).toBe(`          POST ${url}/hooks?token=…`);
    expect(answered).toMatch(/^answered {2}422 Unprocessable Entity in \d+ ms$/);
    expect(lines.slice(0, 5)).toEqual([
      '          content-type: text/plain',
      '          location: /[redacted]',
      '          retry-after: 5',
      '',
      expect.stringMatching(
        /^\{"content-type":.*"x-hmac-signature":"\[redacted\]".*\ufffd\[2J {2}end$/u,
      ),
    ]);
    for (const hidden of ['secret', 'caller-key', 'signing-key', '\u001b'])
      expect(out.replaceAll('x-webhook-secret', '')).not.toContain(hidden);
  });

  it('tells machines the same', async () => {
    const { url } = await receiveOne(503);
    const { code, out } = await send([
      'charge',
      '--to',
      url,
      '--example',
      'without-payer',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      command: 'send',
      ok: false,
      config,
      results: [
        {
          event: 'charge',
          example: 'without-payer',
          request: { method: 'POST', url: `${url}/`, bytes: expect.any(Number), signed: false },
          response: {
            status: 503,
            statusText: 'Service Unavailable',
            headers: {},
            body: '',
            cut: false,
            milliseconds: expect.any(Number),
          },
        },
      ],
    });
  });

  it('sends what is different from the example', async () => {
    const { url, received } = await receiveOne();
    const path = ['--label-path', '--param', 'txid=a/b c', 'endToEndId=E1'];
    const data = ['--data', '{"Pix":{"Status":2,"more":[1]}}'];
    const headers = ['--header', 'X-More: some: thing', '--header', 'Content-Type: text/plain'];
    await send(['chargeReversal', '--to', `${url}/in/`, ...path, ...data, ...headers]);
    expect(received).toMatchObject([
      {
        method: 'PUT',
        url: '/in/v1/apm/pix/E1/reverse/a%2Fb%20c',
        headers: { 'x-more': 'some: thing', 'content-type': 'text/plain' },
        body: { Pix: { Status: 2, more: [1], OperationType: 2 } },
      },
    ]);
  });

  it('leaves the path alone where nothing is said about the label, and where there is none', async () => {
    const { url, received } = await receiveOne();
    await send(['charge', '--to', `${url}/in?a=b`]);
    await send(['cashoutReversal', '--to', `${url}/in`, '--label-path']);
    expect(received.map((request) => request.url)).toEqual(['/in?a=b', '/in']);
  });

  it.each<[string, readonly string[], number, string]>([
    ['an unknown event', ['chrge'], 2, 'There is no notification "chrge". Did you mean "charge"?'],
    ['an unknown example', ['charge', '--example', 'with-payr'], 2, 'Did you mean "with-payer"?'],
    ['no JSON', ['charge', '--data', '{"token":'], 2, '--data is no JSON.'],
    ['no object', ['charge', '--data', '[1]'], 2, '--data takes an object'],
    ['a parameter for nothing', ['charge', '--param', 'txid=1'], 2, '--param needs --label-path'],
    [
      'an unknown parameter',
      ['dueDateCharge', '--label-path', '--param', 'id=1'],
      2,
      'The label has no parameter "id". There are: txid.',
    ],
    [
      'a parameter that changes the path',
      ['dueDateCharge', '--label-path', '--param', 'txid=..'],
      2,
      'this value would change the path around it',
    ],
    [
      'half a header',
      ['charge', '--header', 'secret'],
      2,
      '--header takes a name, `:` and a value',
    ],
    ['a header with a line end', ['charge', '--header', 'a: b\r\nc: d'], 2, 'cannot travel'],
    ['a secret that is not set', ['charge', '--header-env', 'a=B'], 1, 'variable B is not set'],
    [
      'a secret in place of its variable',
      ['charge', '--header-env', 'a=hunter-2!'],
      2,
      'The name of an environment variable is needed, not a secret.',
    ],
    ['a key that is not set', ['charge', '--sign'], 1, 'variable WEBHOOK_SECRET is not set'],
    ['an unknown signature', ['charge', '--sign', 'other'], 2, 'There are: signature.'],
    ['no time', ['charge', '--timeout', '0'], 2, '--timeout takes a number of milliseconds'],
  ])('refuses %s before it sends anything', async (_, parameters, expected, message) => {
    const { url, received } = await receiveOne();
    const { code, out, error } = await send([...parameters, '--to', url]);
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(error).toContain(message);
    expect(error).not.toContain('hunter');
    expect(received).toEqual([]);
  });

  it('names a signed header that is missing', async () => {
    const { url } = await receiveOne();
    const { code, error } = await send(['charge', '--to', url, '--sign'], {
      WEBHOOK_SECRET: secret,
    });
    expect({ code, error }).toEqual({
      code: 1,
      error:
        'countersign: The signature signature covers the header apikey: give it with --header-env apikey=<variable>.\n',
    });
  });

  it.each([
    ['ftp://127.0.0.1/', '--to takes a URL'],
    ['127.0.0.1:3000', '--to takes a URL'],
    ['http://user:hunter2@127.0.0.1/', '--to takes a URL without a user'],
  ])('sends to no other kind of URL: %s', async (url, message) => {
    const { code, error } = await send(['charge', '--to', url]);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(error).not.toContain('hunter2');
  });

  it('goes to an address that is not this machine alone only where that is allowed', async () => {
    const { url, received } = await receiveOne();
    const everywhere = url.replace('127.0.0.1', '0.0.0.0');
    const refused = await send(['charge', '--to', everywhere]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('0.0.0.0 is not this machine alone');
    expect(received).toEqual([]);
    expect(await send(['charge', '--to', everywhere, '--allow-remote'])).toMatchObject({ code: 0 });
    expect(received).toHaveLength(1);
  });

  it('asks no proxy that the environment names', async () => {
    const { url, received } = await receiveOne();
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'asyncapi.json': JSON.stringify(describeParcels()),
      'own.json': JSON.stringify({
        contract: { asyncapi: 'asyncapi.json' },
        scope: '@parcels',
        output: 'generated',
        targets: ['contract'],
      }),
    });
    const { run } = await createProject();
    const parameters = ['send', 'lost', '--to', url, '--config', join(folder, 'own.json')];
    const environment = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' };
    expect(await run(parameters, { environment })).toMatchObject({ code: 0 });
    expect(received).toMatchObject([{ body: { event: 'lost', parcel: 'P1' } }]);
  });

  it('signs without being asked where the contract states a signature for the notification', async () => {
    const scheme = {
      type: 'httpApiKey',
      name: 'X-Signature',
      in: 'header',
      'x-signature': {
        algorithm: 'hmac-sha256',
        key: { credential: 'hook secret', encoding: 'utf-8' },
        over: ['$request.body'],
        encoding: 'hex',
        value: 'sha256={signature}',
      },
    };
    const document = describeParcels({ info: { 'x-countersign': 1 } });
    const stated = {
      ...document,
      operations: {
        tell: {
          action: 'send',
          channel: { $ref: '#/channels/parcels' },
          security: [{ $ref: '#/components/securitySchemes/hook' }],
        },
      },
      components: {
        ...(document as { components: object }).components,
        securitySchemes: { hook: scheme },
      },
    };
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'asyncapi.json': JSON.stringify(stated),
      'countersign.config.json': JSON.stringify({
        contract: { asyncapi: 'asyncapi.json' },
        scope: '@parcels',
        output: 'generated',
        targets: ['contract'],
      }),
    });
    const { url, received } = await receiveOne();
    const parameters = ['send', 'lost', '--to', url, '--quiet'];
    const unset = await runInProcess(folder, parameters);
    expect(unset).toMatchObject({ code: 1, error: expect.stringContaining('WEBHOOK_SECRET') });
    const environment = { WEBHOOK_SECRET: 'key' };
    expect(await runInProcess(folder, parameters, environment)).toMatchObject({ code: 0 });
    expect(await runInProcess(folder, [...parameters, '--no-sign'])).toMatchObject({ code: 0 });
    expect(received.map(({ headers }) => headers['x-signature'])).toEqual([
      expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      undefined,
    ]);
  });
});
