import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createWebhooks, verifySignature, type WebhookOptions } from '@instant-payment/webhooks';
import { Webhooks } from '@octokit/webhooks';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { measureInTurn, type CallTime, type Way } from './in-turn.ts';
import {
  apikey,
  createNotifications,
  key,
  path,
  tolerance,
  type SignedNotification,
} from './notifications.ts';

/** More notifications than a replay store remembers, so that no delivery is a duplicate. */
const notifications = 12_288;

/** Returns the notifications in a cycle, for one function. */
type Round = () => () => SignedNotification;

/**
 * Receives signed notifications of 700 bytes with generated receivers, and with vendors' libraries and zod. The first
 * row is the floor.
 */
export async function benchWebhooks(rounds: number, calls: number): Promise<readonly CallTime[]> {
  const all = await createNotifications(notifications);
  const round: Round = () => {
    let turn = 0;
    return () => all[turn++ % all.length] as SignedNotification;
  };
  return await measureInTurn(
    [['HMAC, comparison, JSON.parse', floor(round)], ...receivers(round), ...vendors(round)],
    rounds,
    calls,
  );
}

function floor(round: Round): () => unknown {
  const next = round();
  const secret = createSecretKey(Buffer.from(key));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return () => {
    const { body, signature, signed } = next();
    const digest = createHmac('sha256', secret).update(signed).update(body).update(path).digest();
    if (!timingSafeEqual(digest, signature)) throw new Error('The floor does not hold.');
    return JSON.parse(decoder.decode(body));
  };
}

function receivers(round: Round): readonly Way[] {
  const receiver = (
    more: Pick<WebhookOptions, 'deliveryIdentity' | 'strict'>,
  ): (() => Promise<void>) => {
    const next = round();
    const { receive } = createWebhooks({
      authenticate: verifySignature({ keys: [key], headers: { apikey }, tolerance }),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
      ...more,
    });
    return async () => {
      const { body, headers } = next();
      const { reason } = await receive({ method: 'POST', target: path, headers, read: () => body });
      if (reason !== 'handled') throw new Error(reason);
    };
  };
  const every = { deliveryIdentity: 'every-delivery' } as const;
  return [
    ['receive, no strict scan', receiver({ ...every, strict: false })],
    ['receive', receiver(every)],
    ['receive, deduplicated by transaction', receiver({ deliveryIdentity: 'status-of-subject' })],
    ['receive, deduplicated by content', receiver({ deliveryIdentity: 'same-content' })],
  ];
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
        return staticCharge.parse(stripe.constructEvent(body, header, key, tolerance));
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
