import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { receiveAll } from './listen.ts';
import type { Run } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';

const kindSchema = (kind: string, member: string): object => ({
  type: 'object',
  required: ['type', member],
  properties: {
    type: { const: kind },
    [member]: { type: 'integer' },
    note: { type: 'string', minLength: 1 },
  },
});

const webhook = (schema: object, more: object = {}): object => ({
  post: {
    ...more,
    requestBody: { content: { 'application/json': { schema } } },
    responses: { '200': { description: 'Handled.' } },
  },
});

const shop = (ofPaid: object): object => ({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  webhooks: {
    paid: webhook(kindSchema('paid', 'amount'), ofPaid),
    refunded: webhook(kindSchema('refunded', 'refund'), { security: [{ seal: [] }] }),
    named: webhook(
      {
        type: 'object',
        required: ['id', 'payer', 'code'],
        properties: {
          id: { type: 'string' },
          payer: {
            type: 'object',
            required: ['name', 'city'],
            properties: { name: { type: 'string' }, city: { type: 'string' } },
          },
          code: { const: 'abc' },
        },
      },
      {
        'x-dedupe-by': ['$request.body#/id'],
        'x-identified-by': { '$request.body#/code': { const: 'abc' } },
      },
    ),
    impossible: webhook({
      allOf: [{ type: 'string' }, { type: 'integer' }],
    }),
  },
  components: {
    securitySchemes: {
      seal: {
        type: 'apiKey',
        in: 'header',
        name: 'x-seal',
        'x-signature': {
          algorithm: 'hmac-sha256',
          key: { credential: 'secret', encoding: 'utf-8' },
          over: ['$request.body'],
          encoding: 'hex',
        },
      },
    },
  },
});

/** The lines that are warnings: progress is reported beside them. */
function warningsOf({ error }: Run): readonly string[] {
  return error.split('\n').filter((line) => line.startsWith('warning: '));
}

/** Sends with the contract of a shop. Its webhook `paid` is signed only if the caller says so. */
async function send(
  to: string,
  parameters: readonly string[],
  { isSigned = false, environment = {} } = {},
): Promise<Run> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.json': JSON.stringify(shop(isSigned ? { security: [{ seal: [] }] } : {})),
    'countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.json' },
      scope: '@shop',
      output: 'out',
      targets: ['contract'],
    }),
  });
  return await runInProcess(folder, ['send', ...parameters, '--to', to], environment);
}

describe('the body that is sent', () => {
  it('is a sample of the schema with --sample, and is called one', async () => {
    const { url, received } = await receiveAll();
    const none = await send(url, ['paid']);
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.error).toContain('paid has no example. Send a sample of its schema with --sample,');
    const sampled = await send(url, ['paid', '--sample']);
    expect(sampled.code).toBe(0);
    expect(warningsOf(sampled)).toEqual([]);
    expect(sampled.out).toMatch(/^sent {6}paid \(a sample of its schema\), \d+ bytes\n/u);
    const changed = ['paid', '--sample', '--data', '{"amount":7}', '--json'];
    const { out } = await send(url, changed);
    const [result] = (JSON.parse(out) as { readonly results: readonly object[] }).results;
    expect(result).toMatchObject({ event: 'paid', sample: true });
    expect(result).not.toHaveProperty('example');
    expect(received.map(({ body }) => body)).toEqual([
      { type: 'paid', amount: expect.any(Number), note: expect.any(String) },
      { type: 'paid', amount: 7, note: expect.any(String) },
    ]);
  });

  it('is a sample whose texts are told apart, so that none follows the identity of another', async () => {
    const { url, received } = await receiveAll();
    const named = await send(url, ['named', '--sample']);
    expect(named.code).toBe(0);
    expect(named.out).not.toContain('Changed with it');
    expect(received.map(({ body }) => body)).toEqual([
      { id: expect.any(String), payer: { name: 'payer-name', city: 'payer-city' }, code: 'abc' },
    ]);
    const [{ body } = { body: undefined }] = received;
    expect((body as { readonly id: string }).id).not.toBe('id');
  });

  it('has no sample where the schema has no value', async () => {
    const { url, received } = await receiveAll();
    const { code, error } = await send(url, ['impossible', '--sample']);
    expect(code).toBe(2);
    expect(error).toMatch(
      /No sample of impossible can be made from its schema: .+\. Give its body with --data\.$/mu,
    );
    expect(received).toEqual([]);
  });

  it('is sent with a warning if it is not valid, and the answer decides the exit code', async () => {
    for (const [status, code] of [
      [200, 0],
      [422, 1],
    ] as const) {
      const { url, received } = await receiveAll(status);
      const run = await send(url, ['paid', '--data', '{"type":"paid","amount":"1.50"}']);
      expect(run.code).toBe(code);
      expect(warningsOf(run)).toEqual([
        'warning: The body is not valid for paid: "/amount" must be an integer. The delivery is sent.',
      ]);
      expect(received).toHaveLength(1);
    }
  });

  it.each([
    ['of another kind', '{"type":"refunded","refund":1}', 'but those of refunded.'],
    ['of no kind', '{"type":"open","amount":1}', 'nor those of another kind.'],
    ['without its members', '{"id":1}', 'nor those of another kind.'],
  ])('is sent with a warning if it is %s', async (_, data, named) => {
    const { url, received } = await receiveAll();
    const run = await send(url, ['paid', '--data', data]);
    expect(run.code).toBe(0);
    const [invalid, otherwise] = warningsOf(run);
    expect(invalid).toContain('warning: The body is not valid for paid: ');
    expect(otherwise).toBe(
      `warning: The body does not have the members that identify paid, ${named} The delivery is sent.`,
    );
    expect(received.map(({ body }) => body)).toEqual([JSON.parse(data)]);
  });

  it('is described to machines without a text on standard error, and not at all with --quiet', async () => {
    const { url } = await receiveAll();
    const data = '{"type":"refunded","refund":1}';
    const told = await send(url, ['paid', '--data', data, '--json']);
    expect(told.error).toBe('');
    expect(JSON.parse(told.out)).toMatchObject({
      ok: true,
      results: [{ violations: expect.stringContaining('"amount"'), identifiedAs: ['refunded'] }],
    });
    expect(await send(url, ['paid', '--data', data, '--quiet'])).toEqual({
      code: 0,
      out: '',
      error: '',
    });
  });
});

describe('after a 401, the text', () => {
  const secret = 'hunter2-hunter2-hunter2';

  it.each<[string, readonly string[], boolean, string]>([
    ['the usual variable', ['--sign'], false, 'WEBHOOK_SECRET of this terminal'],
    ['the variable of --key-env', ['--key-env', 'SHOP_KEY'], true, 'SHOP_KEY of this terminal'],
    [
      'those of headers and of the path',
      ['--header-env', 'a=FIRST', '--header-env', 'b=SECOND', '--path-secret-env', 'THIRD'],
      false,
      'FIRST, SECOND, THIRD of this terminal',
    ],
  ])('names %s, and shows no secret', async (_, options, isSigned, named) => {
    const names = ['WEBHOOK_SECRET', 'SHOP_KEY', 'FIRST', 'SECOND', 'THIRD'];
    const environment = Object.fromEntries(names.map((name) => [name, secret]));
    const { url } = await receiveAll(401);
    const { code, out } = await send(url, ['paid', '--sample', ...options], {
      isSigned,
      environment,
    });
    expect(code).toBe(1);
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      `The receiver does not accept where the delivery comes from: compare ${named} with what the receiver expects.`,
    );
    expect(out).not.toContain('hunter2');
  });

  it('says that no option gives a secret', async () => {
    const { url } = await receiveAll(401);
    const { out } = await send(url, ['paid', '--sample', '--no-signature'], { isSigned: true });
    expect(out).toContain('no option gives it a secret. Sign it with --sign, or give');
    const forbidden = await receiveAll(403);
    expect((await send(forbidden.url, ['paid', '--sample'])).out).not.toContain(
      'gives it a secret',
    );
  });
});
