import { createWebhooks, verifySignature, type WebhookOptions } from '@instant-payment/webhooks';
import { Webhooks } from '@octokit/webhooks';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { countRounds, measureInTurn, type CallTime, type Way } from './in-turn.ts';
import {
  apikey,
  createFloor,
  createNotifications,
  key,
  path,
  remembered,
  toleranceMs,
  type SignedNotification,
} from './notifications.ts';

/** Returns the notifications in a cycle, for one function. */
type Round = () => () => SignedNotification;

/**
 * Receives signed notifications of 700 bytes with generated receivers, and with vendors' libraries and zod. The first
 * row is the floor.
 */
export async function benchWebhooks(rounds: number, calls: number): Promise<readonly CallTime[]> {
  // A notification is received again when a replay store has dropped its key.
  const all = await createNotifications(Math.min(remembered + 1, countRounds(rounds) * calls));
  const round: Round = () => {
    let turn = 0;
    return () => all[turn++ % all.length] as SignedNotification;
  };
  for (const [name, options] of receivers) await checkDuplicates(name, options, all);
  return await measureInTurn(
    [['HMAC, comparison, JSON.parse', floor(round)], ...receiving(round), ...vendors(round)],
    rounds,
    calls,
  );
}

/** What it costs to receive a notification of a size. */
export interface BodyCost {
  readonly bytes: number;
  readonly floor: number;
  readonly received: number;
}

/**
 * Receives a notification of each size, with all checks and without deduplication, in turn with the floor.
 * @param bytes how much is received in each round
 * @returns microseconds
 */
export async function benchBodies(
  sizes: readonly number[],
  rounds: number,
  bytes: number,
): Promise<readonly BodyCost[]> {
  const costs: BodyCost[] = [];
  for (const size of sizes) {
    const sent = await createNotifications(1, size);
    const round: Round = () => () => sent[0] as SignedNotification;
    const ways: readonly Way[] = [
      ['the floor', floor(round)],
      ...receiving(round).filter(([name]) => name === 'receive'),
    ];
    const [least, received] = await measureInTurn(ways, rounds, Math.ceil(bytes / size));
    if (least === undefined || received === undefined) throw new Error('Nothing was measured.');
    costs.push({ bytes: size, floor: least.microseconds, received: received.microseconds });
  }
  return costs;
}

function floor(round: Round): () => unknown {
  const next = round();
  const receive = createFloor();
  return () => receive(next());
}

/** What the compared receivers do besides authentication and validation. */
type Choice = Pick<WebhookOptions, 'deliveryIdentity' | 'strict'>;

const every: Choice = { deliveryIdentity: 'every-delivery' };
const receivers: readonly (readonly [name: string, choice: Choice])[] = [
  ['receive, no strict scan', { ...every, strict: false }],
  ['receive', every],
  ['receive, deduplicated by transaction', { deliveryIdentity: 'status-of-subject' }],
  ['receive, deduplicated by content', { deliveryIdentity: 'same-content' }],
];

function receiving(round: Round): readonly Way[] {
  return receivers.map(([name, choice]) => {
    const next = round();
    const receive = createReceiving(choice);
    return [
      name,
      async () => {
        const reason = await receive(next());
        if (reason !== 'handled') throw new Error(`${name}: ${reason}`);
      },
    ];
  });
}

function createReceiving(choice: Choice): (sent: SignedNotification) => Promise<string> {
  const { receive } = createWebhooks({
    authenticate: verifySignature({ keys: [key], headers: { apikey }, toleranceMs }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
    ...choice,
  });
  return async ({ body, headers }) => {
    const { reason } = await receive({ method: 'POST', target: path, headers, read: () => body });
    return reason;
  };
}

/** Receives a notification twice. Throws unless the second is a duplicate exactly where the receiver deduplicates. */
async function checkDuplicates(
  name: string,
  choice: Choice,
  [sent]: readonly SignedNotification[],
): Promise<void> {
  if (sent === undefined) throw new Error('There is no notification.');
  const receive = createReceiving(choice);
  await receive(sent);
  const reason = await receive(sent);
  const expected = choice.deliveryIdentity === 'every-delivery' ? 'handled' : 'duplicate';
  if (reason !== expected) throw new Error(`${name}: the same notification again is ${reason}`);
}

function vendors(round: Round): readonly Way[] {
  const [nextOfStripe, nextOfStandard, nextOfGitHub] = [round(), round(), round()];
  const stripe = new Stripe('sk_test_none').webhooks;
  const standard = new Webhook(key);
  const gitHub = new Webhooks({ secret: key });
  gitHub.on('ping', () => undefined);
  return [
    [
      'stripe, zod',
      () => {
        const { body, stripe: header } = nextOfStripe();
        return staticCharge.parse(stripe.constructEvent(body, header, key, toleranceMs / 1000));
      },
    ],
    [
      'standardwebhooks, zod',
      () => {
        const { text, standard: headers } = nextOfStandard();
        return staticCharge.parse(standard.verify(text, headers));
      },
    ],
    [
      '@octokit/webhooks, nothing validated',
      async () => {
        const { text: payload, gitHub: signature } = nextOfGitHub();
        await gitHub.verifyAndReceive({ id: '1', name: 'ping', payload, signature });
      },
    ],
  ];
}

/** The constraints of the generated validator for a static charge. */
const staticCharge = z.looseObject({
  Pix: z.looseObject({
    endToEndId: z.string(),
    txid: z.string(),
    chave: z.string(),
    Status: z.int(),
    OperationType: z.int(),
    Amount: z.number(),
    OriginalAmount: z.number(),
    Discount: z.number().nullable(),
    Reduction: z.number().nullable(),
    Penalty: z.number().nullable(),
    Interest: z.number().nullable(),
    payer: z
      .looseObject({
        name: z.string(),
        document: z.string(),
        ispb: z.string(),
        agency: z.string(),
        accountNumber: z.string(),
        accountType: z.string(),
      })
      .optional(),
  }),
});
