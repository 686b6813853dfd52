import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '@countersign/runtime/webhooks/node';
import { createWebhooks, sharedSecret, verifySignature } from '@instant-payment/webhooks';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { describeParcels } from '../../create/scaffold/parcels.ts';
import { listenForTest, receiveAll } from './listen.ts';
import { repository } from '../../../targets/emit-project.ts';
import { createProject } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { config, send } from './send.ts';

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
      onInvalid: () => void handled.push('invalid'),
    });
    const url = await listenForTest(toNodeHandler(receive));
    const kinds = [
      'customer',
      'charge',
      'dueDateCharge',
      'staticCharge',
      'chargeReversal',
      'cashoutStageOne',
      'cashoutStageTwo',
      'cashoutReversal',
    ];
    const proof = ['--header-env', 'x-webhook-secret=SECRET', '--append-label'];
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
    const url = `${await listenForTest(toNodeHandler(receive))}/hooks?tenant=one`;
    const signed = ['charge', '--to', url, '--sign', '--header-env', 'apikey=API_KEY'];
    const environment = { WEBHOOK_SECRET: secret, API_KEY: 'key-of-the-caller' };
    const answer = ['--answer', 'signed-path=path-and-query'];
    expect(await send([...signed, ...answer], environment)).toMatchObject({ code: 0 });
    // Answered otherwise, or signed with another key, it is another signature.
    expect(await send(signed, environment)).toMatchObject({ code: 1 });
    const other = { ...environment, WEBHOOK_SECRET: 'another secret' };
    expect(await send([...signed, ...answer], other)).toMatchObject({ code: 1 });
    const elsewhere = { API_KEY: environment.API_KEY, HOOK_KEY: secret };
    const named = [...signed, ...answer, '--key-env', 'HOOK_KEY'];
    expect(await send(named, elsewhere)).toMatchObject({ code: 0 });
  });

  it('shows what was sent and what came back, and no secret', async () => {
    const url = await listenForTest(async (request, response) => {
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
    const headers = ['--header-env', 'x-webhook-secret=SECRET', '--header-env', 'apikey=API_KEY'];
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

  it('sends a secret in the path, and does not show it', async () => {
    const folder = await temporaryFolder();
    const info = { 'x-countersign': 1 };
    const parcels = describeParcels({ secrets: ['seal'], inPath: true, info });
    await writeTree(folder, {
      'asyncapi.json': JSON.stringify(parcels),
      'own.json': JSON.stringify({
        contract: { asyncapi: 'asyncapi.json' },
        scope: '@parcels',
        output: 'generated',
        targets: ['contract'],
      }),
    });
    const paths: string[] = [];
    const url = await listenForTest((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(404, { location: request.url });
      response.end(`Cannot POST ${request.url ?? ''} ${decodeURI(request.url ?? '')}`);
    });
    const inPath = 'only for us';
    const run = async (to: string, ...more: readonly string[]): Promise<string> => {
      const configFlags = ['--config', join(folder, 'own.json')];
      const parameters = ['send', 'moved', '--to', to, '--append-label', ...configFlags, ...more];
      const { out, error } = await runInProcess(folder, parameters, {
        SECRET: inPath,
        WRONG: 'a/b',
      });
      return out + error;
    };
    const segment = encodeURIComponent(inPath);
    const shown = [
      await run(`${url}/hooks/`, '--path-secret-env', 'SECRET'),
      await run(`${url}/hooks`, '--path-secret-env', 'SECRET', '--json'),
      // The caller wrote it into the address.
      await run(`${url}/hooks/${segment}`),
    ];
    expect(paths).toEqual(Array(3).fill(`/hooks/${segment}/parcels`));
    for (const text of shown) {
      expect(text).toContain('[redacted]');
      expect(text).not.toContain(inPath);
      expect(text).not.toContain(segment);
    }
    expect(await run(url, '--path-secret-env', 'WRONG')).toContain('must be one segment of a path');
    expect(paths).toHaveLength(3);
    // A short segment is hardly a secret, and occurs in other text.
    expect(await run(`${url}/hooks/e`)).toContain('/[redacted]/e/parcels');
  });

  it('tells machines the same', async () => {
    const { url } = await receiveAll(503);
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
          handlers: [
            {
              handler: 'on.chargeOrChargeReversal',
              events: 1,
              why: 'One of charge, chargeReversal: without a label, nothing in the delivery tells which.',
            },
          ],
          openIdentity: { question: 'delivery-identity', assumed: 'every-delivery' },
          request: { method: 'POST', url: `${url}/`, bytes: expect.any(Number), signed: false },
          response: {
            status: 503,
            statusText: 'Service Unavailable',
            headers: {},
            body: '',
            cut: false,
            durationMs: expect.any(Number),
          },
        },
      ],
    });
  });

  it('sends what is different from the example', async () => {
    const { url, received } = await receiveAll();
    const path = ['--append-label', '--parameter', 'txid=a/b c', '--parameter', 'endToEndId=E1'];
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

  it('sends the digits of --data as they were given', async () => {
    const { url, received } = await receiveAll();
    const amount = '"amount":10000000000000000.01';
    const data = ['--data', `{"Pix":{${amount},"Interest":1.10}}`];
    await send(['cashoutStageTwo', '--to', `${url}/in`, ...data]);
    expect(received[0]?.text).toContain(amount);
    expect(received[0]?.text).toContain('"Interest":1.10');
  });

  it('leaves the path alone where nothing is said about the label, and where there is none', async () => {
    const { url, received } = await receiveAll();
    await send(['charge', '--to', `${url}/in?a=b`]);
    await send(['cashoutReversal', '--to', `${url}/in`, '--append-label']);
    expect(received.map((request) => request.url)).toEqual(['/in?a=b', '/in']);
  });

  it('goes to an address that is not this machine alone only where that is allowed', async () => {
    const { url, received } = await receiveAll();
    const everywhere = url.replace('127.0.0.1', '0.0.0.0');
    const refused = await send(['charge', '--to', everywhere]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('0.0.0.0 is not (only) this machine');
    expect(received).toEqual([]);
    expect(await send(['charge', '--to', everywhere, '--allow-remote'])).toMatchObject({ code: 0 });
    expect(received).toHaveLength(1);
  });

  it('asks no proxy that the environment names', async () => {
    const { url, received } = await receiveAll();
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
    expect(await run(parameters, { environment })).toMatchObject({ code: 0, error: '' });
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
    const { url, received } = await receiveAll();
    const parameters = ['send', 'lost', '--to', url, '--quiet'];
    const unset = await runInProcess(folder, parameters);
    expect(unset).toMatchObject({ code: 1, error: expect.stringContaining('WEBHOOK_SECRET') });
    const environment = { WEBHOOK_SECRET: 'key' };
    expect(await runInProcess(folder, parameters, environment)).toMatchObject({ code: 0 });
    expect(await runInProcess(folder, [...parameters, '--no-signature'])).toMatchObject({
      code: 0,
    });
    expect(received.map(({ headers }) => headers['x-signature'])).toEqual([
      expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      undefined,
    ]);
  });
});
