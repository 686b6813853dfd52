import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@instant-payment/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSessions } from '../../../../packages/simulator/src/simulate/session.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { repository } from '../../../targets/emit-project.ts';
import { listenForTest, receiveAll } from '../send/listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import {
  callFerry,
  createFerryProject,
  obtainFerryToken,
  simulate,
  started,
} from './simulating.ts';

let ferry: string;

beforeAll(async () => {
  ferry = await createFerryProject();
});
afterAll(() => rm(ferry, { recursive: true }));

const config = ['--config', join(repository, 'countersign.config.ts')];

describe('countersign simulate', () => {
  it('explains itself', async () => {
    const { code, out } = await runInProcess(ferry, ['simulate', '--help']);
    expect(code).toBe(0);
    for (const text of ['--to <url>', '--workflow-file <file>', '--retry <name=number>'])
      expect(out).toContain(text);
  });

  it('prints its addresses and the lines for .env, and ends when it is interrupted', async () => {
    const simulation = simulate(ferry, ['--to', 'http://127.0.0.1:9/hooks']);
    const text = await simulation.says('WEBHOOK_SECRET=');
    expect(text).toMatch(/^Ferry 1\.0\.0, simulated\n\n {2}service +http:\/\/127\.0\.0\.1:\d+\n/mu);
    expect(text).toMatch(/\n {2}console +http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n/u);
    expect(text).toContain('  receiver  http://127.0.0.1:9/hooks\n');
    const members = ['BASE_URL', 'KEY', 'CLIENT_ID', 'CLIENT_SECRET', 'SECRET'];
    for (const name of members)
      expect(text).toMatch(new RegExp(`\\n {2}API_FERRY_${name}=\\S+\\n`, 'u'));
    expect(await simulation.end()).toBe(0);
  });

  it('keeps a session that only the user can read, while it runs', async () => {
    const simulation = simulate(ferry, ['--json']);
    const { url, credentials } = await started(simulation);
    const place = join(ferry, 'node_modules/.cache/countersign');
    const name = `simulator-session-${process.pid}.json`;
    expect((await stat(join(place, name))).mode & 0o777).toBe(0o600);
    expect(await findSessions(ferry)).toMatchObject([{ pid: process.pid }]);
    expect((await callFerry(url, '/sailings?date=2026-02-03', named(credentials))).status).toBe(
      401,
    );
    expect(await simulation.end()).toBe(0);
    expect(await readdir(place)).not.toContain(name);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('starts no console and keeps no session with --no-console', async () => {
    const simulation = simulate(ferry, ['--json', '--no-console']);
    expect(await started(simulation)).not.toHaveProperty('console');
    expect(await findSessions(ferry)).toEqual([]);
  });

  it('makes the same credentials of the same seed', async () => {
    const seeds = ['7', '7', '8'];
    const made = [];
    for (const seed of seeds) {
      const simulation = simulate(ferry, ['--json', '--seed', seed]);
      made.push((await started(simulation)).credentials);
      await simulation.end();
    }
    expect(made[1]).toEqual(made[0]);
    expect(made[2]).not.toEqual(made[0]);
  });

  it('shows no secret of the environment: not in its output, journal or exports', async () => {
    const environment = {
      THE_KEY: 'key-of-the-caller/+1',
      THE_SECRET: 'signing secret & more=1',
      THE_ID: 'client-of-the-bank',
      THE_CLIENT_SECRET: 'client secret + "quoted" ü',
      THE_HOOK: 'webhook-signing-key',
      THE_HEADER: 'shared-header-secret',
      THE_PATH: 'a secret segment',
    };
    const credentials = {
      key: environment.THE_KEY,
      secret: environment.THE_SECRET,
      clientId: environment.THE_ID,
      clientSecret: environment.THE_CLIENT_SECRET,
    };
    // A receiver that returns everything that it gets.
    const to = await listenForTest((request, response) => {
      response.setHeader('x-echo', String(request.headers['x-shared']));
      response.write(JSON.stringify([request.url, request.headers]));
      request.pipe(response);
    });
    const journal = join(await temporaryFolder(), 'journal.db');
    const credentialArguments = [
      'key=THE_KEY',
      'secret=THE_SECRET',
      'clientId=THE_ID',
      'clientSecret=THE_CLIENT_SECRET',
    ];
    const simulation = simulate(
      ferry,
      [
        '--to',
        `${to}/hooks`,
        '--journal',
        journal,
        '--header-env',
        'x-shared=THE_HEADER',
        '--path-secret-env',
        'THE_PATH',
        '--key-env',
        'THE_HOOK',
        ...credentialArguments.flatMap((credential) => ['--credential-env', credential]),
      ],
      environment,
    );
    await simulation.says('# THE_HEADER: already set');
    const [, url = ''] = /service +(\S+)/u.exec(simulation.output()) ?? [];
    const token = await obtainFerryToken(url, credentials);
    expect(token).toMatch(/^simulated-token-/u);
    const sailings = '/sailings?date=2026-02-03';
    const answer = await callFerry(url, sailings, credentials, { token });
    expect(answer.status).toBe(200);
    // Refused calls, too: a wrong signature, and secrets at other places.
    await callFerry(url, sailings, { ...credentials, secret: 'wrong' }, { token });
    const query = new URLSearchParams({ date: environment.THE_CLIENT_SECRET, port: token });
    await callFerry(url, `/sailings?${query.toString()}`, credentials, { token });
    await callFerry(url, '/token', credentials, {
      body: new URLSearchParams({ client_secret: environment.THE_CLIENT_SECRET }).toString(),
    });
    const sent = await runInProcess(ferry, ['send', 'bookingConfirmed']);
    expect(sent).toMatchObject({ code: 0 });
    const [session] = await findSessions(ferry);
    const read = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${session?.token ?? ''}` };
      const response = await fetch(new URL(path, session?.console), { headers });
      expect(response.status).toBe(200);
      return await response.text();
    };
    const har = await read('api/export.har');
    const entries = await read('api/entries');
    const texts = [har, entries, await read('api/export.jsonl'), await read('api/state')];
    for (const id of [1, 2, 6]) texts.push(await read(`api/entries/${id}/curl`));
    expect(JSON.parse(har)).toMatchObject({ log: { entries: { length: 6 } } });
    expect(entries).toContain('client_id=[redacted]&client_secret=[redacted]');
    await simulation.end();
    texts.push(simulation.output(), sent.out, sent.error);
    for (const name of await readdir(join(journal, '..')))
      texts.push(await readFile(join(journal, '..', name), 'latin1'));
    expect(texts.length).toBeGreaterThan(10);
    for (const secret of [...Object.values(environment), token])
      for (const form of [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams([['', secret]]).toString().slice(1),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('latin1'),
      ])
        expect(texts.map((text) => text.includes(form))).not.toContain(true);
  });

  it.each([
    [['--port', '70000'], '--port requires a whole number from 0 to 65535'],
    [['--seed', 'seven'], '--seed requires a whole number'],
    [['--public-url', 'example.com'], '(`--public-url`) must be an address'],
    [['--no-signature', '--public-url', '/api'], '(`--public-url`) has no effect'],
    [['--deliveries', '0'], '--deliveries requires a whole number from 1'],
    [['--deliveries', '4'], '--deliveries requires a receiver'],
    [['--proceed'], '--proceed is for workflows'],
    [['--junit', 'report.xml'], '--junit is for workflows'],
    [['--input', 'a=b'], '--input is for workflows'],
    [['--fault', 'duplicate=2'], '--fault requires a rate from 0 to 1'],
    [['--fault', 'duplicates'], 'duplicate'],
    [['--retry', 'attempts=0'], '--retry attempts requires a whole number from 1'],
    [['--retry', 'attempts=1.5'], '--retry attempts requires a whole number'],
    [['--retry', 'firstDelayMs=soon'], '--retry firstDelayMs requires a number from 0'],
    [['--retry', 'factor='], '--retry factor requires a number from 1'],
    [['--retry', 'jitter=2'], '--retry jitter requires a number from 0 to 1'],
    [['--retry', 'firstDelay=1'], 'Did you mean "firstDelayMs"?'],
    [['--to', 'not an address'], '--to'],
    [['--answer', 'key-encoding=rot13'], 'key-encoding'],
    [['--answer', 'unknown=rot13'], 'unknown'],
    [['--credential-env', 'key=UNSET_VARIABLE'], 'UNSET_VARIABLE'],
    [['--workflow', 'unknown'], 'unknown'],
    [['--signature', 'unknown'], 'unknown'],
    [['--unknown'], '--unknown'],
  ])('refuses %j', async (parameters, message) => {
    const simulation = simulate(ferry, parameters);
    const code = await simulation.ended;
    expect({ code, text: simulation.output() }).toMatchObject({
      code: message === 'UNSET_VARIABLE' ? 1 : 2,
      text: expect.stringContaining(message),
    });
  });

  it('reports a port that is in use', async () => {
    const { url } = await receiveAll();
    const simulation = simulate(ferry, ['--port', new URL(url).port]);
    expect(await simulation.ended).toBe(1);
    expect(simulation.output()).toContain(`The port ${new URL(url).port} is in use`);
  });

  it('sends to other machines only if that is allowed', async () => {
    const parameters = ['--to', 'http://0.0.0.0:9', '--deliveries', '1'];
    const simulation = simulate(ferry, parameters);
    expect(await simulation.ended).toBe(1);
    expect(simulation.output()).toContain('0.0.0.0');
  });

  it('shows what is wrong with a contract', async () => {
    const overlay = join(await temporaryFolder(), 'broken.yaml');
    const action = '{ target: $.paths, update: { /broken: { get: { responses: 3 } } } }';
    await writeFile(
      overlay,
      `overlay: 1.0.0\ninfo: { title: Broken, version: 1.0.0 }\nextends: ${join(ferry, 'openapi.yaml')}\nactions: [${action}]\n`,
    );
    const simulation = simulate(ferry, ['--overlay', overlay]);
    expect(await simulation.ended).toBe(1);
    expect(simulation.output()).toContain('/broken');
    expect(simulation.output()).toContain('The contract has errors.');
  });

  it.each([
    [204, 0, '4 of 4 deliveries acknowledged'],
    [500, 1, '0 of 4 deliveries acknowledged'],
  ])('exits after --deliveries: all are answered with %i', async (status, code, text) => {
    const { url, received } = await receiveAll(status);
    const parameters = ['--to', url, '--deliveries', '4', '--retry', 'firstDelayMs=1'];
    const simulation = simulate(ferry, parameters);
    expect(await simulation.ended).toBe(code);
    expect(simulation.output()).toContain(text);
    expect(received).toHaveLength(status === 500 ? 12 : 4);
  });

  it('reports at once that every delivery is refused, and ends', async () => {
    const { url, received } = await receiveAll(401);
    const simulation = simulate(ferry, ['--to', url, '--deliveries', '30']);
    await simulation.says('The first 10 deliveries were all refused: status 401 × 10.');
    expect(simulation.output()).not.toContain('acknowledged');
    expect(await simulation.ended).toBe(1);
    expect(simulation.output()).toContain('0 of 30 deliveries acknowledged');
    expect(received.length).toBeLessThanOrEqual(90);
  });

  it('can be interrupted while deliveries wait for another attempt', async () => {
    const { url } = await receiveAll(503);
    const simulation = simulate(ferry, ['--to', url, '--deliveries', '1']);
    await simulation.says('again in');
    expect(await simulation.end()).toBe(1);
    expect(await findSessions(ferry)).toEqual([]);
  });

  it('keeps its journal across a restart', async () => {
    const { url } = await receiveAll();
    const journal = join(await temporaryFolder(), 'journal.db');
    const parameters = ['--to', url, '--journal', journal];
    const first = simulate(ferry, [...parameters, '--deliveries', '5']);
    expect(await first.ended).toBe(0);
    const second = simulate(ferry, ['--json', ...parameters]);
    await started(second);
    expect(await runInProcess(ferry, ['send', 'seatsChanged'])).toMatchObject({ code: 0 });
    const [session] = await findSessions(ferry);
    const headers = { authorization: `Bearer ${session?.token ?? ''}` };
    const response = await fetch(new URL('api/export.jsonl', session?.console), { headers });
    const lines = (await response.text()).trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[5] ?? '')).toMatchObject({ id: 6, kind: 'seatsChanged' });
  });

  it('reads variables from a file, and prefers those of the process', async () => {
    const file = join(await temporaryFolder(), '.env');
    await writeFile(file, 'WEBHOOK_SECRET="from the file"\nOWN_KEY=key-from-the-file\n');
    const parameters = ['--json', '--dotenv', file, '--credential-env', 'key=OWN_KEY'];
    const simulation = simulate(ferry, parameters, { OWN_KEY: 'key-of-the-process' });
    const { url, credentials, variables } = await started(simulation);
    expect(credentials).not.toHaveProperty('key');
    expect(variables).toEqual({});
    const credentialsByName = named({ ...credentials, key: 'key-of-the-process' });
    expect(await obtainFerryToken(url, credentialsByName)).toMatch(/^simulated-token-/u);
    await simulation.end();
    const absent = simulate(ferry, ['--json', '--dotenv', `${file}.absent`]);
    expect((await started(absent)).variables).toHaveProperty('WEBHOOK_SECRET');
  });
});

describe('countersign simulate --workflow', () => {
  it('runs a workflow beside the calls of an integrator, and reports it', async () => {
    const { url: to, received } = await receiveAll();
    const junit = join(await temporaryFolder(), 'report.xml');
    const parameters = ['--to', to, '--workflow', 'book', '--junit', junit, '--seed', '7'];
    const made = simulate(ferry, ['--json', '--seed', '7']);
    const { credentials } = await started(made);
    await made.end();
    const simulation = simulate(ferry, parameters);
    await simulation.says('waiting');
    const [, url = ''] = /service +(\S+)/u.exec(simulation.output()) ?? [];
    const credentialsByName = named(credentials);
    const token = await obtainFerryToken(url, credentialsByName);
    const refused = await callFerry(url, '/bookings', credentialsByName, {
      token,
      body: 'sailing=S1',
    });
    expect(refused.status).toBe(400);
    await simulation.end();
    expect(await simulation.ended).toBe(1);
    expect(received).toEqual([]);
    expect(await readFile(junit, 'utf8')).toMatch(/<testsuites? [^>]*failures="1"/u);
  });

  it('continues after undescribed steps: with --proceed, or when the user presses Enter', async () => {
    const { url, received } = await receiveAll();
    const junit = join(await temporaryFolder(), 'report.xml');
    const parameters = ['--to', url, '--workflow', 'cashout', '--workflow', 'charge', ...config];
    const automatic = simulate(repository, [...parameters, '--proceed', '--junit', junit]);
    expect(await automatic.ended).toBe(0);
    expect(automatic.output()).toContain('2 of 2 workflows passed');
    expect(await readFile(junit, 'utf8')).toMatch(/failures="0"/u);
    expect(received).toHaveLength(3);
    const prompts: string[] = [];
    const asked = simulate(repository, parameters, {}, async (prompt) => {
      prompts.push(prompt);
      return await Promise.resolve('');
    });
    expect(await asked.ended).toBe(0);
    expect(prompts).toHaveLength(3);
    expect(received).toHaveLength(6);
  });

  it('ends at an undescribed step that no terminal, console or --proceed can continue', async () => {
    const { url } = await receiveAll();
    const parameters = ['--to', url, '--workflow', 'charge', '--no-console', ...config];
    const simulation = simulate(repository, parameters);
    expect(await simulation.ended).toBe(2);
    expect(simulation.output()).toMatch(
      /The step "note-1" of the workflow "charge" waits .* Pass --proceed/u,
    );
  });

  it('waits at an undescribed step that the console can continue', async () => {
    const { url } = await receiveAll();
    const simulation = simulate(repository, ['--to', url, '--workflow', 'charge', ...config]);
    await simulation.says('waiting');
    expect(await simulation.end()).toBe(1);
    expect(simulation.output()).not.toContain('--proceed');
  });

  it('runs a workflow of another document, with the operations of an overlay', async () => {
    const keys: string[] = [];
    const stages: unknown[] = [];
    let confirm: (() => Promise<unknown>) | undefined;
    const to = await listenForTest((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { Pix } = JSON.parse(Buffer.concat(chunks).toString()) as {
          readonly Pix: { readonly Status: number; readonly confirmationKey: string };
        };
        stages.push(Pix.Status);
        keys.push(Pix.confirmationKey);
        response.end(() => void confirm?.());
      });
    });
    const simulation = simulate(repository, [
      '--to',
      to,
      '--seed',
      '7',
      '--workflow',
      'cashoutExample',
      ...config,
      '--overlay',
      'spec/overlays/example-cashout.yaml',
      '--workflow-file',
      'spec/workflows/example-cashout.yaml',
    ]);
    await simulation.says('waiting');
    const values = new Map(
      Array.from(simulation.output().matchAll(/^ {2}([A-Z_]+)=(\S+)$/gmu), ([, name, value]) => [
        name,
        value ?? '',
      ]),
    );
    const client = createClient({
      baseUrl: values.get('API_INSTANT_PAYMENT_SERVICE_BASE_URL') ?? '',
      credentials: {
        apiKey: values.get('API_INSTANT_PAYMENT_SERVICE_API_KEY') ?? '',
        clientId: values.get('API_INSTANT_PAYMENT_SERVICE_CLIENT_ID') ?? '',
        clientSecret: values.get('API_INSTANT_PAYMENT_SERVICE_CLIENT_SECRET') ?? '',
        signingSecret: values.get('API_INSTANT_PAYMENT_SERVICE_SIGNING_SECRET') ?? '',
      },
    });
    const txid = 'EXAMPLETXID000000000000042';
    confirm = async () => {
      confirm = undefined;
      await client.request('POST', '/cashout/confirm', { body: { confirmationKey: keys[0] } });
    };
    await client.request('POST', '/cashout', {
      body: { txid, receiverPixKey: 'receiver@person.example', amount: 250.75 },
    });
    expect({ code: await simulation.ended, text: simulation.output() }).toMatchObject({
      code: 0,
      text: expect.stringContaining('1 of 1 workflow passed'),
    });
    expect(stages).toEqual([99, 1]);
    expect(keys[1]).toBe(keys[0]);
  });
});

/** Returns credentials under their names in the contract of ferries. */
function named({
  key = '',
  secret = '',
  clientId = '',
  clientSecret = '',
}: Readonly<Record<string, string>>): Parameters<typeof obtainFerryToken>[1] {
  return { key, secret, clientId, clientSecret };
}
