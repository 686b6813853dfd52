import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { listenForTest } from './listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { simulate, started } from '../simulate/simulating.ts';

const outer = `    outer:
      type: apiKey
      in: header
      name: X-Outer
      x-signature:
        algorithm: hmac-sha256
        key: { credential: outerKey, encoding: utf-8 }
        over: [$request.body]
        encoding: hex
`;

const contract = (security: string, contentType = 'application/json'): string => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
  order:
    post:
      security: ${security}
      requestBody:
        content:
          ${contentType}:
            schema: { type: object, properties: { id: { type: string }, price: { type: number }, seal: { type: string } } }
            example: { id: A1, seal: recorded }
      responses: { '200': { description: Done. } }
components:
  securitySchemes:
${security.includes('outer') ? outer : ''}    token: { type: http, scheme: bearer }
    seal:
      type: apiKey
      in: header
      name: none
      x-body-signature:
        algorithm: hmac-sha256
        key: { credential: sealKey, encoding: utf-8 }
        over: [/id, /price]
        separator: ':'
        encoding: hex
        signature: /seal
`;

async function createShop(security: string, contentType?: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.yaml': contract(security, contentType),
    'countersign.config.json':
      '{"contract":{"openapi":"openapi.yaml"},"output":"out","scope":"@shop","targets":["contract"]}',
    'node_modules/.keep': '',
  });
  return folder;
}

interface Sent {
  readonly body: string;
  readonly outer: string | undefined;
  readonly authorization: string | undefined;
}

async function listen(): Promise<{ readonly url: string; readonly sent: Sent[] }> {
  const sent: Sent[] = [];
  const url = await listenForTest(async (request, response) => {
    const outer = request.headers['x-outer'];
    const { authorization } = request.headers;
    sent.push({ body: await text(request), outer: [outer].flat()[0], authorization });
    response.writeHead(200).end();
  });
  return { url, sent };
}

const hmac = (key: string, value: string): string =>
  createHmac('sha256', key).update(value).digest('hex');

it('send writes the signature, and keeps the digits of numbers', async () => {
  const folder = await createShop('[{ seal: [] }]');
  const { url, sent } = await listen();
  const data = '{"price":1.10,"count":12345678901234567890}';
  const parameters = ['send', 'order', '--to', url, '--data', data, '--json'];
  const environment = { WEBHOOK_SECRET: 'the key' };
  const { code, out, error } = await runInProcess(folder, parameters, environment);
  expect(code, error).toBe(0);
  const seal = hmac('the key', 'A1:1.10');
  expect(sent.map(({ body }) => body)).toEqual([
    `{"id":"A1","seal":"${seal}","price":1.10,"count":12345678901234567890}`,
  ]);
  expect(out).toContain('"signed": true');
  expect(out).not.toContain('the key');
});

it('send makes a signature in a header over the signed body, with a key of its own', async () => {
  const folder = await createShop('[{ outer: [], seal: [] }]');
  const { url, sent } = await listen();
  const parameters = ['send', 'order', '--to', url];
  const missing = await runInProcess(folder, parameters, { WEBHOOK_SECRET: 'outer key' });
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.error).toContain('API_SHOP_SEAL_KEY is not set');
  const environment = { WEBHOOK_SECRET: 'outer key', API_SHOP_SEAL_KEY: 'seal key' };
  for (const flags of [[], ['--signature', 'seal'], ['--signature', 'outer']]) {
    const { code, error } = await runInProcess(folder, [...parameters, ...flags], environment);
    expect(code, error).toBe(0);
  }
  expect(sent).toHaveLength(3);
  const body = `{"id":"A1","seal":"${hmac('seal key', 'A1:')}"}`;
  for (const request of sent)
    expect(request).toMatchObject({ body, outer: hmac('outer key', body) });
});

it('send carries a secret beside the signature', async () => {
  const folder = await createShop('[{ token: [], seal: [] }, { outer: [] }]');
  const { url, sent } = await listen();
  const environment = { WEBHOOK_SECRET: 'the token', API_SHOP_SEAL_KEY: 'seal key' };
  const { code, error } = await runInProcess(folder, ['send', 'order', '--to', url], environment);
  expect(code, error).toBe(0);
  const body = `{"id":"A1","seal":"${hmac('seal key', 'A1:')}"}`;
  expect(sent).toEqual([{ body, outer: undefined, authorization: 'Bearer the token' }]);
});

it('send uses the first alternative with a signature', async () => {
  for (const [security, isInBody] of [
    ['[{ seal: [] }, { token: [] }, { outer: [] }]', true],
    ['[{ outer: [] }, { seal: [] }]', false],
  ] as const) {
    const folder = await createShop(security);
    const { url, sent } = await listen();
    const environment = { WEBHOOK_SECRET: 'the key' };
    const { code, error } = await runInProcess(folder, ['send', 'order', '--to', url], environment);
    expect(code, error).toBe(0);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body.includes('recorded')).toBe(!isInBody);
    expect(sent[0]?.outer === undefined).toBe(isInBody);
    expect(sent[0]?.authorization).toBeUndefined();
  }
});

it('send refuses what it cannot sign, and sends it without', async () => {
  const folder = await createShop('[{ seal: [] }]');
  const { url, sent } = await listen();
  const parameters = ['send', 'order', '--to', url, '--data', '{"id":"A:1"}'];
  const environment = { WEBHOOK_SECRET: 'the key' };
  const refused = await runInProcess(folder, parameters, environment);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.error).toMatch(/signature seal: \/id contains ":".*--no-signature/su);
  const form = await createShop('[{ seal: [] }]', 'application/x-www-form-urlencoded');
  const unsignable = await runInProcess(form, ['send', 'order', '--to', url], environment);
  expect(unsignable).toMatchObject({ code: 1 });
  expect(unsignable.error).toContain('it covers members of JSON');
  const mapped = await runInProcess(folder, [...parameters, '--public-url', '/api'], environment);
  expect(mapped.error).toContain('no signature covers the URL');
  expect(sent).toEqual([]);
  expect(await runInProcess(folder, [...parameters, '--no-signature'])).toMatchObject({ code: 0 });
  expect(sent.map(({ body }) => body)).toEqual(['{"id":"A:1","seal":"recorded"}']);
});

it('simulate signs with the key that it prints, and prints none of the environment', async () => {
  const folder = await createShop('[{ seal: [] }]');
  const { url, sent } = await listen();
  const flags = ['--json', '--to', url, '--no-append-label', '--deliveries', '1'];
  const made = simulate(folder, flags);
  const { credentials, variables } = await started(made);
  expect(await made.ended).toBe(0);
  const { WEBHOOK_SECRET: key = '' } = variables;
  expect(credentials).toEqual({ sealKey: key });
  const [first] = sent;
  const { id, seal } = JSON.parse(first?.body ?? '') as Readonly<Record<string, string>>;
  expect(seal).toBe(hmac(key, `${id}:`));

  const simulation = simulate(folder, flags, { WEBHOOK_SECRET: 'of the environment' });
  expect(await started(simulation)).toMatchObject({ credentials: {}, variables: {} });
  expect(await simulation.ended).toBe(0);
  expect(simulation.output()).not.toContain('of the environment');
  expect(sent[1]?.body).toContain(hmac('of the environment', `${id}:`));

  const named = simulate(folder, [...flags, '--credential-env', 'sealKey=SEAL'], { SEAL: 'named' });
  // Nothing is signed with a made key.
  expect(await started(named)).toMatchObject({ credentials: {}, variables: {} });
  expect(await named.ended).toBe(0);
  expect(sent[2]?.body).toContain(hmac('named', `${id}:`));
});
