import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Json } from '../../generator/json.ts';
import { apikey, secret, signingKey, type Sent, type Workbench } from './workbench.ts';

/** A behaviour that a receiver has behind every adapter; throws where it has not. */
export interface Rule {
  readonly name: string;
  /** Whether it can be told only where the platform shows the path as it was sent. */
  readonly needsPath?: boolean;
  readonly run: (bench: Workbench) => Promise<void>;
}

const charge = {
  Pix: {
    endToEndId: 'E1',
    txid: 'T1',
    chave: 'key@example',
    Status: 1,
    OperationType: 0,
    payer: {
      name: 'Example Payer',
      document: '99999999999',
      ispb: '99999999',
      agency: '0001',
      accountNumber: '000001',
      accountType: 'EXAMPLE',
    },
  },
};
const { payer: _, ...withoutPayer } = charge.Pix;
const chargePath = '/v1/apm/pix/charges';
const text = JSON.stringify(charge);

function example(bench: Workbench, kind: string, name: string): Json {
  const notification = bench.imported.contract.notifications.find((one) => one.name === kind);
  const found = notification?.examples.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no example ${name} of ${kind}`);
  return found.value;
}

/** One delivery to a fresh receiver: its status, and what the record says. */
async function once(bench: Workbench, sent: Sent, options: Record<string, unknown> = {}) {
  await using running = await bench.start(options);
  const answer = await running.send(sent);
  return { ...answer, ...running, record: running.records[0] };
}

function bySignature(bench: Workbench, more: object = {}): Record<string, unknown> {
  const authenticate = bench.imported.main.verifySignature({
    keys: [signingKey],
    headers: { apikey },
    ...more,
  });
  return { authenticate };
}

/** Sends that end in one status, with nothing handed to a handler. */
function refused(
  name: string,
  status: number,
  sends: readonly (readonly [string, Sent])[],
  options: (bench: Workbench) => Record<string, unknown> = () => ({}),
): readonly Rule[] {
  return sends.map(([what, sent]) => ({
    name: `${name}: ${what} is answered with ${status}`,
    async run(bench) {
      const result = await once(bench, { path: chargePath, body: text, ...sent }, options(bench));
      expect(result.status).toBe(status);
      expect(result.events).toEqual([]);
    },
  }));
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
const latin1 = Buffer.from(text.replace('Example Payer', 'Jos\u00e9'), 'latin1');
const amount = (literal: string): string =>
  text.replace('"OperationType":0', `"OperationType":0,"extra":${literal}`);
const signature = 'x-hmac-signature';

const bodies = refused('the body', 400, [
  ['with a key twice', { body: text.replace('"Status":1', '"Status":1,"Status":2') }],
  [
    'with a key twice, once escaped',
    { body: text.replace('"Status":1', String.raw`"Status":1,"\u0053tatus":2`) },
  ],
  ['with __proto__', { body: text.replace('"Status":1', '"Status":1,"__proto__":{"polluted":1}') }],
  [
    'with an escaped __proto__',
    { body: text.replace('"Status":1', String.raw`"Status":1,"__pro\u0074o__":{}`) },
  ],
  [
    'with constructor.prototype',
    { body: text.replace('"Status":1', '"Status":1,"constructor":{"prototype":{}}') },
  ],
  ['30,000 levels deep', { body: nested(30_000) }],
  ['that is empty', { body: '' }],
  ['that is no JSON', { body: '{"Pix":' }],
  ['in UTF-16', { body: utf16 }],
  ['in Latin-1', { body: latin1 }],
  [
    'with invalid UTF-8',
    { body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]) },
  ],
  ['with a byte order mark', { body: `\uFEFF${text}` }],
  ['with 1e400', { body: amount('1e400') }],
  ['with 9007199254740993', { body: amount('9007199254740993') }],
  ['with more digits than a double has', { body: amount('0.12345678901234567890') }],
]);

const heads = [
  ...refused('the method', 405, [
    ['GET', { method: 'GET', body: '' }],
    ['PATCH', { method: 'PATCH' }],
    ['DELETE', { method: 'DELETE' }],
  ]),
  ...refused('the encoding', 415, [
    ['gzip', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(1_000_000)) }],
    ['identity and br', { headers: { 'content-encoding': 'identity, br' } }],
  ]),
  ...refused('the size', 413, [
    ['20 MB', { body: Buffer.alloc(20_000_000, ' ') }],
    ['1 MB and a byte, of unknown length', { body: Buffer.alloc(1_048_577, ' '), unending: true }],
  ]),
  ...refused('the time', 408, [['a body without an end', { unending: true }]], () => ({
    readTimeLimit: 100,
  })),
];

const paths: readonly Rule[] = [
  ...refused('the path', 404, [
    ['with //', { path: `/hook/${chargePath}` }],
    ['with ..;/', { path: `/hook/..;${chargePath}` }],
    ['with an encoded slash', { path: `/hook%2f..${chargePath}` }],
    ['with a dot encoded twice', { path: `/hook/%252e%252e${chargePath}` }],
    ['with an encoding that is none', { path: `/hook/%zz${chargePath}` }],
  ]),
  {
    name: 'the path: encoded dots match no label',
    needsPath: true,
    async run(bench) {
      for (const dots of ['%2e%2e', '%2E%2E', '..', '%2e.', '.']) {
        const { status, events } = await once(bench, {
          path: `/hook/${dots}${chargePath}`,
          body: text,
        });
        expect([dots, status, events]).toEqual([dots, 404, []]);
      }
    },
  },
];

const unauthentic: readonly (readonly [string, Sent])[] = [
  [
    're-serialised with a space more',
    { sign: true, signedBody: text, body: JSON.stringify(charge, null, 1) },
  ],
  ['without signature', {}],
  ['with an empty signature', { sign: () => ({ [signature]: '' }) }],
  ['with a short signature', { sign: () => ({ [signature]: 'AAAA' }) }],
  [
    'with half a signature',
    {
      sign: (all) => ({
        [signature]: Buffer.from(all[signature] ?? '', 'base64')
          .subarray(0, 16)
          .toString('base64'),
      }),
    },
  ],
  [
    'with hexadecimal digits for Base64',
    {
      sign: (all) => ({ [signature]: Buffer.from(all[signature] ?? '', 'base64').toString('hex') }),
    },
  ],
  [
    'with a signature twice',
    { sign: (all) => ({ [signature]: [all[signature], all[signature]] }) },
  ],
  [
    'with a thousand candidates',
    { sign: (all) => ({ [signature]: `${'A'.repeat(8)},`.repeat(1000) + (all[signature] ?? '') }) },
  ],
  ['without timestamp', { sign: () => ({ 'x-timestamp': undefined }) }],
  ['with a timestamp of 1e9', { sign: () => ({ 'x-timestamp': '1e9' }) }],
  [
    'with a timestamp of another time',
    { sign: () => ({ 'x-timestamp': new Date(Date.now() + 5000).toISOString() }) },
  ],
  ['with another API key', { sign: true, headers: { apikey: 'another' } }],
  ['signed for another path', { sign: true, signedPath: '/v1/apm/pix' }],
];

const authentication: readonly Rule[] = [
  ...refused('a delivery', 401, unauthentic, bySignature),
  ...refused('a delivery from the past', 401, [['signed', { sign: true }]], (bench) =>
    bySignature(bench, { clock: () => Date.now() + 301_000 }),
  ),
  ...refused('a delivery from the future', 401, [['signed', { sign: true }]], (bench) =>
    bySignature(bench, { clock: () => Date.now() - 301_000 }),
  ),
  ...refused('a secret', 401, [
    ['that is wrong', { headers: { 'x-secret': `${secret}x` } }],
    ['that is missing', { headers: { 'x-secret': [] } }],
    ['that is there twice', { headers: { 'x-secret': [secret, secret] } }],
  ]),
  {
    name: 'a signed delivery is handled, whatever the case of its header names',
    async run(bench) {
      const sent: Sent = {
        path: chargePath,
        body: text,
        sign: (all) => ({ [signature]: undefined, [signature.toUpperCase()]: all[signature] }),
      };
      const { status, events } = await once(bench, sent, bySignature(bench));
      expect([status, events.map(({ kind }) => kind)]).toEqual([200, ['charge']]);
    },
  },
  {
    name: 'a delivery that is not authentic gets the same answer, whatever the reason',
    async run(bench) {
      const answers = new Set<string>();
      for (const [, sent] of unauthentic) {
        const { status, text: body } = await once(
          bench,
          { path: chargePath, body: text, ...sent },
          bySignature(bench),
        );
        answers.add(`${status} ${body}`);
      }
      expect([...answers]).toEqual(['401 {"error":"unauthentic"}']);
    },
  },
  {
    name: 'a secret in path or query authenticates',
    async run(bench) {
      const { sharedSecret } = bench.imported.main;
      for (const [place, path] of [
        [{ path: true }, `/hook/${secret}${chargePath}`],
        [{ query: 'key' }, `${chargePath}?key=${secret}`],
      ] as const) {
        const options = { authenticate: sharedSecret(place, secret) };
        expect((await once(bench, { path, body: text }, options)).status).toBe(200);
        const wrong = path.replace(secret, secret.slice(1));
        expect((await once(bench, { path: wrong, body: text }, options)).status).toBe(401);
      }
    },
  },
  {
    name: 'an authentication that throws is answered with 500',
    async run(bench) {
      const authenticate = (): never => {
        throw new Error('The directory is down.');
      };
      const { status, events } = await once(
        bench,
        { path: chargePath, body: text },
        { authenticate },
      );
      expect([status, events]).toEqual([500, []]);
    },
  },
];

const invalid: readonly Rule[] = [
  ['a cash-out at the label of charges', chargePath, 'cashoutSettled', 'completed', 'other-kind'],
  [
    'an array of cash-outs at the label of charges',
    chargePath,
    'cashoutSettled',
    'array',
    'schema',
  ],
  ['a customer at the label of cash-outs', '/v2/apm/pix/cashout', 'customer', 'done', 'other-kind'],
  [
    'a charge with a payer at the label of reversals',
    '/v1/apm/pix/E1/reverse/T1',
    'charge',
    'with-payer',
    'other-kind',
  ],
].map(([what = '', path, kind = '', name = '', reason]) => ({
  name: `${what} is refused with 422, and told to onInvalid`,
  async run(bench) {
    const body = JSON.stringify(example(bench, kind, name));
    const result = await once(bench, { ...(path === undefined ? {} : { path }), body });
    expect([result.status, result.events, result.invalid.map((one) => one.reason)]).toEqual([
      422,
      [],
      [reason],
    ]);
  },
}));

const contractRules: readonly Rule[] = [
  {
    name: 'every example at its label is an event of its kind, behind any mount path',
    async run(bench) {
      for (const { name, label, method = 'POST', examples } of bench.imported.contract
        .notifications) {
        if (label === undefined) continue;
        for (const { value } of examples) {
          for (const mount of ['', '/some/hook']) {
            const path = mount + label.path.replaceAll(/[{}]/g, '');
            const { status, events } = await once(bench, {
              method,
              path,
              body: JSON.stringify(value),
            });
            expect(status).toBe(200);
            for (const event of events) {
              if (event.ambiguous) expect(event.kinds).toContain(name);
              else expect(event.kind).toBe(name);
            }
            expect(events.length).toBe(elementsOf(value).length);
            const parameters = Object.keys(events[0]?.parameters ?? {});
            expect(parameters.toSorted()).toEqual(
              label.parameters.map((one) => one.name).toSorted(),
            );
          }
        }
      }
    },
  },
  {
    name: 'every example without a label is its kind, or says what else it can be',
    async run(bench) {
      for (const { name, examples, ambiguousWith } of bench.imported.contract.notifications) {
        for (const { value } of examples) {
          const { status, events } = await once(bench, { body: JSON.stringify(value) });
          expect(status).toBe(200);
          expect(events.length).toBe(elementsOf(value).length);
          for (const event of events) {
            const kinds = event.ambiguous ? (event.kinds ?? []) : [event.kind];
            expect(kinds).toContain(name);
            for (const kind of kinds) expect([name, ...ambiguousWith]).toContain(kind);
          }
        }
      }
    },
  },
  {
    name: 'every invalid example is refused at its label, for the reason that the contract gives',
    async run(bench) {
      for (const { label, method = 'POST', invalidExamples } of bench.imported.contract
        .notifications) {
        for (const { value, violates } of invalidExamples) {
          if (label === undefined) continue;
          const path = label.path.replaceAll(/[{}]/g, '');
          const result = await once(bench, { method, path, body: JSON.stringify(value) });
          expect([result.status, result.events]).toEqual([422, []]);
          const places = result.invalid.flatMap(({ violations }) =>
            violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`),
          );
          expect(places).toContain(`${violates.at} ${violates.keyword}`);
        }
      }
    },
  },
  {
    name: 'both forms of a cash-out are one event, with what the contract does not list',
    async run(bench) {
      const canonical = example(bench, 'cashoutSettled', 'completed') as {
        Pix: Record<string, Json>;
      };
      const { Status, OperationType, ...others } = canonical.Pix;
      const array = {
        pix: [{ ...others, status: Status, operationType: OperationType, later: 'x' }],
        root: 1,
      };
      const { status, events } = await once(bench, { body: JSON.stringify(array) });
      expect([status, events.map(({ form }) => form)]).toEqual([200, ['array']]);
      expect(events[0]?.data).toEqual({ root: 1, Pix: { ...canonical.Pix, later: 'x' } });
    },
  },
  {
    name: 'an element under both names, and a body in both forms, are refused',
    async run(bench) {
      const array = example(bench, 'cashoutSettled', 'array') as { pix: Record<string, Json>[] };
      const [first = {}] = array.pix;
      for (const body of [
        { pix: [{ ...first, Status: 1 }] },
        { ...array, ...(example(bench, 'cashoutSettled', 'completed') as object) },
      ]) {
        const result = await once(bench, {
          path: '/v2/apm/pix/cashout',
          body: JSON.stringify(body),
        });
        expect([result.status, result.invalid.map(({ reason }) => reason)]).toEqual([
          422,
          ['form'],
        ]);
      }
    },
  },
  {
    name: 'an empty array is acknowledged, and nothing comes of it',
    async run(bench) {
      const { status, events, record } = await once(bench, { body: '{"pix":[]}' });
      expect([status, events, record?.reason]).toEqual([200, [], 'handled']);
    },
  },
  {
    name: 'a status that no list has arrives as it is, and stages in any order',
    async run(bench) {
      await using running = await bench.start();
      for (const [kind, name] of [
        ['cashoutSettled', 'completed'],
        ['cashoutValidated', 'awaiting-confirmation'],
        ['charge', 'unlisted-status'],
      ] as const)
        expect(
          (await running.send({ body: JSON.stringify(example(bench, kind, name)) })).status,
        ).toBe(200);
      expect(running.events.map(({ kind }) => kind).slice(0, 2)).toEqual([
        'cashoutSettled',
        'cashoutValidated',
      ]);
      expect(running.events[2]?.data).toEqual(example(bench, 'charge', 'unlisted-status'));
    },
  },
  {
    name: 'what is of no kind goes to otherwise',
    async run(bench) {
      const { status, events, record } = await once(bench, { body: '{"news":1}' });
      expect([status, record?.reason]).toEqual([200, 'unidentified']);
      expect(events.map(({ kind, data }) => [kind, data])).toEqual([[null, { news: 1 }]]);
    },
  },
  {
    name: 'the bytes decide, whatever the content type says',
    async run(bench) {
      for (const type of [
        [],
        'text/plain',
        'application/json; charset=utf-16',
        'application/x-www-form-urlencoded',
      ]) {
        const { status } = await once(bench, {
          path: chargePath,
          body: text,
          headers: { 'content-type': type },
        });
        expect(status).toBe(200);
      }
    },
  },
  {
    name: 'a decimal arrives as it is, and a number that no double holds as text where that is asked for',
    async run(bench) {
      const exact = await once(bench, {
        path: chargePath,
        body: amount('[19.99,1E2,-0.5,123456789012345.6]'),
      });
      expect([exact.status, exact.events.length]).toEqual([200, 1]);
      const inexact = await once(
        bench,
        { path: chargePath, body: amount('[19.99,9007199254740993]') },
        { numbers: 'text' },
      );
      expect(inexact.events[0]?.data).toMatchObject({
        Pix: { extra: [19.99, '9007199254740993'] },
      });
      expect((await once(bench, { body: amount('1e400') }, { numbers: 'text' })).status).toBe(400);
    },
  },
  {
    name: 'with a mount path, a label has to follow it',
    async run(bench) {
      const body = JSON.stringify({ Pix: withoutPayer });
      const kinds: unknown[] = [];
      for (const path of [`/hook${chargePath}`, `/hook/more${chargePath}`, '/hook'])
        kinds.push((await once(bench, { path, body }, { mount: '/hook' })).events[0]?.kind);
      expect(kinds).toEqual(['charge', 'chargeOrChargeReversal', 'chargeOrChargeReversal']);
    },
  },
];

function elementsOf(value: Json): readonly Json[] {
  const array = (value as Readonly<Record<string, Json>>)['pix'];
  return Array.isArray(array) ? (array as readonly Json[]) : [value];
}

const delivery: readonly Rule[] = [
  {
    name: 'the same delivery again is acknowledged and not handled again, whatever unsigned headers say',
    async run(bench) {
      await using running = await bench.start();
      const sent = { path: chargePath, body: text };
      const statuses: number[] = [];
      for (const id of ['1', '2', '3'])
        statuses.push((await running.send({ ...sent, headers: { 'x-request-id': id } })).status);
      expect([statuses, running.events.length]).toEqual([[200, 200, 200], 1]);
      expect(running.records.map(({ reason }) => reason)).toEqual([
        'handled',
        'duplicate',
        'duplicate',
      ]);
    },
  },
  {
    name: 'a delivery that failed is handled when it comes again',
    async run(bench) {
      let runs = 0;
      await using running = await bench.start({
        otherwise: {
          rest: () => {
            runs++;
            if (runs === 1) throw new Error('The account 99999999999 is not there.');
          },
        },
      });
      const first = await running.send({ path: chargePath, body: text });
      const second = await running.send({ path: chargePath, body: text });
      expect([first.status, second.status, runs]).toEqual([500, 200, 2]);
      expect(first.text).toBe('{"error":"handler-failed"}');
    },
  },
  {
    name: 'events of one delivery succeed or fail together',
    async run(bench) {
      const handled: string[] = [];
      let fails = true;
      await using running = await bench.start({
        otherwise: {
          rest: ({ data }: { data: { Pix: { txid: string } } }) => {
            handled.push(data.Pix.txid.slice(-2));
            if (handled.length === 2 && fails) throw new Error('no');
          },
        },
      });
      const body = JSON.stringify(example(bench, 'cashoutSettled', 'array-of-two'));
      expect((await running.send({ body })).status).toBe(500);
      fails = false;
      expect((await running.send({ body })).status).toBe(200);
      expect(handled).toEqual(['18', '19', '18', '19']);
    },
  },
  {
    name: 'the two stages of a cash-out are no duplicates of each other',
    async run(bench) {
      await using running = await bench.start({ deliveryIdentity: 'transaction-and-status' });
      const settled = example(bench, 'cashoutSettled', 'completed') as { Pix: object };
      for (const Status of [1, 99, 1, 99])
        await running.send({ body: JSON.stringify({ Pix: { ...settled.Pix, Status } }) });
      expect(running.events.map(({ kind }) => kind)).toEqual([
        'cashoutSettled',
        'cashoutValidated',
      ]);
    },
  },
  {
    name: 'of two equal deliveries at a time, one is told to come again',
    async run(bench) {
      const { promise, resolve } = Promise.withResolvers<void>();
      await using running = await bench.start({ otherwise: { rest: () => promise } });
      const first = running.send({ path: chargePath, body: text });
      await sleep(50);
      const second = await running.send({ path: chargePath, body: text });
      resolve();
      expect([second.status, second.headers['retry-after']]).toEqual([503, '5']);
      expect((await first).status).toBe(200);
    },
  },
  {
    name: 'a handler that hangs is not acknowledged, and is told that its time is over',
    async run(bench) {
      let isAborted = false;
      const rest = async (_event: unknown, { signal }: { signal: AbortSignal }): Promise<void> => {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
        isAborted = true;
      };
      const { status } = await once(
        bench,
        { path: chargePath, body: text },
        { otherwise: { rest }, timeLimit: 50 },
      );
      await sleep(20);
      expect([status, isAborted]).toEqual([503, true]);
    },
  },
  {
    name: 'a replay store that fails is answered with 503',
    async run(bench) {
      const replayStore = {
        claim: () => Promise.reject(new Error('down')),
        confirm: () => undefined,
        release: () => undefined,
      };
      const { status, events } = await once(
        bench,
        { path: chargePath, body: text },
        { replayStore },
      );
      expect([status, events]).toEqual([503, []]);
    },
  },
  {
    name: 'responses are what the options say',
    async run(bench) {
      const responses = { handled: { status: 202, body: 'OK' }, invalid: 200, 'wrong-method': 404 };
      const handled = await once(bench, { path: chargePath, body: text }, { responses });
      expect([handled.status, handled.text]).toEqual([202, 'OK']);
      expect((await once(bench, { path: chargePath, body: '{}' }, { responses })).status).toBe(200);
      expect((await once(bench, { method: 'GET' }, { responses })).status).toBe(404);
    },
  },
  {
    name: 'a wrong method is told the right ones',
    async run(bench) {
      expect((await once(bench, { method: 'DELETE' })).headers['allow']).toBe('POST, PUT');
    },
  },
  {
    name: 'neither an answer nor a record shows anything of a delivery, or a secret',
    async run(bench) {
      const shown: string[] = [];
      const rest = (_event: unknown, context: unknown): void => void shown.push(inspect(context));
      for (const sent of [
        { body: text },
        { body: text.replace('"Status":1', '"Status":"99999999999"') },
        { body: text.replace('{"Pix"', '{"Pix":1,"Pix"') },
        { body: text, headers: { 'x-secret': 'wrong' } },
      ] as const) {
        const { records, text: answer } = await once(
          bench,
          { path: chargePath, ...sent },
          { otherwise: { rest } },
        );
        shown.push(answer, inspect(records, { depth: 10 }));
      }
      expect(shown).toHaveLength(9);
      expect(shown.join('\n')).not.toMatch(/99999999999|Example Payer|example-secret|key@example/);
    },
  },
];

/** Everything that a receiver does behind any adapter. */
export const rules: readonly Rule[] = [
  ...heads,
  ...authentication,
  ...bodies,
  ...paths,
  ...invalid,
  ...contractRules,
  ...delivery,
];
