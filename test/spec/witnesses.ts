import type { Contract } from '../../generator/contract/contract.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { isJsonObject } from '../../generator/json/json.ts';
import type { Answers, OverlayAction, Packages } from './answered-contract.ts';
import { examples } from './notifications.ts';

/** What the generated packages do with one request, as a text that can be compared. */
type Act = (packages: Packages, contract: Contract) => Promise<string>;

/** What an answer changes: the same act, with the open contract and with the answered one. */
export interface Witness {
  readonly act: Act;
  readonly before: string;
  readonly after: string;
  /** Changes of the OpenAPI document, where the present one has nothing that the answer is about. */
  readonly more?: readonly OverlayAction[];
}

/** A delivery that is an example of the contract, with small changes. */
interface Sent {
  /** Where it goes: to the webhook's URL with the path of the example's label, or without. Default: `label`. */
  readonly at?: 'label' | 'bare';
  readonly method?: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  /** Members that are replaced, in `Pix` or at the root; `undefined` removes one. */
  readonly edit?: Readonly<Record<string, Json | undefined>>;
  /** Changes the form of the edited body. */
  readonly rewrite?: (body: JsonObject) => Json;
}

/** An example `kind.name` that the open contract handles as `before`, and the answered one as `after`. */
function delivery(example: string, before: string, after: string, sent: Sent = {}): Witness {
  return {
    act: (packages, contract) => receive(packages, contract, [[example, sent]]),
    before,
    after,
  };
}

const bare: Sent = { at: 'bare' };

/** Returns the names of a code in a const object. */
function namesOf(codes: unknown, code: number): string {
  return Object.entries(codes as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value === code)
    .map(([name]) => name)
    .join(', ');
}

/** Writes a transaction twice, in an array under `pix` with names that begin in lower case. */
export function toArray({ Pix = null }: JsonObject): Json {
  const element = Object.fromEntries(
    Object.entries(isJsonObject(Pix) ? Pix : {}).map(([name, member = null]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      member,
    ]),
  );
  return { pix: [element, element] };
}

function toLowerCaseKey({ Pix = null }: JsonObject): Json {
  return { pix: Pix };
}

/** The strategy in the README of the receiver, which deliveries it accepts, and whether the README warns of none. */
function authentication(after: string): Witness {
  return { act: acceptedDeliveries, before: 'sharedSecret: secret-in-header', after };
}

/** Both kinds without a label, each with the form of both; and one of a form that neither has. */
function byForm(
  kinds: readonly string[],
  txids: readonly [string, string],
  union: string,
): readonly Witness[] {
  const [first = '', second = ''] = kinds.map((example) => example.split('.')[0]);
  return kinds.flatMap((example) => [
    delivery(example, union, first, { ...bare, edit: { txid: txids[0] } }),
    delivery(example, union, second, { ...bare, edit: { txid: txids[1] } }),
    delivery(example, union, 'onInvalid', { ...bare, edit: { txid: 'OTHER-1' } }),
    delivery(example, union, 'onInvalid', { ...bare, edit: { txid: ` ${txids[0]}` } }),
  ]);
}

const both = 'cashoutStageOneOrCashoutStageTwo';

/** For each choice that changes what a receiver accepts: deliveries that prove it, for all that it changes. */
export const witnesses: Readonly<Record<string, Readonly<Record<string, readonly Witness[]>>>> = {
  'label-method': {
    'as-labelled': [
      delivery('charge.without-payer', 'chargeOrChargeReversal', 'charge', bare),
      delivery('chargeReversal.refund', 'chargeOrChargeReversal', 'chargeReversal', bare),
      delivery('customer.done', 'customer', 'onInvalid', { at: 'bare', method: 'PUT' }),
      delivery('dueDateCharge.with-payer', 'dueDateChargeOrStaticCharge', 'onInvalid', {
        at: 'bare',
        method: 'PUT',
      }),
      delivery('cashoutStageOne.denied', 'cashoutStageOneOrCashoutStageTwo', 'onInvalid', {
        at: 'bare',
        method: 'PUT',
      }),
      delivery('cashoutStageTwo.array', 'cashoutStageTwo', 'onInvalid', { method: 'PUT' }),
    ],
    unrelated: [
      {
        act: ({ webhooks }) =>
          Promise.resolve(webhooks.labels.map(({ method = 'any' }) => method).join(', ')),
        before: 'POST, POST, POST, POST, PUT, POST',
        after: 'any, any, any, any, any, any',
      },
    ],
  },
  'label-in-url': {
    appended: [
      delivery('customer.done', 'customer', 'onInvalid', bare),
      delivery('charge.with-payer', 'chargeOrChargeReversal', 'onInvalid', bare),
      delivery('dueDateCharge.with-payer', 'dueDateChargeOrStaticCharge', 'onInvalid', bare),
      delivery('chargeReversal.refund', 'chargeOrChargeReversal', 'onInvalid', bare),
    ],
    'name-only': [
      delivery('dueDateCharge.with-payer', 'dueDateCharge', 'dueDateChargeOrStaticCharge'),
      delivery('chargeReversal.confirmed', 'chargeReversal', 'chargeOrChargeReversal'),
    ],
  },
  'notification-authentication': {
    'secret-in-header': [authentication('verifyNotificationSecret: secret-in-header')],
    'secret-in-path': [authentication('verifyNotificationSecret: secret-in-path')],
    'signature-of-calls': [authentication('verifySignature: signature-of-calls')],
    none: [authentication('sharedSecret: secret-in-header, with a warning')],
  },
  'customer-completed-status': {
    'final-only': [delivery('customer.processing', 'customer', 'onInvalid')],
  },
  'charge-completed-status': {
    confirmed: [
      delivery('charge.pending', 'charge', 'onInvalid'),
      delivery('staticCharge.with-payer', 'staticCharge', 'onInvalid', { edit: { Status: 2 } }),
    ],
    'charge-type': [
      delivery('charge.with-payer', 'charge', 'onInvalid', { edit: { OperationType: 1 } }),
      delivery('dueDateCharge.with-payer', 'dueDateCharge', 'onInvalid', {
        edit: { OperationType: 2 },
      }),
    ],
    'confirmed-charge-type': [
      delivery('charge.pending', 'charge', 'onInvalid'),
      delivery('staticCharge.with-payer', 'staticCharge', 'onInvalid', {
        edit: { OperationType: 1 },
      }),
    ],
  },
  'member-presence': {
    'null-left-out': [
      delivery('staticCharge.with-payer', 'onInvalid', 'staticCharge', {
        edit: { Discount: undefined, Interest: undefined },
      }),
      delivery('cashoutStageOne.awaiting-confirmation', 'onInvalid', 'cashoutStageOne', {
        edit: { endToEndId: undefined, confirmedAt: undefined, Status: 7 },
      }),
      delivery('cashoutStageTwo.completed', 'onInvalid', both, {
        edit: { endToEndId: undefined, confirmedAt: undefined },
      }),
    ],
    'unknown-texts-empty': [
      delivery('charge.with-payer', 'onInvalid', 'charge', {
        edit: { payer: { name: null, document: '00000000000' } },
      }),
      delivery('customer.done', 'onInvalid', 'customer', { edit: { externalProtocolId: null } }),
      delivery('customer.done', 'onInvalid', 'customer', {
        edit: { externalProtocolId: undefined },
      }),
      delivery('cashoutStageTwo.array', 'onInvalid', 'cashoutStageTwo', {
        rewrite: ({ pix }) => ({
          pix: (Array.isArray(pix) ? (pix as readonly JsonObject[]) : []).map((element) => ({
            ...element,
            receiverPixKey: null,
          })),
        }),
      }),
      delivery('cashoutReversal.credit', 'onInvalid', 'cashoutReversal', {
        ...bare,
        edit: { payerDocument: null },
      }),
    ],
  },
  'charge-or-reversal': {
    'operation-type': [
      delivery('charge.without-payer', 'chargeOrChargeReversal', 'charge', bare),
      delivery('chargeReversal.refund', 'chargeOrChargeReversal', 'chargeReversal', bare),
    ],
    'by-form': byForm(
      ['charge.with-payer', 'chargeReversal.refund'],
      ['CHG-1', 'REV-1'],
      'chargeOrChargeReversal',
    ),
  },
  'code-lists': {
    complete: [
      delivery('charge.with-payer', 'charge', 'onInvalid', { edit: { Status: 99 } }),
      delivery('charge.with-payer', 'charge', 'onInvalid', { edit: { OperationType: 99 } }),
      delivery('cashoutStageTwo.completed', 'cashoutStageTwo', 'onInvalid', {
        edit: { OperationType: 99 },
      }),
      delivery('cashoutReversal.credit', 'cashoutReversal', 'onInvalid', {
        edit: { OperationType: 99 },
      }),
      delivery('cashoutReversal.credit', 'cashoutReversal', 'onInvalid', {
        edit: { movementType: 99 },
      }),
    ],
  },
  'cashout-denial-status': {
    same: [
      {
        act: async ({ contract: { CashoutStatus } }) =>
          await Promise.resolve(namesOf(CashoutStatus, 2)),
        before: 'Failed',
        after: 'Failed, Denied',
      },
    ],
    other: [
      delivery('cashoutStageOne.denied', 'cashoutStageOneOrCashoutStageTwo', 'cashoutStageTwo'),
    ],
  },
  'cashout-stage-one-status': {
    zero: [
      delivery('cashoutStageTwo.completed', both, 'cashoutStageTwo', {
        edit: { endToEndId: null, confirmedAt: null },
      }),
    ],
    one: [
      delivery('cashoutStageTwo.completed', both, 'cashoutStageOne', {
        edit: { endToEndId: null, confirmedAt: null },
      }),
    ],
    other: [
      delivery('cashoutStageTwo.completed', both, 'cashoutStageTwo', {
        edit: { endToEndId: null, confirmedAt: null },
      }),
    ],
  },
  'cashout-form': {
    'also-array-under-upper-case-key': [
      delivery('cashoutStageTwo.array', 'onInvalid', 'cashoutStageTwo', {
        ...bare,
        rewrite: ({ pix }) => ({ Pix: pix }),
      }),
      delivery('cashoutStageTwo.array', 'onInvalid', 'cashoutStageTwo', {
        rewrite: ({ pix }) => ({ Pix: pix }),
      }),
    ],
    'also-object-under-lower-case-key': [
      delivery('cashoutStageTwo.completed', 'onInvalid', 'cashoutStageTwo', {
        ...bare,
        rewrite: toLowerCaseKey,
      }),
    ],
  },
  'lower-case-forms': {
    'also-array': [
      delivery('charge.with-payer', 'onInvalid', 'charge, charge', { rewrite: toArray }),
      delivery('chargeReversal.refund', 'onInvalid', 'chargeReversal, chargeReversal', {
        rewrite: toArray,
      }),
      delivery('charge.payer-null', 'onInvalid', 'chargeOrChargeReversal, chargeOrChargeReversal', {
        ...bare,
        rewrite: toArray,
      }),
      delivery('dueDateCharge.with-payer', 'onInvalid', 'dueDateCharge, dueDateCharge', {
        rewrite: toArray,
      }),
      delivery(
        'staticCharge.without-payer',
        'onInvalid',
        'dueDateChargeOrStaticCharge, dueDateChargeOrStaticCharge',
        { ...bare, rewrite: toArray },
      ),
      delivery('cashoutReversal.credit', 'onInvalid', 'cashoutReversal, cashoutReversal', {
        ...bare,
        rewrite: toArray,
      }),
    ],
    'also-object': [
      delivery('charge.with-payer', 'onInvalid', 'chargeOrChargeReversal', {
        ...bare,
        rewrite: toLowerCaseKey,
      }),
      delivery('dueDateCharge.with-payer', 'onInvalid', 'dueDateCharge', {
        rewrite: toLowerCaseKey,
      }),
      delivery('chargeReversal.refund', 'onInvalid', 'chargeReversal', {
        rewrite: toLowerCaseKey,
      }),
      delivery('cashoutReversal.credit', 'onInvalid', 'cashoutReversal', {
        ...bare,
        rewrite: toLowerCaseKey,
      }),
    ],
  },
  'due-date-or-static': {
    'late-fees': [
      delivery('dueDateCharge.with-payer', 'dueDateChargeOrStaticCharge', 'dueDateCharge', bare),
      delivery('staticCharge.with-payer', 'dueDateChargeOrStaticCharge', 'staticCharge', bare),
    ],
    'by-form': byForm(
      ['dueDateCharge.with-payer', 'staticCharge.with-payer'],
      ['DUE-1', 'STA-1'],
      'dueDateChargeOrStaticCharge',
    ),
  },
  'reversal-party-data': {
    'payer-member': [
      delivery('chargeReversal.refund', 'chargeReversal', 'onInvalid', { edit: { payer: 1 } }),
      delivery('cashoutReversal.credit', 'cashoutReversal', 'onInvalid', { edit: { payer: 1 } }),
    ],
    'payer-and-receiver-members': [
      delivery('cashoutReversal.credit', 'cashoutReversal', 'onInvalid', { edit: { payer: 1 } }),
      delivery('cashoutReversal.credit', 'cashoutReversal', 'onInvalid', { edit: { receiver: 1 } }),
    ],
  },
  'failed-cashout-end-to-end-id': {
    present: [
      delivery('cashoutStageTwo.failed', 'cashoutStageOneOrCashoutStageTwo', 'cashoutStageOne'),
    ],
    'null-value': [
      delivery('cashoutStageTwo.array-of-two', 'cashoutStageTwo, cashoutStageTwo', 'onInvalid'),
    ],
  },
  'cashout-confirmed-meaning': {
    requested: [
      delivery('cashoutStageTwo.failed', 'cashoutStageOneOrCashoutStageTwo', 'cashoutStageOne'),
    ],
    succeeded: [
      delivery('cashoutStageTwo.failed-after-confirmation', 'cashoutStageTwo', 'onInvalid'),
    ],
  },
  'customer-errors-form': {
    absent: [
      delivery('customer.processing', 'customer', 'onInvalid'),
      delivery('customer.errors-null', 'customer', 'onInvalid'),
    ],
    empty: [
      delivery('customer.done', 'customer', 'onInvalid'),
      delivery('customer.errors-null', 'customer', 'onInvalid'),
    ],
    'null-value': [
      delivery('customer.done', 'customer', 'onInvalid'),
      delivery('customer.processing', 'customer', 'onInvalid'),
    ],
  },
  'document-types': {
    'cnpj-only': [delivery('customer.pending-other-document', 'customer', 'onInvalid')],
  },
  'payer-when-withheld': {
    'null-value': [
      delivery('staticCharge.without-payer', 'staticCharge', 'onInvalid'),
      delivery('chargeReversal.refund', 'chargeOrChargeReversal', 'chargeReversal', bare),
    ],
    'empty-object': [
      delivery('charge.without-payer', 'onInvalid', 'charge', { edit: { payer: {} } }),
      delivery('staticCharge.without-payer', 'staticCharge', 'onInvalid'),
      delivery('dueDateCharge.with-payer', 'dueDateCharge', 'onInvalid', { edit: { payer: null } }),
      delivery('chargeReversal.refund', 'chargeOrChargeReversal', 'chargeReversal', bare),
    ],
  },
  'date-time-form': {
    'rfc-3339': [
      delivery('cashoutStageTwo.confirmed-at-without-offset', 'cashoutStageTwo', 'onInvalid'),
    ],
  },
  'decimal-form': {
    number: [delivery('cashoutStageTwo.amount-as-text', 'cashoutStageTwo', 'onInvalid')],
    string: [delivery('cashoutStageTwo.completed', 'cashoutStageTwo', 'onInvalid')],
  },
  'repeated-request-id': {
    'not-executed-again': [
      {
        act: ({ client }) => callUntilItGivesUp(client),
        before: '1 attempt',
        after: '3 attempts with one id',
        more: [
          {
            target: '$.paths',
            update: {
              '/cashout/confirm': {
                post: {
                  operationId: 'confirmCashout',
                  'x-source': '4.3',
                  parameters: [{ $ref: '#/components/parameters/RequestId' }],
                  responses: {
                    '2XX': { description: 'The confirmation is processed.', 'x-source': '4.3' },
                  },
                },
              },
            },
          },
        ],
      },
    ],
  },
};

/** For each entry that is an option of generated code: an act that shows a difference between all choices. */
export const options: Readonly<
  Record<string, (packages: Packages, option: object, contract: Contract) => Promise<string>>
> = {
  'request-id-on-retry': ({ client }, option) => callSigned(client, option),
  'authorization-form': ({ client }, option) => callSigned(client, option),
  'signing-key-encoding': ({ client }, option) => callSigned(client, option),
  'signed-path': ({ client }, option) => callSigned(client, option),
  'signed-separator': ({ client }, option) => callSigned(client, option),
  'signature-encoding': ({ client }, option) => callSigned(client, option),
  'timestamp-format': ({ client }, option) => callSigned(client, option),
  'delivery-identity': (packages, option, contract) =>
    receive(
      packages,
      contract,
      [
        ['customer.done', { edit: { status: 'PENDING' } }],
        ['customer.done', { edit: { status: 'PROCESSING' } }],
        ['customer.done', { edit: { status: 'PENDING' } }],
        ['customer.done', { edit: { status: 'PENDING', externalProtocolId: 'another' } }],
      ],
      option,
    ),
};

/** Sends deliveries to one receiver; returns with the handlers that get them, or why none does. */
export async function receive(
  { webhooks }: Packages,
  contract: Contract,
  deliveries: readonly (readonly [example: string, sent: Sent])[],
  more: object = {},
): Promise<string> {
  const seen: string[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind }: { kind: string | null }) => void seen.push(kind ?? 'otherwise'),
    },
    onInvalid: () => void seen.push('onInvalid'),
    onEvent: ({ reason }: { reason: string }) => {
      if (!['handled', 'unidentified', 'invalid'].includes(reason)) seen.push(reason);
    },
    ...more,
  });
  for (const [name, sent] of deliveries) await fetch(toRequest(name, sent, contract));
  return seen.join(', ');
}

/** @param contract the open one: an answer can remove the label's path, and the service sends it nevertheless */
function toRequest(
  name: string,
  { at, method, headers = {}, edit = {}, rewrite = (body) => body }: Sent,
  contract: Contract,
): Request {
  const example = examples.find(({ kind, name: exampleName }) => `${kind}.${exampleName}` === name);
  if (example === undefined) throw new TypeError(`no example ${name}`);
  const notification = contract.notifications.find(({ name: kind }) => kind === example.kind);
  const path = at === 'bare' ? '' : (notification?.label?.path ?? '');
  return new Request(`http://127.0.0.1/hooks${path.replaceAll(/[{}]/gu, '')}`, {
    method: method ?? notification?.method ?? 'POST',
    headers,
    body: JSON.stringify(edited(editBody(example.value, edit), rewrite)),
  });
}

/** Delivers one example to the receiver of the README, with each proof that an answer names, and without any. */
async function acceptedDeliveries({ webhooks, testing, readme }: Packages): Promise<string> {
  const authenticate = /^ {2}authenticate: (.+?\)),$/msu.exec(readme)?.[1] ?? '';
  const names = Object.keys(webhooks);
  const env = { WEBHOOK_SECRET: 'secret', WEBHOOK_HEADER_APIKEY: 'secret' };
  const create: unknown = new Function('process', ...names, `return ${authenticate};`);
  if (typeof create !== 'function') throw new TypeError('no strategy');
  const { fetch } = webhooks.createWebhooks({
    authenticate: create({ env }, ...Object.values(webhooks)),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const apikey = 'secret';
  const proofs = {
    nothing: {},
    'secret-in-header': { headers: { 'x-webhook-secret': 'secret' } },
    'wrong-secret': { headers: { 'x-webhook-secret': 'another' } },
    'secret-in-path': { url: 'http://127.0.0.1/hook/secret' },
    'wrong-path': { url: 'http://127.0.0.1/hook/another' },
    'signature-of-calls': {
      headers: { apikey },
      signer: testing.createSignatureSigner({ key: 'secret' }),
    },
    'wrong-signature': {
      headers: { apikey },
      signer: testing.createSignatureSigner({ key: 'another' }),
    },
  };
  const accepted: string[] = [];
  for (const [name, proof] of Object.entries(proofs)) {
    const { status } = await fetch(await testing.deliver('customer', proof));
    if (status === 200) accepted.push(name);
    else if (status !== 401) throw new TypeError(`${name}: ${status}`);
  }
  const warned = readme.includes('every client that knows the URL can send')
    ? ['with a warning']
    : [];
  return `${/^\w+/u.exec(authenticate)?.[0] ?? ''}: ${[...accepted, ...warned].join(', ')}`;
}

function edited(body: Json, rewrite: (body: JsonObject) => Json): Json {
  return isJsonObject(body) ? rewrite(body) : body;
}

function editBody(body: Json, edit: Readonly<Record<string, Json | undefined>>): Json {
  if (!isJsonObject(body)) return body;
  const { Pix } = body;
  const edited = (value: JsonObject): object => ({ ...value, ...edit });
  return (isJsonObject(Pix) ? { ...body, Pix: edited(Pix) } : edited(body)) as Json;
}

const credentials = {
  apiKey: 'an-api-key',
  clientId: 'a-client',
  clientSecret: 'a-secret',
  // Text in every encoding that a signing key can have.
  signingSecret: 'c0ffee00c0ffee00c0ffee00c0ffee00',
};

/** Makes a call whose first attempt fails; returns every request that the client sends. */
async function callSigned({ createClient }: Packages['client'], option: object): Promise<string> {
  const sent: (readonly unknown[])[] = [];
  let ids = 0;
  const client = createClient({
    baseUrl: 'https://service.example/base',
    credentials,
    clock: () => Date.UTC(2026, 0, 31, 12, 0, 0, 123),
    uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    sleep: () => Promise.resolve(),
    fetch: (url: string, { method, headers, body }: RequestInit) => {
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
      sent.push([method, url, [...new Headers(headers)], text]);
      const answer = url.endsWith('/token')
        ? Response.json({ access_token: 'a-token', expires_in: 3600 })
        : new Response(undefined, { status: sent.length === 2 ? 503 : 204 });
      return Promise.resolve(answer);
    },
    ...option,
  });
  await client.request('GET', '/customers', { query: { page: '1' } });
  return JSON.stringify(sent);
}

/** Calls an operation that answers 503; returns the attempts and whether they have one request id. */
async function callUntilItGivesUp({ createClient }: Packages['client']): Promise<string> {
  const ids: (string | null)[] = [];
  const client = createClient({
    baseUrl: 'https://service.example',
    credentials,
    sleep: () => Promise.resolve(),
    fetch: (url: string, { headers }: RequestInit) => {
      if (url.endsWith('/token'))
        return Promise.resolve(Response.json({ access_token: 'a-token', expires_in: 3600 }));
      ids.push(new Headers(headers).get('x-request-id'));
      return Promise.resolve(new Response(undefined, { status: 503 }));
    },
  });
  await client['confirmCashout']?.().catch(() => undefined);
  if (ids.length === 1) return '1 attempt';
  const isOne = new Set(ids).size === 1 && ids[0] !== null;
  return `${ids.length} attempts with ${isOne ? 'one id' : 'several ids'}`;
}

/** The answers that take the choice of each entry at a position, or its last. */
export function answersAt(
  position: number,
  entries: readonly { readonly id: string; readonly choices: readonly string[] }[],
): Answers {
  return Object.fromEntries(
    entries.flatMap(({ id, choices }) => {
      const choice = choices[Math.min(position, choices.length - 1)];
      return choice === undefined ? [] : [[id, choice]];
    }),
  );
}
