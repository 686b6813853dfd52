import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../../generator/contract/contract.ts';
import { withExampleCheck } from '../../../../generator/rules/example-check.ts';
import { ValidatorCompiler } from '../../../../generator/validators/validator-compiler.ts';
import {
  type ChosenHandler,
  chooseHandlers,
} from '../../../../packages/simulator/src/send/receiver-choice.ts';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';
import { importReceiver, readAnswered, type Receiver } from '../../../spec/answered-contract.ts';
import { formsOpenapi } from '../../../targets/webhooks/forms.ts';

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a text. */
  readonly body?: unknown;
}

const schema = (members: string, more = ''): string =>
  `{ type: object, required: [id], properties: { id: { type: integer }, ${members} }${more} }`;
const hook = (name: string, type: string, identified = ''): string => `  ${name}:
    post:
      parameters: [{ name: X-Kind, in: header, schema: { type: string } }]
      ${identified}
      requestBody: { content: { application/json: { schema: ${type} } } }
      responses: { '200': { description: Done } }
`;

/** Kinds that overlap in different ways. */
const shop = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
${hook('paid', schema('type: { const: paid }, id2: {}', ', x-variants: { many: { when: { $request.body#/items: { type: array } }, each: /items } }'), 'x-identified-by: { $request.body#/type: { const: paid } }')}
${hook('refunded', schema('type: { const: refunded }'), 'x-identified-by: { $request.body#/type: { const: refunded } }')}
${hook('drawn', schema('amount: { type: integer }'), 'x-identified-by: { $request.body#/amount: { type: integer } }')}
${hook('withdrawn', schema('amount: { type: integer }'), 'x-identified-by: { $request.body#/amount: { type: integer } }')}
${hook('headed', schema('note: { type: string }'), 'x-identified-by: { $request.header.X-Kind: { pattern: "^hea" } }')}
${hook('short', schema('ref: { type: string, maxLength: 3 }'), 'x-identified-by: { $request.body#/ref: { type: string } }\n      x-identified-by-schema: true')}
${hook('long', schema('ref: { type: string, minLength: 5 }'), 'x-identified-by: { $request.body#/ref: { type: string } }\n      x-identified-by-schema: true')}
`;

const handled = (handler: string, why: string, events = 1): readonly ChosenHandler[] => [
  { handler, events, why },
];
const invalid = (why: string, events = 1): readonly ChosenHandler[] =>
  handled('onInvalid', why, events);
const unread = 'The body cannot be read: it is not JSON, or has a member twice.';

const cases: readonly (readonly [string, Sent, readonly ChosenHandler[]])[] = [
  [
    'a value of the body',
    { body: { type: 'paid', id: 1 } },
    handled('on.paid', 'The member "/type" is "paid".'),
  ],
  [
    'a header',
    { body: { id: 1 }, headers: { 'x-kind': 'headed' } },
    handled('on.headed', 'The header "x-kind" matches "^hea".'),
  ],
  [
    'an array of events',
    {
      body: {
        items: [
          { type: 'paid', id: 1 },
          { type: 'paid', id: 2 },
        ],
      },
    },
    handled('on.paid', 'The member "/type" is "paid", the body has the wire variant "many".', 2),
  ],
  [
    'an array with an event that is not valid',
    {
      body: {
        items: [
          { type: 'paid', id: 1 },
          { type: 'paid', id: 'x' },
        ],
      },
    },
    invalid('The body violates the schema of paid. Valid events: 1 of 2.', 2),
  ],
  [
    'kinds that overlap',
    { body: { amount: 1, id: 1 } },
    handled('on.drawnOrWithdrawn', 'One of drawn, withdrawn: nothing in the delivery tells which.'),
  ],
  [
    'kinds that a value tells apart, and others that it does not',
    { body: { type: 'paid', id: 1, amount: 3 } },
    handled(
      'on.drawnOrPaidOrWithdrawn',
      'One of paid, drawn, withdrawn: nothing in the delivery tells which.',
    ),
  ],
  [
    'a schema',
    { body: { id: 1, ref: 'abcdef' } },
    handled(
      'on.long',
      'The member "/ref" is a text, of the possible kinds, its schema alone accepts the body.',
    ),
  ],
  [
    'no schema of the possible kinds',
    { body: { id: 1, ref: 'abcd' } },
    invalid('The body violates the schema of short or long.'),
  ],
  [
    'a body that is not valid',
    { body: { type: 'paid', id: 'x' } },
    invalid('The body violates the schema of paid.'),
  ],
  [
    'no kind',
    { body: { type: 'open', id: 1 } },
    handled(
      'otherwise',
      'It is of no kind of the contract: the member "/type" is a text that no kind has there, the member "/amount" is missing, the member "/ref" is missing.',
    ),
  ],
  ['a text that is not JSON', { body: 'x' }, invalid(unread)],
  ['a member that occurs twice', { body: '{"type":"paid","id":1,"id":2}' }, invalid(unread)],
  [
    'a number that no double represents',
    { body: '{"type":"paid","id":12345678901234567890}' },
    invalid('The body has a number that no double represents exactly.'),
  ],
  [
    'a path that servers resolve differently',
    { path: '/a//b//c', body: { type: 'paid', id: 1 } },
    invalid('Different servers could resolve its path differently.'),
  ],
];

async function readTexts(openapi: string): Promise<Contract> {
  const { contract, diagnostics } = await lowerFiles({ 'openapi.yaml': openapi });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return contract;
}

async function choose(contract: Contract, sent: Sent): Promise<readonly ChosenHandler[]> {
  const { url, method, headers, body } = toRequest(sent);
  return await withExampleCheck(contract, new ValidatorCompiler(), (check) =>
    chooseHandlers(contract, { url, method, headers: Object.entries(headers).flat(), body }, check),
  );
}

function toRequest({ path = '/hooks', method = 'POST', headers = {}, body }: Sent): {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
} {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return {
    url: new URL(path, 'http://127.0.0.1'),
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(text),
  };
}

/** Returns the handlers that the generated receiver calls, with how many events each gets. */
async function receive({ webhooks }: Receiver, sent: Sent): Promise<readonly string[]> {
  const seen: string[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind }: { readonly kind: string | null }) =>
        void seen.push(kind === null ? 'otherwise' : `on.${kind}`),
    },
    onInvalid: () => void seen.push('onInvalid'),
  });
  const { url, method, headers, body } = toRequest(sent);
  await fetch(new Request(url, { method, headers, ...(method === 'GET' ? {} : { body }) }));
  return seen;
}

/** Returns the chosen handlers, each as often as it is called. */
async function namesOf(contract: Contract, sent: Sent): Promise<readonly string[]> {
  const chosen = await choose(contract, sent);
  return chosen.flatMap(({ handler, events }) =>
    handler === 'onInvalid' ? [handler] : Array<string>(events).fill(handler),
  );
}

describe('the handler that a receiver calls, decided by', async () => {
  const contract = await readTexts(shop);
  const receiver = await importReceiver(contract);

  test.each(cases)('%s', async (_, sent, expected) => {
    expect(await choose(contract, sent)).toEqual(expected);
    expect(await receive(receiver, sent)).toEqual(await namesOf(contract, sent));
  });
});

test('it is that of the generated receiver for forms and queries', async () => {
  const contract = await readTexts(formsOpenapi);
  const receiver = await importReceiver(contract);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const requests: readonly Sent[] = [
    { headers, body: 'MessageSid=SM1&NumMedia=2' },
    { headers, body: 'MessageSid=SM1&NumMedia=many' },
    { headers, body: 'type=refund&NumMedia=2', method: 'PUT' },
    { headers, body: 'other=1' },
    { path: '/hooks?visitor=ann&count=3', method: 'GET' },
    { path: '/hooks?visitor=ann&count=x', method: 'GET' },
    { body: { MessageSid: 'SM1' } },
  ];
  const called = await Promise.all(requests.map((sent) => receive(receiver, sent)));
  expect(called.slice(0, 3)).toEqual([['on.message'], ['onInvalid'], ['on.refund']]);
  expect(await Promise.all(requests.map((sent) => namesOf(contract, sent)))).toEqual(called);
});

test('it is that of the generated receiver for examples with and without labels', async () => {
  const { contract } = await readAnswered({});
  if (contract === undefined) throw new Error('The contract has errors.');
  const receiver = await importReceiver(contract);
  const paths = contract.notifications.map(
    ({ label }) => label?.path.replaceAll(/\{.*?\}/gu, 'T1') ?? '',
  );
  const requests = contract.notifications.flatMap(({ examples }, index) =>
    examples.slice(0, 2).flatMap(({ value }) =>
      // Without a label, with its own, and with that of the next kind.
      ['', paths[index], paths[index + 1]].map((path) => ({
        path: `/hooks${path ?? ''}`,
        body: value,
      })),
    ),
  );
  expect(requests.length).toBeGreaterThan(40);
  const seen = new Set<string>();
  for (const sent of requests) {
    const called = await receive(receiver, sent);
    expect(await namesOf(contract, sent)).toEqual(called);
    for (const handler of called) seen.add(handler);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(['on.chargeOrChargeReversal', 'on.charge', 'on.customer', 'onInvalid']),
  );
  const [labelled] = await choose(contract, {
    path: '/hooks/v2/apm/pix/charge/due-date/T1',
    body: contract.notifications.find(({ name }) => name === 'dueDateCharge')?.examples[0]?.value,
  });
  expect(labelled?.why).toContain('the path ends with the label');
});
