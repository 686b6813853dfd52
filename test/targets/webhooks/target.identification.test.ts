import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { toDelivery, toIdentified } from '../../../generator/contract/delivery.ts';
import { conditionText } from '../../../packages/reference/src/conditions.ts';
import { describeRecognition } from '../../../generator/recognition/words.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { loadFiles } from '../../rules/rule-case.ts';
import { lowerAndCheck } from '../../rules/lower-and-check.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { runsOf } from '../../some.ts';

const hook = (name: string, identified: string, schema: string, media = 'json'): string =>
  `  ${name}:
    post:
      parameters: [{ name: X-Kind, in: header, schema: { type: string } }]
      x-identified-by: ${identified}
      requestBody: { content: { application/${media}: { schema: ${schema} } } }
      responses: { '200': { description: Done } }
`;
const data =
  '{ type: object, properties: { id: { type: string }, code: {}, in: { type: object, properties: { id: { type: string } } } } }';

const openapi = `openapi: 3.1.1
info: { title: Patterns, version: 1.0.0, x-countersign: 1 }
webhooks:
${hook('charge', "{ $request.body#/id: { pattern: '^CHG-' } }", data)}
${hook('refund', "{ $request.body#/id: { pattern: '^REF-' } }", data)}
${hook('partial', "{ $request.body#/id: { pattern: '^REF-P|-P$' } }", data)}
${hook('test', '{ $request.body#/id: { const: CHG-test } }', data)}
${hook('nested', "{ $request.body#/id: false, $request.body#/in/id: { pattern: '^\\p{Lu}{2}\\u{1F600}?$' } }", data)}
${hook('numbered', "{ $request.body#/code: { type: string, pattern: '^[0-9]+$' } }", data)}
${hook('headed', "{ $request.header.X-Kind: { pattern: '^[a-z]{3}\\.done$' } }", data)}
${hook('form', "{ $request.body#/ref: { pattern: '^F[0-9]' } }", '{ type: object, properties: { ref: { type: string } } }', 'x-www-form-urlencoded')}
${hook(
  'listed',
  "{ $request.body#/key: { pattern: '^L-' } }",
  `{ type: object, properties: { key: { type: string } }, x-variants: { many: { when: { $request.body#/form: { type: string, pattern: '^v[0-9]$' } }, each: /items } } }`,
)}`;

let generated: GeneratedWebhooks;
let contract: Contract;
let webhooks: WebhooksModule;

beforeAll(async () => {
  const lowered = await lowerAndCheck(await loadFiles({ 'openapi.yaml': openapi }));
  expect(lowered.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  ({ contract } = lowered);
  generated = await generateWebhooks(contract);
  webhooks = (await import(
    pathToFileURL(join(generated.webhooks, 'src/index.ts')).href
  )) as WebhooksModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

async function deliver(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const seen: string[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind, kinds }: { kind: string | null; kinds?: readonly string[] }) =>
        void seen.push(kinds?.join(' or ') ?? String(kind)),
    },
    onInvalid: ({ reason }: { reason: string }) => void seen.push(reason),
  });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  await fetch(new Request('http://127.0.0.1/', { method: 'POST', body: text, headers }));
  return seen;
}

interface Row {
  readonly body: unknown;
  readonly expected: string;
  readonly headers: Readonly<Record<string, string>>;
}

function table(
  ...rows: readonly (readonly [unknown, string, Readonly<Record<string, string>>?])[]
): readonly Row[] {
  return rows.map(([body, expected, headers = {}]) => ({ body, expected, headers }));
}

describe('a pattern', () => {
  test.each(
    table(
      [{ id: 'CHG-1' }, 'charge'],
      [{ id: 'REF-1' }, 'refund'],
      [{ id: 'xREF-1' }, 'null'],
      [{ id: 'REF-P1' }, 'refund or partial'],
      [{ id: 'CHG-1-P' }, 'charge or partial'],
      [{ id: 'x-P' }, 'partial'],
      [{ id: 'CHG-test' }, 'charge or test'],
      [{ id: null }, 'null'],
      [{ id: 5 }, 'null'],
      [{}, 'null'],
      [[], 'null'],
      [{ in: { id: 'ÀÉ\u{1F600}' } }, 'nested'],
      [{ in: { id: 'ÀÉ\u{1F601}' } }, 'null'],
      [{ id: 'x', in: { id: 'AB' } }, 'null'],
      [{ code: '12' }, 'numbered'],
      [{ code: 12 }, 'null'],
      [{ code: '12\n' }, 'null'],
      [{ id: 'x' }, 'headed', { 'X-KIND': 'abc.done' }],
      [{ id: 'x' }, 'null', { 'x-kind': 'abc_done' }],
      ['ref=F1', 'form'],
      ['ref=G1', 'null'],
      [{ key: 'L-1' }, 'listed'],
      [{ form: 'v1', items: [{ key: 'L-1' }, { key: 'L-2' }] }, 'listed,listed'],
      [{ form: 'w1', items: [{ key: 'L-1' }] }, 'null'],
    ),
  )('$body is $expected', async ({ body, expected, headers }) => {
    expect((await deliver(body, headers)).join()).toBe(expected);
  });

  test('never results in a kind that it does not match, for any text', async () => {
    const part = fc.constantFrom(
      'CHG-',
      'REF-',
      'P',
      '-P',
      'x',
      '',
      'CHG-test',
      '\n',
      '\ud800',
      '1',
    );
    const expected: readonly (readonly [name: string, pattern: RegExp])[] = [
      ['charge', /^CHG-/u],
      ['refund', /^REF-/u],
      ['partial', /^REF-P|-P$/u],
      ['test', /^CHG-test$/u],
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const id = parts.join('').toWellFormed();
        const names = expected.filter(([, pattern]) => pattern.test(id)).map(([name]) => name);
        expect(await deliver({ id })).toEqual([names.join(' or ') || 'null']);
      }),
      { numRuns: runsOf(200) },
    );
  });

  test('needs no result for texts that two of them exclude', () => {
    const { groups } = contract.recognition;
    expect(groups).not.toContainEqual(expect.arrayContaining(['charge', 'refund']));
    expect(groups).toContainEqual(['refund', 'partial']);
  });

  test('is written once for the module, with words beside its step', async () => {
    const catalogue = await readFile(join(generated.webhooks, 'src/catalogue.ts'), 'utf8');
    expect(catalogue).toContain('"/id". a text that matches "^CHG-": ');
    expect(catalogue.match(/new RegExp\(/gu)?.length).toBeGreaterThan(7);
    const words = describeRecognition(contract.notifications, contract.recognition)('headed');
    expect(words.join(' ')).toContain(
      String.raw`The header "x-kind". a text that matches "^[a-z]{3}\\.done$"`,
    );
  });

  test('is in the words of the reference page', () => {
    const [condition] = contract.notifications[0]?.identifiedBy[0] ?? [];
    expect(condition && conditionText(condition).text).toBe(
      '<code>id</code> matches the pattern <code>^CHG-</code>',
    );
  });

  test('gives deliveries without an example a text that it matches', async () => {
    const of = (name: string): Contract['notifications'][number] => {
      const notification = contract.notifications.find((candidate) => candidate.name === name);
      if (notification === undefined) throw new Error(`There is no ${name}.`);
      return notification;
    };
    expect(await deliver({}, toDelivery(of('headed')).headers)).toEqual(['headed']);
    expect(await deliver(toIdentified(of('charge'), { id: 'text' }))).toEqual(['charge']);
    expect(await deliver(toIdentified(of('nested'), { in: { id: 'text' } }))).toEqual(['nested']);
    expect(toIdentified(of('charge'), { id: 'CHG-7' })).toEqual({ id: 'CHG-7' });
    // A missing container stays missing.
    expect(toIdentified(of('nested'), { other: 1 })).toEqual({ other: 1 });
  });

  test('takes linear time for a long text', async () => {
    const length = 500_000;
    expect(await deliver({ id: `${'REF-'.repeat(length / 4)}-P` })).toEqual(['refund or partial']);
  });
});

describe('an answer of the ledger', () => {
  const answered = (pattern: string): string => `openapi: 3.1.1
info: { title: Open, version: 1.0.0, x-countersign: 1 }
webhooks:
  open:
    post:
      x-unstated:
        form-of-id:
          source: '1'
          question: Which form does an identifier have?
          choices:
            any: It has no form.
            prefix:
              meaning: It has a prefix.
              actions:
                - target: $.webhooks.open.post
                  update: { x-identified-by: { $request.body#/id: { pattern: '${pattern}' } } }
          settled: prefix
      requestBody: { content: { application/json: { schema: ${data} } } }
      responses: { '200': { description: Done } }
`;

  test('can be a pattern, which is checked as every other one', async () => {
    const read = async (pattern: string): ReturnType<typeof lowerAndCheck> =>
      await lowerAndCheck(await loadFiles({ 'openapi.yaml': answered(pattern) }));
    const { contract: settled } = await read('^O-');
    expect(settled.notifications[0]?.identifiedBy).toEqual([
      [
        {
          expression: '$request.body#/id',
          schema: { type: 'string', pattern: '^O-' },
          settledBy: 'form-of-id',
          sample: 'O-',
        },
      ],
    ]);
    const { diagnostics } = await read('^(a+)+$');
    expect(diagnostics.map(({ code }) => code)).toContain('slow-pattern');
  });
});
